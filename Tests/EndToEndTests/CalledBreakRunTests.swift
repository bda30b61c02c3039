import Foundation
import JSON
import RunResult
import TestSupport
import Testing

/// Breaks that somebody calls for while a run goes.
@Suite(.fewAtOnce) struct CalledBreakRunTests {
    /// What the origin counted.
    private struct Truth: Decodable {
        struct Break: Decodable {
            var lengths: [String: Int]
            var splices: [String: Int]
        }

        var breaks: [String: Break]
    }

    private static let limit = Duration.seconds(120)
    private static let token = "Hush-4f1c9d27e8"

    private static func profile(_ source: String) -> String {
        var profile = FastProfile.embedded
        // Time for two calls, each of which waits for what came before it.
        profile.duration = "40s"
        return profile.yaml.replacing(
            "source: {every: 5s}",
            with: "source: \(source)\n  identifierTemplate: \"{id}\""
        )
    }

    /// The address that a run invites to, once it does.
    private static func address(of run: ChildProcess) async throws -> String {
        try await run.wait(for: "an invitation", within: limit) { $0.errors.contains("Breaks are called for by") }
        let words = run.errors.split { $0.isWhitespace || $0 == "," }
        let address = try #require(words.first { $0.hasPrefix("http://127.0.0.1:") && $0.contains("/breaks") })
        // It may end the sentence.
        return String(address.hasSuffix(".") ? address.dropLast() : address)
    }

    /// What curl says of a call: the answer and its status.
    private static func curl(_ address: String, _ body: String, token: String = token) async throws -> String {
        let curl = try InstalledProgram("curl").path
        let fields = ["-H", "Authorization: Bearer \(token)", "-w", " %{http_code}"]
        let end = try await ChildProcess.run(curl, ["-sS", "-d", body] + fields + [address], limit: limit)
        #expect(end.status == 0, "\(end.errors)")
        return end.output
    }

