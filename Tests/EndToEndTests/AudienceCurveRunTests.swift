import Foundation
import RunResult
import TestSupport
import Testing

/// Runs whose viewers come and go: asked for and observed, and counted on both ends.
@Suite(.fewAtOnce) struct AudienceCurveRunTests {
    private static func profile(_ curve: String, churn: String = "0%") -> String {
        """
        name: curve
        duration: 10s
        seed: 7
        target: {embedded: {segmentDuration: 1s, adDuration: 1s, metadataPolling: 1s}}
        audience:
          viewers: 60
          churnPerMinute: \(churn)
          traits: [{name: region, values: [north, south]}]
          curve: \(curve)
        playback: {segments: ads}
        breaks: {source: {list: [3s, 6s]}, podDuration: 1s, grace: 1s}
        thresholds: [breaks.count >= 2, breaks.on_time >= 0%]
        """
    }

    private struct Bill: Decodable {
        var curve: PlannedAudience

        private enum CodingKeys: String, CodingKey {
            case curve = "audience_curve"
        }
    }

    /// A run that passed, of which both ends counted the same.
    private static func outcome(_ curve: String, _ rehearsal: Rehearsal) async throws -> Rehearsal.Outcome {
        let outcome = try await rehearsal.inVirtualTime()
        #expect(outcome.end.status == 0, "\(curve): \(outcome.end.errors)")
        let counted = try #require(outcome.document.reconciliation)
        #expect(counted.agrees && counted.connections?.shared == 0, "\(curve): \(counted)")
        return outcome
    }

    private static func viewers(_ document: ResultDocument) throws -> RunDescription.Asked {
        try #require(document.run.asked.first { $0.name == "viewers" })
    }

    /// By default the last step ends with a run as short as this, and a viewer that joins then may come too late.
    @Test(arguments: ["plateau", "steps, join: 1s", "kick-off", "half-time", "breaking-news", "overtime"])
    func everyShapeIsRunAsItIsPlanned(_ words: String) async throws {
        let shape = words.prefix { $0 != "," }
        let document = try await Self.outcome(words, Rehearsal(Self.profile("{shape: \(words)}"))).document
        let asked = try Self.viewers(document)
        #expect(asked.requested == asked.observed)
        let curve = try #require(document.run.audienceCurve)
        #expect(curve.shape == String(shape) && curve.viewers.max() == 60)
    }

    @Test func whoLeavesInABreakComesBackAndAllIsCounted() async throws {
        let curve = """
            {shape: half-time, by: region, offsets: {south: 1s}, \
            leaves: {share: 50%, within: 500ms, returns: 60%, returnsWithin: 500ms}}
            """
        let rehearsal = try Rehearsal(Self.profile(curve, churn: "100%"))
        let outcome = try await Self.outcome(curve, rehearsal)
        let document = outcome.document
        let (asked, joined) = (try Self.viewers(document), document.viewers["joined"] ?? 0)
        // Sixty, those who come back after half-time, and those who come back after breaks.
        #expect(asked.requested ?? 0 > 60 + 20)
        #expect(asked.requested == asked.observed)
        #expect(document.viewers["churned"] ?? 0 > 0)
        #expect(Double(joined) == (asked.observed ?? 0) + Double(document.viewers["churned"] ?? 0))
        #expect(document.viewers["left"] == joined)
        #expect(document.reconciliation?.connections?.viewers ?? 0 > 80)
        #expect(document.requests["registration"]?.count ?? 0 >= joined)
        let printed = outcome.end.output
        #expect(printed.contains("Viewers over time: half-time\n  asked for  "))
        let page = outcome.resultFile.deletingPathExtension().appendingPathExtension("html")
        let html = try String(contentsOf: page, encoding: .utf8)
        #expect(html.contains("Viewers over the run, asked for and observed"))
        let shown = try await PodswarmExecutable.run(["plan", rehearsal.profile, "--json"])
        let bill = try JSONDecoder().decode(Bill.self, from: Data(shown.output.utf8))
        #expect(bill.curve == document.run.audienceCurve)
    }

    /// Each shard has its own part of one plan.
    @Test func shardsPlanWhatOneProcessPlans() async throws {
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            let curve = "{points: [{at: 0s, share: 0%}, {at: 1s, share: 1}, {at: 3s, share: 40%}, {at: 4s, share: 1}]}"
            let yaml = ShardProfile.short(origin: origin.url, duration: "12s").yaml
                .replacing("{viewers: 8, ramp: 1s}", with: "{viewers: 30, curve: \(curve)}")
            let whole = try await Rehearsal(yaml).run(["--quiet", "--no-report"]).document
            let rehearsal = try ShardedRehearsal(yaml, shards: 2)
            let ends = try await rehearsal.run()
            #expect(ends.allSatisfy { $0.status == 0 }, "\(ends.map(\.errors))")
            let merged = try #require(try await rehearsal.merge().document)
            #expect(try Self.viewers(whole).requested == 48)
            #expect(try Self.viewers(merged).requested == 48)
            #expect(merged.viewers["joined"] == 48 && whole.viewers["joined"] == 48)
            #expect(merged.run.audienceCurve == whole.run.audienceCurve)
            #expect(merged.run.audienceCurve?.viewers.max() == 30)
        }
    }
}
