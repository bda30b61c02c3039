import Foundation
import Rulebook
import RunResult
import TestSupport
import Testing

/// A result that a real run wrote can be read without podswarm.
@Suite(.fewAtOnce) struct ResultInteroperabilityTests {
    private struct Decoded: Codable {
        var path: String
        var count: UInt64
        var minimum: Int64
        var maximum: Int64
        var percentiles: [Int64]
    }

    private static let histograms = """
        import json, sys
        from hdrh.histogram import HdrHistogram
        with open(sys.argv[1]) as file: document = json.load(file)
        out = []
        for kind, request in document["requests"].items():
            for metric, latency in request["latencies"].items():
                assert latency["histogram"]["encoding"] == "HdrHistogram-V2-compressed-base64"
                h = HdrHistogram.decode(latency["histogram"]["data"])
                out.append({"path": kind + "." + metric, "count": h.get_total_count(),
                            "minimum": h.get_min_value(), "maximum": h.get_max_value(),
                            "percentiles": [h.get_value_at_percentile(p) for p in (50, 90, 95, 99, 99.9)]})
        print(json.dumps(out))
        """

    /// What the schema that `podswarm result schema` prints has against a result; empty when nothing.
    static func complaints(about file: URL) async throws -> String {
        try await PrintedSchema.complaints(about: Data(contentsOf: file))
    }

    @Test func otherProgramsReadACleanRunAsPodswarmDoes() async throws {
        let rehearsal = try Rehearsal(FastProfile.embedded.yaml)
        let outcome = try await rehearsal.inVirtualTime(["--label", "release=1.4.2"])
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        #expect(try await Self.complaints(about: outcome.resultFile) == "")
        #expect(outcome.resultFile.lastPathComponent.hasSuffix("Z-release=1.4.2.json") == false)
        #expect(outcome.resultFile.lastPathComponent.hasSuffix("Z-1.4.2.json"))
        try await expectEqualHistograms(outcome)
        try expectHonestCounts(outcome)

        let shown = try await PodswarmExecutable.run(["result", "show", outcome.resultFile.path])
        #expect(shown.status == 0)
        let line = try #require(outcome.end.output.split(separator: "\n").first { $0.contains("Breaks on time") })
        #expect(shown.output.contains(line))
    }

    private func expectEqualHistograms(_ outcome: Rehearsal.Outcome) async throws {
        let output = try await ExternalTool.python(Self.histograms, [outcome.resultFile.path])
        let decoded = try JSONDecoder().decode([Decoded].self, from: output)
        #expect(decoded.count >= 20)
        for theirs in decoded {
            let parts = theirs.path.split(separator: ".").map(String.init)
            let ours = try #require(outcome.document.requests[parts[0]]?.latencies[parts[1]])
            let percentiles = [
                ours.p50Microseconds, ours.p90Microseconds, ours.p95Microseconds, ours.p99Microseconds,
                ours.p999Microseconds,
            ]
            #expect(theirs.count == ours.count, "\(theirs.path)")
            #expect(theirs.minimum == ours.histogram.minimumMicroseconds, "\(theirs.path)")
            #expect(theirs.maximum == ours.histogram.maximumMicroseconds, "\(theirs.path)")
            #expect(theirs.percentiles == percentiles, "\(theirs.path)")
        }
    }

    /// Client and origin agree, and every viewer kept to connections of its own.
    private func expectHonestCounts(_ outcome: Rehearsal.Outcome) throws {
        let document = outcome.document
        let reconciliation = try #require(document.reconciliation)
        #expect(reconciliation.agrees)
        for row in reconciliation.rows {
            #expect(row.clientAnswered == row.originReceived, "\(row.kind)")
            #expect(row.clientUnanswered == 0, "\(row.kind)")
        }
        let asked = reconciliation.rows.filter { $0.originReceived > 0 }.map(\.kind)
        #expect(
            Set(asked) == [
                "registration", "multivariant", "playlist", "pod_manifest", "pod_playlist", "metadata", "verification",
            ]
        )
        for (kind, request) in document.requests {
            let lateness = request.latencies["lateness"]
            #expect((lateness?.count ?? 0) + (lateness?.outOfRange ?? 0) == request.count, "\(kind)")
            #expect(request.carried == ["exchange": request.count, "curl": 0], "\(kind)")
        }
        let sends = document.breaks.each.reduce(0) { $0 + ($1.sendLateness?.count ?? 0) }
        #expect(sends == document.requests["pod_manifest"]?.count)
        let connections = try #require(reconciliation.connections)
        #expect(connections.viewers == FastProfile.viewers)
        #expect(connections.total >= FastProfile.viewers)
        #expect(connections.shared == 0)
        #expect(document.breaks.count >= 2)
        let late = document.breaks.each.reduce(0) { $0 + $1.late }
        #expect(document.breaks.due == document.breaks.onTime + (outcome.isCalm ? 0 : late))
    }
}
