import Foundation
import Recording
import Rulebook
import RunResult
import Testing
import Thresholds

@Suite struct FindingAllowanceTests {
    /// Findings of ten viewers: sightings of a code by the first few of them.
    private func results(
        of codes: [(code: FindingCode, viewers: Int)],
        allowed: FindingAllowances
    ) -> [FindingResult] {
        let recorder = LoopRecorder()
        recorder.count(.joined, by: 10)
        for (code, viewers) in codes {
            for viewer in 0..<viewers {
                recorder.finding(
                    code,
                    viewer: viewer,
                    breakSlot: -1,
                    wallMicroseconds: 1,
                    evidence: Evidence(url: "", expected: "", observed: "")
                )
            }
        }
        return FindingResult.all(RunTotals(merging: [recorder.finish()]).findings, joined: 10, allowed: allowed)
    }

    private func verdict(_ findings: [FindingResult]) -> RunVerdict {
        RunVerdict.judge(
            interrupted: false,
            abortedBy: nil,
            generator: .withinBudget,
            thresholds: [],
            findings: findings,
            reconciliation: nil
        )
    }

    @Test(
        arguments: [
            ("any", true), ("3", true), ("2", false), ("0", false), ("30%", true), ("29.9%", false), ("0%", false),
        ]
    )
    func moreThanItsAllowanceFailsARun(_ text: String, _ passes: Bool) throws {
        let allowance = try #require(FindingAllowance(text))
        for code in [FindingCode.emptyPod, .podChangedOnRepeat] {
            let found = results(of: [(code, 3)], allowed: FindingAllowances([code.code: allowance]))
            #expect(found.map(\.allowed) == [passes])
            #expect(found.map(\.allowance) == [text])
            #expect(verdict(found).outcome == (passes ? .passed : .failed))
        }
    }

    @Test func whatIsExceededIsSaidWithTheLimit() {
        let found = results(
            of: [(.podChangedOnRepeat, 3)],
            allowed: FindingAllowances(["pod_changed_on_repeat": .sightings(2)])
        )
        #expect(
            verdict(found).reasons
                == ["finding pod_changed_on_repeat, 3 times, by 30% of viewers: more than the allowance of 2"]
        )
    }

    @Test func theAllowanceOfEveryCodeIsForThoseThatAreNotNamedAndNotForAdvice() throws {
        let advice = try #require(FindingCode.table.first { $0.severity == .advice })
        let allowed = FindingAllowances(["*": .sightings(0), "empty_pod": .any])
        let found = results(of: [(.emptyPod, 2), (.podChangedOnRepeat, 1), (advice, 4)], allowed: allowed)
        #expect(found.filter(\.failsRun).map(\.code) == ["pod_changed_on_repeat"])
        #expect(found.last?.allowance == nil)
    }

    @Test func withoutAnAllowanceWrongAndBrokenFailAndSuspectDoesNot() throws {
        let suspect = try #require(FindingCode.table.first { $0.severity == .suspect })
        let found = results(of: [(.emptyPod, 1), (.podChangedOnRepeat, 1), (suspect, 1)], allowed: [])
        #expect(found.filter(\.failsRun).map(\.code) == ["empty_pod", "pod_changed_on_repeat"])
    }

    @Test(arguments: [("any", 0.0), ("3", 0), ("2", 3)])
    func aThresholdOnAllFindingsCountsWhatIsNotAllowed(_ text: String, _ observed: Double) throws {
        let recorder = LoopRecorder()
        recorder.count(.joined, by: 10)
        for viewer in 0..<3 {
            recorder.finding(
                .podChangedOnRepeat,
                viewer: viewer,
                breakSlot: -1,
                wallMicroseconds: 1,
                evidence: Evidence(url: "", expected: "", observed: "")
            )
        }
        var totals = RunTotals(merging: [recorder.finish()])
        let allowance = try #require(FindingAllowance(text))
        totals.allowedFindings = FindingAllowances(["pod_changed_on_repeat": allowance])
        #expect(try ThresholdRule(parsing: "findings.* == 0").evaluate(totals).observed == observed)
        #expect(try ThresholdRule(parsing: "findings.pod_changed_on_repeat == 3").evaluate(totals).passed)
    }

    @Test(arguments: ["any", "0", "18446744073709551615", "2%", "0.5%", "33.333333%", "100%"])
    func textIsReadAsItIsSpelled(_ text: String) {
        #expect(FindingAllowance(text)?.text == text)
    }

    @Test(arguments: ["", "some", "-1", "1.5", "101%", "-1%", "nan%", "%", "Any"])
    func anythingElseIsNone(_ text: String) {
        #expect(FindingAllowance(text) == nil)
    }

    @Test func allowancesAreReadAsAListOfEarlierVersionsToo() throws {
        let list = try JSONDecoder().decode(FindingAllowances.self, from: Data(#"["empty_pod"]"#.utf8))
        #expect(list == ["empty_pod"])
        let written = FindingAllowances(["empty_pod": .viewers(percent: 2), "*": .sightings(0)])
        #expect(try JSONDecoder().decode(FindingAllowances.self, from: JSONEncoder().encode(written)) == written)
    }

    @Test func adviceCountsNowhereAgainstATarget() throws {
        let advice = try #require(FindingCode.table.first { $0.severity == .advice })
        let recorder = LoopRecorder()
        for code in [advice, advice, .podChangedOnRepeat] {
            recorder.finding(
                code,
                viewer: 1,
                breakSlot: -1,
                wallMicroseconds: 1,
                evidence: Evidence(url: "", expected: "", observed: "")
            )
        }
        let totals = RunTotals(merging: [recorder.finish()])
        let every = try ThresholdRule(parsing: "findings.* <= 1").evaluate(totals)
        let own = try ThresholdRule(parsing: "findings.\(advice.code) == 2").evaluate(totals)
        #expect(every.passed && every.observed == 1)
        #expect(own.passed)
    }
}
