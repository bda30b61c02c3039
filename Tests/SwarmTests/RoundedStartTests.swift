import LoadProfile
import Recording
import Rulebook
import RunResult
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Redundant packagers round the start of one break apart: that is one break, and further apart it is not.
@Suite struct RoundedStartTests {
    /// What one viewer or several are told, and what comes of it.
    private struct Outcome {
        var codes: [String]
        var identifiers: [String]
    }

    /// Four segments of two seconds, with a break that starts so long after the run does.
    private static func playlist(first: Int, startMilliseconds: Int64) -> String {
        let tag = AnswerBody.breakTag(at: Double(startMilliseconds) / 1000, id: "break")
        return AnswerBody.media(first, 4, header: tag, date: Double(first * 2 - 10))
    }

    /// Each viewer polls as often as it has starts, in milliseconds, and then asks for its pod.
    private static func outcome(of starts: [[Int64]], tolerance: Duration) -> Outcome {
        let plan = LoadPlan.forTests {
            $0.breaks.source = .dateRange(classAttribute: nil)
            $0.breaks.announcementTolerance = tolerance
        }
        let crowd = ScriptedCrowd(plan, viewers: starts.count)
        crowd.join()
        for poll in starts[0].indices {
            crowd.answerAll { request in
                guard request.role == .playlist else {
                    return request.role == .metadata ? nil : .init(body: AnswerBody.ordinary(request, version: 1))
                }
                return .init(body: playlist(first: poll + 2, startMilliseconds: starts[request.viewer][poll]))
            }
            crowd.advance(seconds: 2)
        }
        crowd.advance(seconds: 20)
        while crowd.count(.podManifest) > 0 { crowd.answer(.podManifest, AnswerBody.pod([10])) }
        let totals = crowd.crowd.totals()
        let microseconds = tolerance / .microseconds(1)
        let findings = RunTotals(merging: [totals], announcementTolerance: Int64(microseconds)).findings
        return Outcome(
            codes: findings.map(\.code.code).filter { $0.hasPrefix("break_") || $0.hasPrefix("date_range_") }.sorted(),
            identifiers: totals.breaks.flatMap(\.pods.identifiers.keys).sorted()
        )
    }

    private static let name = "ad_break_id/break-17952912"

    @Test(
        arguments: [
            // On both sides of a whole second: one name.
            ([[9_990], [10_010]], ["10"], []),
            ([[9_990], [10_010], [10_000]], ["10"], []),
            // On both sides of the half of one: two names, that nobody but rounding made.
            ([[10_490], [10_510]], ["10", "11"], []),
            ([[10_479], [10_521]], ["10", "11"], []),
            ([[10_478], [10_521]], ["10", "11"], ["break_identifier_split", "break_start_differs"]),
            ([[10_000], [13_000]], ["10", "13"], ["break_identifier_split", "break_start_differs"]),
        ] as [([[Int64]], [String], [String])]
    )
    func viewersOfTwoPackagersAreOneAudience(starts: [[Int64]], names: [String], codes: [String]) {
        let outcome = Self.outcome(of: starts, tolerance: .milliseconds(42))
        #expect(outcome.codes == codes)
        #expect(outcome.identifiers == names.map { Self.name + $0 })
    }

    @Test(
        arguments: [
            ([10_000, 10_010, 10_000, 10_010], 42, []), ([10_000, 10_042], 42, []),
            ([10_000, 10_043], 42, ["date_range_changed"]), ([10_000, 10_010], 0, ["date_range_changed"]),
            ([10_000, 10_500], 1_000, []),
        ] as [([Int64], Int64, [String])]
    )
    func aViewerThatMeetsBothPackagersSeesNoChange(starts: [Int64], tolerance: Int64, codes: [String]) {
        let outcome = Self.outcome(of: [starts], tolerance: .milliseconds(tolerance))
        #expect(outcome.codes == codes)
    }
}
