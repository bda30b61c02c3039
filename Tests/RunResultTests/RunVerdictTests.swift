import ExampleRuns
import Rules
import Testing

@testable import Results

@Suite struct RunVerdictTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var interrupted = false
        var aborted = false
        var limited = false
        var thresholdFailed = false
        var undecided = false
        var brokenFinding = false
        var allowed = false
        var differs = false
        var outcome: RunVerdict.Outcome
        var exitCode: Int
        var testDescription: String { "\(outcome.rawValue) \(exitCode)" }
    }

    @Test(arguments: [
        Case(outcome: .passed, exitCode: 0),
        Case(thresholdFailed: true, outcome: .failed, exitCode: 1),
        Case(aborted: true, outcome: .failed, exitCode: 1),
        Case(undecided: true, outcome: .undecided, exitCode: 3),
        Case(aborted: true, undecided: true, outcome: .failed, exitCode: 1),
        Case(brokenFinding: true, outcome: .failed, exitCode: 1),
        Case(brokenFinding: true, allowed: true, outcome: .passed, exitCode: 0),
        Case(limited: true, outcome: .clientLimited, exitCode: 3),
        Case(limited: true, thresholdFailed: true, outcome: .clientLimited, exitCode: 3),
        Case(interrupted: true, thresholdFailed: true, outcome: .interrupted, exitCode: 130),
        Case(interrupted: true, limited: true, outcome: .interrupted, exitCode: 130),
        Case(differs: true, outcome: .defect, exitCode: 70),
        Case(interrupted: true, limited: true, brokenFinding: true, differs: true, outcome: .defect, exitCode: 70),
    ]) func theGravestReasonDecides(_ example: Case) {
        let totals = RunTotals { if example.brokenFinding { $0.find(.emptyPod) } }
        let allowed: FindingAllowances = example.allowed ? ["empty_pod": .any] : [:]
        let threshold = ThresholdResult(
            text: "playlist.errors < 1%",
            metric: "playlist.errors",
            comparison: "<",
            limit: 1,
            unit: .percent,
            observed: example.undecided ? nil : 2,
            passed: !example.thresholdFailed && !example.undecided,
            isUndecided: example.undecided ? true : nil
        )
        let verdict = RunVerdict.judge(
            interrupted: example.interrupted,
            abortedBy: example.aborted ? "all.errors > 50%" : nil,
            generator: example.limited ? ["slow"] : [],
            thresholds: [threshold],
            findings: FindingResult.all(totals.findings, joined: 1, allowed: allowed),
            reconciliation: Reconciliation(totals: totals, originReceived: ["playlist": example.differs ? 1 : 0])
        )
        #expect((verdict.outcome, verdict.exitCode) == (example.outcome, example.exitCode))
        #expect(verdict.reasons.isEmpty == (example.outcome == .passed))
    }
}
