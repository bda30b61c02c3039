import Comparison
import Report
import Rules
import Testing

@Suite struct JUnitComparisonTests {
    @Test(arguments: ComparisonVerdict.Outcome.allCases)
    func failuresAndErrorsAgreeWithTheExitStatus(outcome: ComparisonVerdict.Outcome) throws {
        let reading = try JUnitReading(JUnitReport(of: ExampleComparison.document(outcome)))
        #expect(reading.problems == [])
        #expect((reading.failures > 0) == (outcome.exitCode == 1))
        #expect((reading.errors > 0) == (outcome.exitCode == 3))
    }

    @Test func aRegressionFailsWhereItIs() throws {
        let reading = try JUnitReading(JUnitReport(of: ExampleComparison.document(.regression)))
        #expect(reading.suites.map(\.name) == ["verdict", "comparability", "metrics", "rates", "findings"])
        #expect(reading["metrics"]?.messages.first == "pod_manifest.response.p50 says so")
        // The metric for information only is no failure, whatever became of it.
        #expect((reading["metrics"]?.failures, reading["rates"]?.failures) == (1, 1))
        #expect((reading["findings"]?.failures, reading["findings"]?.skipped) == (1, 2))
        #expect(reading["verdict"]?.properties["base"] == "release=1.4.1")
    }

    @Test func hostileTitlesStayText() throws {
        var hostile = ExampleComparison.document(.regression)
        hostile.candidate.title = ExampleResult.hostileText
        let reading = try JUnitReading(JUnitReport(of: hostile))
        #expect(reading.problems == [])
    }

    @Test func aSideWithoutRunsIsValid() throws {
        var document = ExampleComparison.document(.incomparable)
        (document.candidate.runs, document.metrics, document.rates) = ([], [], [])
        #expect(try JUnitReading(JUnitReport(of: document)).problems == [])
    }
}
