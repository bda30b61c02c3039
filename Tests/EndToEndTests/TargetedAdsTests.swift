import Foundation
import RunResult
import TestSupport
import Testing

/// Ads aimed at cohorts, at signed addresses and under paths of sessions: all that is the viewers' own is no finding, and
/// what is wrong is found for exactly those whom it touched.
@Suite struct TargetedAdsTests {
    /// Two cohorts of ten, some of whom ask twice.
    private static let profile = FastProfile(
        target: FastProfile.faulty.target + """
                adTagParameters: {cohort: "{region}"}
                aimBy: cohort
                signing: akamai
                sessionPaths: true
                redirectMultivariant: true
                verificationConflicts: true

            """,
        rest: """
            pods: {match: cohort, ignore: ["/s/*"], repeatShare: 100%}
            """
    )
    private static let labels = ["--set", "audience.traits=[{name: region, values: [north, south]}]"]

    /// One finding with the plan that must bring it about.
    struct Plan: Sendable, CustomTestStringConvertible {
        let code: String
        let faults: String
        /// Viewers, of twenty, that the plan reaches: the choice follows from the seed, so the number is exact.
        let viewers: Int
        /// Breaks, or cohorts of one, in which they are.
        let occurrences: Int

        var testDescription: String { faults }
    }

    static let plans = [
        Plan(
            code: "pod_mismatch",
            faults: "[{fault: pod_mismatch, breaks: [2], share: 30%}]",
            viewers: 6,
            occurrences: 2
        ),
        Plan(
            code: "pod_changed_on_repeat",
            faults: "[{fault: pod_changed_on_repeat, breaks: [2], share: 30%}]",
            viewers: 6,
            occurrences: 1
        ),
        Plan(
            code: "pod_changed_on_repeat",
            faults: "[{fault: pod_changed_on_repeat, signatures: kept, breaks: [2], share: 30%}]",
            viewers: 6,
            occurrences: 1
        ),
        Plan(
            code: "foreign_stream_id",
            faults: "[{fault: foreign_stream_id, piece: path, breaks: [2], share: 30%}]",
            viewers: 6,
            occurrences: 1
        ),
    ]

    @Test(arguments: plans)
    func whatIsWrongIsFoundForExactlyWhomItTouched(plan: Plan) async throws {
        let outcome = try await Rehearsal(Self.profile.yaml, faults: plan.faults).inVirtualTime(Self.labels)
        #expect(outcome.end.status == 1, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [plan.code])
        let finding = try #require(outcome.finding(plan.code))
        #expect(finding.viewers == plan.viewers)
        #expect(finding.occurrences.count == plan.occurrences)
        #expect(finding.occurrences.map(\.viewers).reduce(0, +) == plan.viewers)
        #expect(outcome.document.reconciliation?.agrees == true)
    }

    @Test(arguments: ["akamai", "cloudfront"])
    func whatIsTheViewersOwnIsNoFinding(signing: String) async throws {
        let outcome = try await Rehearsal(Self.profile.yaml, faults: "[]").inVirtualTime(
            Self.labels + ["--set", "target.embedded.signing=\(signing)", "--set", "playback.segments=all"]
        )
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == [])
        #expect(outcome.document.reconciliation?.agrees == true)
        #expect((outcome.document.requests["pod_segment"]?.count ?? 0) > 100)
        #expect(outcome.document.requests["pod_segment"]?.errors == 0)
    }

    /// Otherwise nothing above would be shown.
    @Test(arguments: ["pods.match=all", "pods.ignore=[]"])
    func itWouldBeOneForWhoTakesItForEverybodys(setting: String) async throws {
        let rehearsal = try Rehearsal(Self.profile.yaml, faults: "[]")
        let outcome = try await rehearsal.inVirtualTime(Self.labels + ["--set", setting])
        #expect(outcome.end.status == 1, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.findings == ["pod_mismatch"])
    }
}
