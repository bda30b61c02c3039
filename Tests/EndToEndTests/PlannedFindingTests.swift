import Foundation
import RunResult
import TestSupport
import Testing

/// Every fault that the origin can plan is found where it was planned, and nothing else is.
@Suite struct PlannedFindingTests {
    /// One finding with the plan that must bring it about.
    struct Plan: Sendable, CustomTestStringConvertible {
        let code: String
        let faults: String
        /// Viewers, of twenty, that the plan reaches: the choice follows from the seed, so the number is exact.
        let viewers: Int
        /// False for a finding that is not of any break.
        var isOfBreak = true
        var more: [String] = []
        /// What such viewers' break comes to.
        var failure: String?

        var testDescription: String { code }
    }

    static let plans = [
        Plan(code: "pod_mismatch", faults: "[{fault: pod_mismatch, breaks: [2], share: 50%}]", viewers: 10),
        Plan(
            code: "pod_changed_on_repeat",
            faults: "[{fault: pod_changed_on_repeat, breaks: [2], share: 50%}]",
            viewers: 10,
            more: ["--set", "pods.repeatShare=100%"]
        ),
        Plan(code: "foreign_stream_id", faults: "[{fault: foreign_stream_id, breaks: [2], share: 50%}]", viewers: 10),
        Plan(
            code: "empty_pod",
            faults: "[{fault: empty_pod, breaks: [2], share: 50%}]",
            viewers: 10,
            failure: "pod_empty"
        ),
        // All of them: a pod of another length for some would rightly be a mismatch as well.
        Plan(code: "pod_underfilled", faults: "[{fault: pod_underfilled, breaks: [2], shift: -1s}]", viewers: 20),
        Plan(
            code: "not_a_playlist",
            faults: "[{fault: not_a_playlist, breaks: [2], share: 50%}]",
            viewers: 10,
            failure: "not_a_playlist"
        ),
        Plan(
            code: "pod_unavailable",
            faults: "[{fault: pod_unavailable, breaks: [2], share: 50%}]",
            viewers: 10,
            failure: "pod_manifest_failed"
        ),
        Plan(
            code: "registration_without_stream_id",
            faults: "[{fault: registration_without_stream_id, share: 25%}]",
            viewers: 4,
            isOfBreak: false
        ),
        ofAnswers("content_length_invalid"),
        ofAnswers("content_length_with_transfer_coding"),
        ofAnswers("partial_content_unasked"),
    ]

    /// What is wrong with answers as such, and costs nobody a break.
    private static func ofAnswers(_ code: String) -> Plan {
        Plan(code: code, faults: "[{fault: \(code), breaks: [2], share: 50%, kinds: [pod_playlist]}]", viewers: 10)
    }

    @Test(arguments: plans) func aPlannedFaultIsFoundThereAndOnlyThere(plan: Plan) async throws {
        let outcome = try await Rehearsal(FastProfile.faulty.yaml, faults: plan.faults).inVirtualTime(plan.more)
        #expect(outcome.end.status == 1, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [plan.code])
        let finding = try #require(outcome.finding(plan.code))
        #expect(finding.viewers == plan.viewers)
        #expect(finding.viewersPercent == Double(plan.viewers) * 100 / Double(FastProfile.viewers))
        #expect(finding.occurrences.count == 1)
        let occurrence = try #require(finding.occurrences.first)
        #expect(occurrence.viewers == plan.viewers)
        #expect(outcome.document.reconciliation?.agrees == true)
        #expect(outcome.end.output.contains(plan.code))
        guard plan.isOfBreak else {
            #expect(occurrence.breakKey == nil)
            #expect(outcome.document.viewers["registration_failed"] == UInt64(plan.viewers))
            return
        }
        let record = try #require(outcome.document.breaks.each.first { $0.key == occurrence.breakKey })
        #expect(record.due == UInt64(FastProfile.viewers))
        #expect(record.failed == plan.failure.map { [$0: UInt64(plan.viewers)] } ?? [:])
    }

    @Test func aCleanOriginYieldsNoFinding() async throws {
        let outcome = try await Rehearsal(FastProfile.faulty.yaml, faults: "[]").inVirtualTime([
            "--set", "pods.repeatShare=100%", "--set", "playback.segments=all",
        ])
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        #expect(outcome.document.requests["segment"]?.errors == 0)
        #expect((outcome.document.requests["segment"]?.count ?? 0) > 100)
        #expect((outcome.document.requests["pod_segment"]?.count ?? 0) > 100)
    }

    @Test func aFindingThatTheProfileAllowsDoesNotFailTheRun() async throws {
        let allowed = "allowFindings: {foreign_stream_id: any, "
        let yaml = FastProfile.faulty.yaml.replacing("allowFindings: {", with: allowed)
        let outcome = try await Rehearsal(yaml, faults: "[{fault: foreign_stream_id, breaks: [2]}]").inVirtualTime()
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.finding("foreign_stream_id")?.allowed == true)
        #expect(outcome.finding("foreign_stream_id")?.viewers == FastProfile.viewers)
    }
}
