import Foundation
import Results
import TestSupport
import Testing
import Values

/// Shards that meet behind an address, and who follows them.
///
/// Over sockets, because shards are processes that meet behind an address.
@Suite(.fewWaiting) struct ShardServerTests {
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
        try await child.wait(for: what) { _ in try isMet() }
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

    @Test func aShardThatIsKilledIsNamedByWhoFollowsAndByEveryMerge() async throws {
        try await Self.rehearsing(duration: "14s") { rehearsal, rendezvous in
            let watch = try rehearsal.watch(["--silence", "15s"])
            let shards = try (0..<2).map { try rehearsal.start($0) }
            try await Self.waits(for: "pieces", of: shards[1]) {
                try rendezvous.holds("journal-1/0000000002") && rehearsal.lines(of: 1).count >= 2
            }
            shards[1].kill()
            #expect(try await shards[0].ended().status == 0)
            let lines = try rehearsal.lines(of: 1)
            let watched = try rehearsal.watched(try await watch.ended())
            // A result of that shard alone leaves its journal to the merge.
            let recovery = try await PodswarmExecutable.run(["recover", rehearsal.results])
            #expect(recovery.errors.contains("is a shard's, and stays for podswarm merge"), "\(recovery.errors)")
            let told = try await rehearsal.mergeOfPlace()
            #expect(watched.end.errors.contains("Shard 1 of 2 is lost"), "\(watched.end.errors)")
            for merge in [watched, told, try await rehearsal.merge()] {
                #expect(merge.end.status == 3, "\(merge.end.output)\(merge.end.errors)")
                let document = try #require(merge.document)
                #expect(document.verdict.exitCode == 3 && document.verdict.outcome != .passed)
                #expect(document.verdict.reasons.contains { $0.contains("shard 1 of 2") }, "\(document.verdict)")
                #expect(document.shards?.map(\.state) == [.ended, .cutOff])
                let shards = try #require(document.shards)
                let sum = document.requests.values.reduce(0) { $0 + $1.count }
                #expect(sum == shards.reduce(0) { $0 + ($1.requests ?? 0) })
                #expect(shards.last?.requests ?? 0 > 0)
            }
            // Its own journal has all that it told; those who follow may lack its last pieces.
            let kept = try #require(try await rehearsal.merge().document?.shards?.last)
            #expect(kept.requests ?? 0 >= lines.last?.requests ?? 0 && kept.recovered?.intervals ?? 0 >= lines.count)
            #expect(try Self.differences(try #require(watched.document), try #require(told.document)) == [])
        }
    }

    /// Shards that wait for the place go on when it is there again, and lose nothing of what was done meanwhile.
    ///
    /// The result is the same, whether the watching command makes it, a shard, or a command afterwards.
    @Test func aServerThatIsKilledAndStartedAgainCostsNothing() async throws {
        try await Self.rehearsing(duration: "20s") { rehearsal, rendezvous in
            let watch = try rehearsal.watch()
            let first = try rehearsal.start(0, ["--merge"])
            try await Self.waits(for: "a shard", of: first) { rendezvous.holds("notes/hello-0") }
            try await rendezvous.kill()
            let second = try rehearsal.start(1, isQuiet: false)
            try await second.wait(for: "a word") { $0.errors.contains("waiting for the others") }
            let silent = "The rendezvous does not answer"
            try await watch.wait(for: "a word") { $0.errors.contains(silent) }
            try await rendezvous.start()
            try await Self.waits(for: "intervals", of: first) {
                try (0..<2).allSatisfy { try !rehearsal.lines(of: $0).isEmpty }
            }
            try await rendezvous.kill()
            let told = try (0..<2).map { try rehearsal.lines(of: $0).count }
            try await Self.waits(for: "intervals", of: first) {
                try (0..<2).allSatisfy { try rehearsal.lines(of: $0).count >= told[$0] + 2 }
            }
            try await watch.wait(for: "a second word") { $0.errors.ranges(of: silent).count >= 2 }
            try await rendezvous.start()
            let ends = try await [first.ended(), second.ended()]
            #expect(ends.map(\.status) == [0, 0], "\(ends.map(\.errors))")
            let watched = try rehearsal.watched(try await watch.ended())
            #expect(watched.end.status == 0, "\(watched.end.output)\(watched.end.errors)")
            // On a busy machine one that is there may not answer in time, either: each silence is said once, and so is its end.
            let silences = watched.end.errors.ranges(of: silent).count
            #expect(silences >= 2, "said once each time: \(watched.end.errors)")
            #expect(watched.end.errors.ranges(of: "The rendezvous answers again").count == silences)
            let document = try #require(watched.document)
            #expect(document.verdict.outcome == .passed && document.viewers["joined"] == 8)
            #expect(document.shards?.map(\.state) == [.ended, .ended])
            let (merged, kept) = (try await rehearsal.merge(), try await rehearsal.mergeOfPlace())
            #expect(merged.end.status == 0 && kept.end.status == 0)
            for other in [merged, kept, try rehearsal.merge(ends[0], in: "results")] {
                #expect(try Self.differences(document, try #require(other.document)) == [])
            }
            #expect(ends[0].output.contains("-merged.json"))
            // The token is where it was put, and nowhere else.
            for end in ends + [watched.end, merged.end, kept.end] {
                #expect(!end.output.contains(ServedRendezvous.token) && !end.errors.contains(ServedRendezvous.token))
            }
            for file in rehearsal.folder.files(in: "") + rendezvous.folder.files(in: "place") {
                let data = try Data(contentsOf: file)
                #expect(data.firstRange(of: Data(ServedRendezvous.token.utf8)) == nil, "\(file.path)")
            }
        }
    }

    @Test(.enabled("a small disk can only be mounted with CAP_SYS_ADMIN") { await SmallDisk.canBeMounted() })
    func aRendezvousWhoseDiskIsFullSaysSo() async throws {
        let rendezvous = try ServedRendezvous()
        try FileManager.default.createDirectory(at: rendezvous.place, withIntermediateDirectories: true)
        let script = "disk=$1; shift; cat /dev/zero >$disk/filler 2>/dev/null; exec \"$@\""
        try await rendezvous.start {
            let server = [try PodswarmExecutable.path()] + rendezvous.arguments
            return try SmallDisk.start(script, ["bash", rendezvous.place.path] + server)
        }
        #expect(try await rendezvous.stopped { try await $0.statusOfPut() } == 507)
    }
}
