import Foundation
import JSON
import RunResult
import TestSupport
import Testing

/// Shards that meet behind an address, and who follows them.
@Suite(.fewAtOnce) struct ShardServerTests {
    private static let limit = Duration.seconds(90)

    /// Lends an origin and a rendezvous.
    private static func rehearsing(
        duration: String = "5s",
        _ body: (ShardedRehearsal, ServedRendezvous) async throws -> Void
    ) async throws {
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            try await ServedRendezvous.serving { rendezvous in
                let profile = ShardProfile.short(origin: origin.url, duration: duration)
                let rehearsal = try ShardedRehearsal(profile.yaml, shards: 2, place: rendezvous.options)
                try await body(rehearsal, rendezvous)
            }
        }
    }

    private static func waits(for what: String, of child: ChildProcess, _ isMet: () throws -> Bool) async throws {
        try await child.wait(for: what, within: limit) { _ in try isMet() }
    }

    /// Everything that a result says of a run, as text that tells what differs.
    private static func telling(_ document: ResultDocument) throws -> [String] {
        var document = document
        document.journal = nil
        return String(decoding: try document.json(), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func differences(_ one: ResultDocument, _ other: ResultDocument) throws -> [String] {
        let (one, other) = (try telling(one), try telling(other))
        return one.difference(from: other).map { "\($0)" }
    }

    @Test func whoFollowsShardsMakesTheResultThatAMergeMakes() async throws {
        try await Self.rehearsing { rehearsal, rendezvous in
            let watch = try rehearsal.watch()
            let ends = try await rehearsal.run()
            #expect(ends.map(\.status) == [0, 0], "\(ends.map(\.errors))")
            let watched = try rehearsal.watched(try await watch.ended(within: Self.limit))
            #expect(watched.end.status == 0, "\(watched.end.output)\(watched.end.errors)")
            let document = try #require(watched.document)
            #expect(document.verdict.outcome == .passed && document.viewers["joined"] == 8)
            #expect(document.shards?.map(\.state) == [.ended, .ended])
            let (merged, told) = (try await rehearsal.merge(), try await rehearsal.mergeOfPlace())
            #expect(merged.end.status == 0 && told.end.status == 0)
            #expect(try Self.differences(document, try #require(merged.document)) == [])
            #expect(try Self.differences(document, try #require(told.document)) == [])
            // The token is where it was put, and nowhere else.
            for end in ends + [watched.end, merged.end, told.end] {
                #expect(!end.output.contains(ServedRendezvous.token) && !end.errors.contains(ServedRendezvous.token))
            }
            for file in rehearsal.folder.files(in: "") + rendezvous.folder.files(in: "place") {
                let data = try Data(contentsOf: file)
                #expect(data.firstRange(of: Data(ServedRendezvous.token.utf8)) == nil, "\(file.path)")
            }
        }
    }

    @Test func aShardThatIsKilledIsNamedByWhoFollowsAndByEveryMerge() async throws {
        try await Self.rehearsing(duration: "14s") { rehearsal, rendezvous in
            let watch = try rehearsal.watch(["--silence", "15s"])
            let shards = try (0..<2).map { try rehearsal.start($0) }
            try await Self.waits(for: "pieces", of: shards[1]) {
                try rendezvous.holds("journal-1/0000000002") && rehearsal.lines(of: 1).count >= 2
            }
            shards[1].kill()
            #expect(try await shards[0].ended(within: Self.limit).status == 0)
            let watched = try rehearsal.watched(try await watch.ended(within: Self.limit))
            let told = try await rehearsal.mergeOfPlace()
            #expect(watched.end.errors.contains("Shard 1 of 2 is lost"), "\(watched.end.errors)")
            for merge in [watched, told, try await rehearsal.merge()] {
                #expect(merge.end.status == 3, "\(merge.end.output)\(merge.end.errors)")
                let document = try #require(merge.document)
                #expect(document.verdict.exitCode == 3 && document.verdict.outcome != .passed)
                #expect(document.verdict.reasons.contains { $0.contains("shard 1 of 2") }, "\(document.verdict)")
                #expect(document.shards?.map(\.state) == [.ended, .cutOff])
                #expect(document.shards?.last?.requests ?? 0 > 0)
            }
            #expect(try Self.differences(try #require(watched.document), try #require(told.document)) == [])
        }
    }

    @Test func oneShardMakesTheOneResult() async throws {
        try await Self.rehearsing { rehearsal, _ in
            let merging = try rehearsal.start(0, ["--merge", "--tolerate-limited", "5%"])
            let other = try rehearsal.start(1)
            let ends = try await [merging.ended(within: Self.limit), other.ended(within: Self.limit)]
            #expect(ends.map(\.status) == [0, 0], "\(ends.map(\.errors))")
            let made = try rehearsal.merge(ends[0], in: "results")
            let document = try #require(made.document)
            #expect(document.shards?.map(\.state) == [.ended, .ended] && document.viewers["joined"] == 8)
            #expect(ends[0].output.contains("-merged.json"))
            #expect(rehearsal.folder.results(in: "results").count == 3)
            #expect(try Self.differences(document, try #require(try await rehearsal.mergeOfPlace().document)) == [])
        }
    }

    /// Who waits for the place goes on when it is there again, and nothing of what was done meanwhile is missing.
    @Test func aServerThatIsKilledAndStartedAgainCostsNothing() async throws {
        try await Self.rehearsing(duration: "20s") { rehearsal, rendezvous in
            let watch = try rehearsal.watch()
            let first = try rehearsal.start(0)
            try await Self.waits(for: "a shard", of: first) { rendezvous.holds("notes/hello-0") }
            try await rendezvous.kill()
            let second = try rehearsal.start(1, isQuiet: false)
            try await second.wait(for: "a word", within: Self.limit) { $0.errors.contains("waiting for the others") }
            let silent = "The rendezvous does not answer"
            try await watch.wait(for: "a word", within: Self.limit) { $0.errors.contains(silent) }
            try await rendezvous.start()
            try await Self.waits(for: "intervals", of: first) {
                try (0..<2).allSatisfy { try !rehearsal.lines(of: $0).isEmpty }
            }
            try await rendezvous.kill()
            let told = try (0..<2).map { try rehearsal.lines(of: $0).count }
            try await Self.waits(for: "intervals", of: first) {
                try (0..<2).allSatisfy { try rehearsal.lines(of: $0).count >= told[$0] + 2 }
            }
            try await watch.wait(for: "a second word", within: Self.limit) { $0.errors.ranges(of: silent).count == 2 }
            try await rendezvous.start()
            let ends = try await [first.ended(within: Self.limit), second.ended(within: Self.limit)]
            #expect(ends.map(\.status) == [0, 0], "\(ends.map(\.errors))")
            let watched = try rehearsal.watched(try await watch.ended(within: Self.limit))
            #expect(watched.end.status == 0, "\(watched.end.output)\(watched.end.errors)")
            #expect(watched.end.errors.ranges(of: silent).count == 2, "said once each time: \(watched.end.errors)")
            #expect(watched.end.errors.ranges(of: "The rendezvous answers again").count == 2)
            let document = try #require(watched.document)
            #expect(try Self.differences(document, try #require(try await rehearsal.merge().document)) == [])
        }
    }

    @Test(.enabled("a small disk can only be mounted with CAP_SYS_ADMIN") { await SmallDisk.canBeMounted() })
    func aRendezvousWhoseDiskIsFullForAWhileCostsNothing() async throws {
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            let rendezvous = try ServedRendezvous()
            let signs = try TemporaryFolder()
            let disk = rendezvous.place
            try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
            let script = """
                disk=$1 signs=$2; shift 2
                sign() { until [ -e "$signs/$1" ]; do kill -0 $$ || exit; sleep 0.05; done; }
                (sign fill; cat /dev/zero >"$disk/filler"; touch "$signs/full"; sign free; rm "$disk/filler") 2>/dev/null &
                exec "$@"
                """
            let arguments = ["bash", disk.path, signs.path, try PodswarmExecutable.path()]
            try await rendezvous.start {
                try SmallDisk.start(script, arguments + rendezvous.arguments(over: disk.path + "/place"))
            }
            try await rendezvous.stopped { rendezvous in
                let profile = ShardProfile.short(origin: origin.url, duration: "20s")
                let rehearsal = try ShardedRehearsal(profile.yaml, shards: 2, place: rendezvous.options)
                let watch = try rehearsal.watch()
                let shards = try (0..<2).map { try rehearsal.start($0) }
                try await Self.waits(for: "an interval", of: shards[0]) { try !rehearsal.lines(of: 0).isEmpty }
                try signs.write("", to: "fill")
                let full = signs.file("full").path
                try await Self.waits(for: "a full disk", of: shards[0]) { FileManager.default.fileExists(atPath: full) }
                #expect(try await rendezvous.statusOfPut() == 507)
                let told = try rehearsal.lines(of: 0).count
                try await Self.waits(for: "intervals", of: shards[0]) { try rehearsal.lines(of: 0).count >= told + 2 }
                try signs.write("", to: "free")
                for shard in shards { #expect(try await shard.ended(within: Self.limit).status == 0) }
                let watched = try rehearsal.watched(try await watch.ended(within: Self.limit))
                #expect(watched.end.status == 0, "\(watched.end.output)\(watched.end.errors)")
                let document = try #require(watched.document)
                #expect(try Self.differences(document, try #require(try await rehearsal.merge().document)) == [])
            }
        }
    }

    /// Waiting changes no token: nobody is kept waiting for the others.
    @Test func anotherTokenIsRefusedAtOnceAndNeverRepeated() async throws {
        try await ServedRendezvous.serving { rendezvous in
            let folder = try TemporaryFolder()
            let profile = try folder.write(ShardProfile.short(origin: "http://127.0.0.1:1").yaml, to: "profile.yaml")
            let wrong = "another-secret-of-theirs"
            let file = try folder.write(wrong, to: "token")
            let named = ["--rendezvous", rendezvous.url, "--results", folder.file("results").path, "--run-id"]
            // Named like the run, so that whatever names the run would repeat it.
            let place = named + [wrong]
            for options in [place + ["--rendezvous-token-file", file], named + ["r"]] {
                for command in [["watch"], ["merge"]] {
                    let end = try await PodswarmExecutable.run(command + options)
                    #expect(end.status == 2, "\(end.command): \(end.errors)")
                    #expect(end.errors.contains("it asks for another token"), "\(end.errors)")
                    #expect(!end.errors.contains(wrong) && !end.output.contains(wrong), "\(end.errors)")
                }
            }
            try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
                try folder.write(ShardProfile.short(origin: origin.url).yaml, to: "profile.yaml")
                let end = try await PodswarmExecutable.run(
                    ["run", profile, "--shard", "0/2"] + place,
                    environment: ["PODSWARM_RENDEZVOUS_TOKEN": wrong]
                )
                #expect(end.status == 2, "\(end.errors)")
                #expect(end.errors.contains("it asks for another token"), "\(end.errors)")
                #expect(!end.errors.contains(wrong), "\(end.errors)")
            }
            // Whatever else is said by name, the token is not.
            let told = try await PodswarmExecutable.run(
                ["merge", "--rendezvous", folder.path, "--run-id", ServedRendezvous.token],
                environment: ["PODSWARM_RENDEZVOUS_TOKEN": ServedRendezvous.token]
            )
            #expect(told.status == 2 && told.errors.contains("no shard of run '…'"), "\(told.errors)")
        }
    }
}
