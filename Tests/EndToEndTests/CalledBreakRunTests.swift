import Foundation
import Results
import TestSupport
import Testing
import Values

/// Breaks that are called for while several shards run; those of one process are transcripts.
///
/// Over sockets, because the caller and the shards are other processes.
@Suite(.fewWaiting) struct CalledBreakRunTests {
    private static let token = "Hush-4f1c9d27e8"

    private static func call(_ address: String, _ body: String) async throws -> String {
        let fields = ["-H", "Authorization: Bearer \(token)", "-w", " %{http_code}"]
        let curl = try InstalledProgram("curl").path
        return try await ChildProcess.run(curl, ["-sS", "-d", body] + fields + [address]).output
    }

    /// The first shard is called, and the viewers of both have the break.
    @Test func aCallOfTheFirstShardStartsABreakForAll() async throws {
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            let source = "{trigger: {http: '127.0.0.1:0', token: '${CALLS}'}}\n  identifierTemplate: \"{id}\""
            let profile = ShardProfile(origin: origin.url, duration: "36s", viewers: 20, repeatShare: "0%").yaml
                .replacing("source: {list: [2s, 6s]}", with: "source: \(source)")
            let rehearsal = try ShardedRehearsal(profile, shards: 2)
            let shards = try (0..<2).map { try rehearsal.start($0, environment: ["CALLS": Self.token], isQuiet: false) }
            try await shards[0].wait(for: "an invitation") { $0.errors.contains("Breaks are called for by") }
            let address = try #require(shards[0].errors.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+\/breaks[^ ,.]*/))
            try await shards[1].wait(for: "where to call") {
                $0.errors.contains("Breaks are called for at the first shard.")
            }
            try await shards[0].wait(for: "everybody") { _ in
                try (0..<2).allSatisfy { try rehearsal.lines(of: $0).contains { $0.requests >= 60 } }
            }
            let url = String(address.output)
            #expect(try await Self.call(url, #"{"in_ms": 900}"#).hasSuffix(" 422"))
            let goal = #"{"in_ms": 8000, "duration_ms": 3000, "scte35": "/DAl+A==", "id": "goal"}"#
            #expect(try await Self.call(url, goal).hasSuffix(" 202"))
            for shard in shards {
                let end = try await shard.ended()
                #expect(end.status == 0, "\(end.errors)")
            }
            let document = try #require(try await rehearsal.merge().document)
            #expect(document.breaks.each.map(\.due) == [20])
            #expect(document.breaks.each.map(\.durationMilliseconds) == [3_000])
            let notes = try (0..<2).map { index in
                try ResultDocument(json: Data(contentsOf: #require(rehearsal.resultFile(of: index)))).notes ?? []
            }
            #expect(notes[0].contains("1 break called for while the run went; 1 call refused."), "\(notes)")
            #expect(notes[1].contains("1 break called for at the first shard while the run went."), "\(notes)")
            let truth = try JSONSerialization.jsonObject(with: try await origin.truthDocument())
            let goals = "breaks.ad_break_id/goal"
            #expect(JSONExpectation.value(at: "\(goals).lengths", in: truth) as? [String: Int] == ["3000": 20])
            #expect(JSONExpectation.value(at: "\(goals).splices", in: truth) as? [String: Int] == ["/DAl+A==": 20])
        }
    }
}