    @Test func aWebhookAndALineOfStandardInputStartBreaksForAll() async throws {
        let source = "{trigger: {http: '127.0.0.1:0', token: '${CALLS}', standardInput: true}}"
        let rehearsal = try Rehearsal(Self.profile(source))
        let truth = rehearsal.folder.url.appending(path: "truth.json")
        let run = try rehearsal.start(
            ["--intervals", rehearsal.intervalsFile, "--origin-truth", truth.path],
            environment: ["CALLS": Self.token]
        )
        let address = try await Self.address(of: run)
        try await run.wait(for: "everybody's playlist", within: Self.limit) { _ in
            try rehearsal.intervalLines.contains { $0.requests >= UInt64(FastProfile.viewers * 6) }
        }
        #expect(try await Self.curl(address, "", token: "none").hasSuffix(" 401"))
        #expect(try await Self.curl(address, "soon").hasSuffix(" 400"))
        let first = #"{"in_ms": 5000, "duration_ms": 4000, "scte35": "/DAl+A==", "id": "goal"}"#
        let taken = try await Self.curl(address, first)
        #expect(taken.hasSuffix(" 202") && taken.contains(#""id":"goal""#), "\(taken)")
        #expect(try await Self.curl(address, first).hasSuffix(" 409"))
        try await run.wait(for: "the first break of everybody", within: Self.limit) { _ in
            try rehearsal.intervalLines.contains { $0.due >= UInt64(FastProfile.viewers) }
        }
        // The viewers are in the ads of the first one for some seconds more.
        try run.write(#"{"in_ms": 8000, "duration_ms": 3000, "scte35": "00", "id": "var"}"# + "\n")
        try await run.wait(for: "the second break of everybody", within: Self.limit) { _ in
            try rehearsal.intervalLines.contains { $0.due >= UInt64(2 * FastProfile.viewers) }
        }
        let outcome = try rehearsal.outcome(of: try await run.ended(within: Self.limit))
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        let document = outcome.document
        #expect(document.reconciliation?.agrees == true)
        #expect(document.breaks.each.map(\.durationMilliseconds) == [4_000, 3_000])
        #expect(document.breaks.each.map(\.due) == [20, 20])
        #expect(document.notes?.contains("2 breaks called for while the run went; 2 calls refused.") == true)
        let counted = try JSONDecoder().decode(Truth.self, from: Data(contentsOf: truth)).breaks
        #expect(Set(counted.keys) == ["ad_break_id/goal", "ad_break_id/var"])
        #expect(counted["ad_break_id/goal"]?.lengths == ["4000": FastProfile.viewers])
        #expect(counted["ad_break_id/goal"]?.splices == ["/DAl+A==": FastProfile.viewers])
        #expect(counted["ad_break_id/var"]?.lengths == ["3000": FastProfile.viewers])
        #expect(counted["ad_break_id/var"]?.splices == ["00": FastProfile.viewers])
        // The token came from the environment.
        #expect(!"\(outcome.end.output)\(outcome.end.errors)".contains(Self.token))
    }

    /// The first shard is called, and the viewers of both have the break.
    @Test func aCallOfTheFirstShardStartsABreakForAll() async throws {
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            let profile = ShardProfile(origin: origin.url, duration: "40s", viewers: 20, repeatShare: "0%").yaml
                .replacing(
                    "source: {list: [2s, 6s]}",
                    with: "source: {trigger: {http: '127.0.0.1:0', token: '${CALLS}'}}\n  identifierTemplate: \"{id}\""
                )
            let rehearsal = try ShardedRehearsal(profile, shards: 2)
            let shards = try (0..<2).map {
                try rehearsal.start($0, environment: ["CALLS": Self.token], isQuiet: false)
            }
            let address = try await Self.address(of: shards[0])
            try await shards[1].wait(for: "where to call", within: Self.limit) {
                $0.errors.contains("Breaks are called for at the first shard.")
            }
            try await shards[0].wait(for: "everybody", within: Self.limit) { _ in
                try (0..<2).allSatisfy { index in
                    try rehearsal.lines(of: index).contains { $0.requests >= UInt64(6 * 10) }
                }
            }
            #expect(try await Self.curl(address, #"{"in_ms": 900}"#).hasSuffix(" 422"))
            let call = #"{"in_ms": 10000, "duration_ms": 3000, "scte35": "/DAl+A==", "id": "goal"}"#
            let taken = try await Self.curl(address, call)
            #expect(taken.hasSuffix(" 202") && taken.contains(#""id":"goal""#), "\(taken)")
            var ends: [ChildProcess.End] = []
            for shard in shards { ends.append(try await shard.ended(within: Self.limit)) }
            #expect(ends.map(\.status) == [0, 0], "\(ends.map(\.errors))")
            let merge = try await rehearsal.merge()
            let document = try #require(merge.document)
            #expect(document.breaks.each.map(\.due) == [20])
            #expect(document.breaks.each.map(\.durationMilliseconds) == [3_000])
            let notes = try (0..<2).map { index in
                let file = try #require(rehearsal.resultFile(of: index))
                return try ResultDocument(json: Data(contentsOf: file)).notes ?? []
            }
            #expect(notes[0].contains("1 break called for while the run went; 1 call refused."), "\(notes)")
            #expect(notes[1].contains("1 break called for at the first shard while the run went."), "\(notes)")
            let truth = try JSONDecoder().decode(Truth.self, from: try await origin.truthDocument()).breaks
            #expect(truth["ad_break_id/goal"]?.lengths == ["3000": 20])
            #expect(truth["ad_break_id/goal"]?.splices == ["/DAl+A==": 20])
        }
    }

    @Test func aFileThatLinesAreAppendedToAndAListGoTogether() async throws {
        let rehearsal = try Rehearsal(
            Self.profile("[{list: [{at: 30s, duration: 1s}]}, {trigger: {file: calls}}]")
        )
        let calls = try rehearsal.folder.write("1s\n", to: "calls")
        let run = try rehearsal.start(["--intervals", rehearsal.intervalsFile])
        try await run.wait(for: "an invitation", within: Self.limit) { $0.errors.contains("a line on \(calls)") }
        try await run.wait(for: "everybody's playlist", within: Self.limit) { _ in
            try rehearsal.intervalLines.contains { $0.requests >= UInt64(FastProfile.viewers * 6) }
        }
        let writer = try #require(FileHandle(forWritingAtPath: calls))
        defer { try? writer.close() }
        try writer.seekToEnd()
        try writer.write(contentsOf: Data("1s\n{\"in_ms\": 600000}\n".utf8))
        let outcome = try rehearsal.outcome(of: try await run.ended(within: Self.limit))
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.document.breaks.each.map(\.durationMilliseconds) == [1_000, 1_000])
        #expect(outcome.document.breaks.each.map(\.due) == [20, 20])
        #expect(outcome.end.errors.contains("is refused: the run is over before the break begins."))
    }
}
