import ExampleRuns
import Foundation
import Results
import Rules
import Testing

@Suite struct FindingAllowanceTests {
    /// Findings of ten viewers: sightings of a code by the first few of them.
    private func totals(of codes: [(code: FindingCode, viewers: Int)], allowed: FindingAllowances = [:]) -> RunTotals {
        var totals = RunTotals { recorder in
            recorder.count(.joined, by: 10)
            for (code, viewers) in codes { for viewer in 0..<viewers { recorder.find(code, viewer: viewer) } }
        }
        totals.allowedFindings = allowed
        return totals
    }

    private func results(of codes: [(code: FindingCode, viewers: Int)], allowed: FindingAllowances) -> [FindingResult] {
        FindingResult.all(totals(of: codes).findings, joined: 10, allowed: allowed)
    }

    private func first(_ severity: Severity) throws -> FindingCode {
        try #require(FindingCode.table.first { $0.severity == severity })
    }

    @Test(arguments: [
        ("any", true), ("3", true), ("2", false), ("0", false), ("30%", true), ("29.9%", false), ("0%", false),
    ]) func moreThanItsAllowanceFailsARun(_ text: String, _ passes: Bool) throws {
        let allowance = try #require(FindingAllowance(rawValue: text))
        for code in [FindingCode.emptyPod, .podChangedOnRepeat] {
            let found = results(of: [(code, 3)], allowed: [code.code: allowance])
            #expect((found.map(\.allowed), found.map(\.allowance)) == ([passes], [text]))
            #expect(RunVerdict.judge(findings: found).outcome == (passes ? .passed : .failed))
        }
    }

    @Test func whatIsExceededIsSaidWithTheLimit() {
        let allowed = ["pod_changed_on_repeat": FindingAllowance.sightings(2)]
        let reasons = RunVerdict.judge(findings: results(of: [(.podChangedOnRepeat, 3)], allowed: allowed)).reasons
        #expect(reasons == ["finding pod_changed_on_repeat, 3 times, by 30% of viewers: more than the allowance of 2"])
    }

    @Test func theAllowanceOfEveryCodeIsForThoseThatAreNotNamedAndNotForAdvice() throws {
        let allowed: FindingAllowances = ["*": .sightings(0), "empty_pod": .any]
        let found = results(of: [(.emptyPod, 2), (.podChangedOnRepeat, 1), (try first(.advice), 4)], allowed: allowed)
        #expect(found.filter(\.failsRun).map(\.code) == ["pod_changed_on_repeat"])
        #expect(found.last?.allowance == nil)
    }

    @Test func withoutAnAllowanceWrongAndBrokenFailAndSuspectDoesNot() throws {
        let found = results(of: [(.emptyPod, 1), (.podChangedOnRepeat, 1), (try first(.suspect), 1)], allowed: [:])
        #expect(found.filter(\.failsRun).map(\.code) == ["empty_pod", "pod_changed_on_repeat"])
        #expect(RunVerdict.judge(findings: results(of: [(try first(.suspect), 1)], allowed: [:])).outcome == .passed)
    }

    @Test(arguments: [("any", 0.0), ("3", 0), ("2", 3)])
    func aThresholdOnAllFindingsCountsWhatIsNotAllowed(_ text: String, _ observed: Double) throws {
        let allowance = ["pod_changed_on_repeat": try #require(FindingAllowance(rawValue: text))]
        let totals = totals(of: [(.podChangedOnRepeat, 3)], allowed: allowance)
        #expect(try ThresholdRule(parsing: "findings.* == 0").evaluate(totals).observed == observed)
        #expect(try ThresholdRule(parsing: "findings.pod_changed_on_repeat == 3").evaluate(totals).passed)
    }

    @Test func adviceCountsNowhereAgainstATarget() throws {
        let advice = try first(.advice)
        let totals = totals(of: [(advice, 2), (.podChangedOnRepeat, 1)])
        let every = try ThresholdRule(parsing: "findings.* <= 1").evaluate(totals)
        #expect(every.passed && every.observed == 1)
        #expect(try ThresholdRule(parsing: "findings.\(advice.code) == 2").evaluate(totals).passed)
    }

    @Test(arguments: [
        ("any", true), ("0", true), ("18446744073709551615", true), ("2%", true), ("0.5%", true), ("33.333333%", true),
        ("100%", true), ("", false), ("some", false), ("-1", false), ("1.5", false), ("101%", false), ("-1%", false),
        ("nan%", false), ("%", false), ("Any", false),
    ]) func textIsReadAsItIsSpelledOrIsNone(_ text: String, _ isRead: Bool) {
        #expect(FindingAllowance(rawValue: text)?.rawValue == (isRead ? text : nil))
    }

    @Test func allowancesAreReadAsTheyAreWritten() throws {
        let written: FindingAllowances = ["empty_pod": .viewers(percent: 2), "*": .sightings(0)]
        #expect(try reread(written) == written)
    }
}

extension RunVerdict {
    /// What findings come to where nothing else is against a run.
    fileprivate static func judge(findings: [FindingResult]) -> RunVerdict {
        judge(
            interrupted: false,
            abortedBy: nil,
            generator: [],
            thresholds: [],
            findings: findings,
            reconciliation: nil
        )
    }
}
