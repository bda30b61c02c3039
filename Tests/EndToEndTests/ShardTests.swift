import Foundation
import Results
import TestSupport
import Testing

/// Shards as processes: what they come to together.
///
/// Over sockets, because shards are processes that meet.
@Suite(.fewWaiting) struct ShardTests {
    /// One side of a comparison: its results, the merged or only one first.
    private struct Side: Sendable {
        let status: Int32
        let document: ResultDocument
        let files: [URL]
        /// Keeps the files.
        let folder: TemporaryFolder

        /// How often each kind was asked for, and with what outcomes; pings with those that came to be known too late.
        var requests: [String: [String: UInt64]] {
            document.requests.mapValues { $0.outcomes.merging(["all": $0.count, "errors": $0.errors]) { $1 } }
                .merging(["verification": ["all": pings + viewerCount("pings_lost")]]) { $1 }
        }

        var pings: UInt64 { document.requests["verification"]?.count ?? 0 }

        func viewerCount(_ counter: String) -> UInt64 { document.viewers[counter] ?? 0 }

        /// Without what depends on who of a process reads a body first, on how late a viewer has its pod, and on whether a
        /// poll comes just before a new version or just after it.
        var viewers: [String: UInt64] {
            document.viewers.filter { counter, _ in
                !counter.hasPrefix("bodies_") && !counter.hasPrefix("pings_") && !counter.hasSuffix("_ms")
                    && counter != "unchanged_polls"
            }
        }

        var breaks: [[String: UInt64]] {
            document.breaks.each.map { record in
                var counts = record.failed.merging(record.skipped) { $1 }
                counts["due"] = record.due
                counts["requests"] = record.requests
                counts["on_time"] = record.onTime
                counts["compared"] = record.compared
                counts["differing"] = record.differing
                return counts
            }
        }

        /// Codes of what the target did.
        var findings: [String] { document.findings.map(\.code).filter { !StarvedMachine.findings.contains($0) } }
    }

    private static func whole(_ profile: ShardProfile) async throws -> Side {
        let rehearsal = try Rehearsal(profile.yaml)
        let outcome = try await rehearsal.run(["--quiet", "--no-report"])
        let files = [outcome.resultFile]
        return Side(status: outcome.end.status, document: outcome.document, files: files, folder: rehearsal.folder)
    }

    private static func shards(_ profile: ShardProfile, against origin: RunningOrigin) async throws -> Side {
        let rehearsal = try ShardedRehearsal(profile.yaml, shards: 4)
        let ends = try await rehearsal.run()
        #expect(ends.allSatisfy { [0, 1].contains($0.status) }, "\(ends.map(\.errors))")
        let truth = try rehearsal.folder.write(try await origin.truthDocument(), to: "truth.json")
        let merge = try await rehearsal.merge(["--origin-truth", truth])
        let files = [try #require(merge.file)] + (0..<4).compactMap(rehearsal.resultFile)
        let document = try #require(merge.document)
        #expect(try await Self.statusWithOneMore(rehearsal, than: truth) == 70)
        return Side(status: merge.end.status, document: document, files: files, folder: rehearsal.folder)
    }

    /// How a merge ends where the origin says that it received a playlist request more than it did.
    private static func statusWithOneMore(_ rehearsal: ShardedRehearsal, than file: String) async throws -> Int32 {
        let said = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file)))
        var truth = try #require(said as? [String: Any])
        var requests = try #require(truth["requests"] as? [String: [String: Any]])
        let received = try #require(requests["playlist"]?["received"] as? Int)
        requests["playlist"]?["received"] = received + 1
        truth["requests"] = requests
        let text = String(decoding: try JSONSerialization.data(withJSONObject: truth), as: UTF8.self)
        let oneMore = try rehearsal.folder.write(text, to: "one-more.json")
        return try await rehearsal.merge(["--origin-truth", oneMore]).end.status
    }

    @Test func fourShardsDoWhatOneProcessDoes() async throws {
        async let alone = RunningOrigin.serving(ShardProfile.originArguments) { origin in
            try await Self.whole(ShardProfile(origin: origin.url))
        }
        async let together = RunningOrigin.serving(ShardProfile.originArguments) { origin in
            try await Self.shards(ShardProfile(origin: origin.url), against: origin)
        }
        let (whole, shards) = try await (alone, together)
        #expect(whole.status == 0 && shards.status == 0)
        #expect(shards.breaks.count == 2 && shards.document.viewers["joined"] == 40)
        #expect(shards.findings == [] && whole.findings == [])
        #expect(shards.document.shards?.map(\.viewers) == [10, 10, 10, 10])
        // Each shard looks whether the channel is there before it begins.
        let counted = try #require(shards.document.reconciliation)
        #expect(counted.agrees && counted.connections?.shared ?? 0 == 0, "\(counted)")
        #expect(counted.rows.first { $0.kind == "multivariant" }?.originReceived == 44)
        #expect(counted.rows.first { $0.kind == "verification" }?.originReceived == shards.pings)
        #expect(shards.pings == shards.viewerCount("pings_sent"))
        let sums = try await ForeignScript.read("sums", shards.files.map(\.path))
        #expect(String(decoding: sums, as: UTF8.self) == "ok\n")
        for kind in ["registration", "multivariant"] {
            #expect(shards.requests[kind]?["all"] == 40 && shards.requests[kind] == whole.requests[kind])
        }
        // On a busy machine the one asks for less than the other before it ends.
        guard whole.document.isCalm, shards.document.isCalm else { return }
        #expect(shards.requests == whole.requests && shards.requests["verification"]?["all"] == 800)
        #expect(shards.viewers == whole.viewers)
        #expect(shards.breaks == whole.breaks)
    }
}
