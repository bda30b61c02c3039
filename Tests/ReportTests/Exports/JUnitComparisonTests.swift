import Comparison
import Report
import Rulebook
import Testing

@Suite struct JUnitComparisonTests {
    private static func side(_ title: String) -> ComparedSide {
        let run = ComparedRun(
            path: "results/quick/\(title).json",
            profileName: "quick",
            profileDigest: "sha256:00ff",
            target: "embedded",
            labels: ["release": title],
            startedAt: "2026-11-21T19:59:30.000Z",
            startedAtMicroseconds: 1_795_291_170_000_000,
            endedAtMicroseconds: 1_795_291_230_000_000,
            podswarmVersion: "0.1.0",
            outcome: "passed"
        )
        return ComparedSide(title: title, inputs: ["label:release=\(title)"], runs: [run])
    }

    private static func metric(_ name: String, _ verdict: FigureVerdict, gating: Bool = true) -> MetricComparison {
        let side = MetricComparison.Side(runsMicroseconds: [1_000], medianMicroseconds: 1_000, spread: nil)
        return MetricComparison(
            metric: name,
            gating: gating,
            base: side,
            candidate: side,
            marginPercent: 10,
            appliedMarginPercent: 10,
            verdict: verdict,
            text: "\(name): \(verdict.rawValue)"
        )
    }

    private static func finding(_ change: FindingComparison.Change, allowed: Bool = false) -> FindingComparison {
        let side = FindingComparison.Side(runs: 1, count: 3, viewersPercentMaximum: 2)
        return FindingComparison(
            code: "\(change.rawValue)\(allowed ? "_allowed" : "")",
            severity: "broken",
            meaning: "A meaning.",
            change: change,
            allowed: allowed,
            base: side,
            candidate: side,
            text: change.rawValue
        )
    }

    private static func document(_ outcome: ComparisonVerdict.Outcome, title: String = "1.4.2") -> ComparisonDocument {
        let isRegression = outcome == .regression
        let rate = RateComparison.Side(
            events: 99,
            outOf: 100,
            percent: 99,
            lowPercent: 97,
            highPercent: 100,
            runsPercent: [99]
        )
        return ComparisonDocument(
            verdict: ComparisonVerdict(outcome: outcome, reasons: outcome == .noRegression ? [] : ["a reason"]),
            method: ComparisonMethod(floorMicroseconds: 1_000, rateTolerancePoints: 0.1),
            base: side("1.4.1"),
            candidate: side(title),
            comparability: Comparability(
                comparable: outcome != .incomparable,
                differences: [
                    .init(aspect: "host", field: "cpu", base: ["a"], candidate: ["b"], allowed: false, text: "differ")
                ]
            ),
            metrics: [
                metric("pod_manifest.response.p99", isRegression ? .regression : .noRegression),
                metric("playlist.response.p99", outcome == .inconclusive ? .inconclusive : .improvement),
                metric("segment.response.p99", .notMeasured), metric("tls.p50", .regression, gating: false),
            ],
            rates: [
                RateComparison(
                    metric: "breaks.on_time",
                    polarity: .higherIsBetter,
                    base: rate,
                    candidate: rate,
                    verdict: isRegression ? .regression : .noRegression,
                    text: "a rate"
                )
            ],
            findings: [finding(.new), finding(.new, allowed: true), finding(.persisting), finding(.gone)]
        )
    }

    @Test(arguments: ComparisonVerdict.Outcome.allCases)
    func failuresAndErrorsAgreeWithTheExitStatus(outcome: ComparisonVerdict.Outcome) throws {
        let reading = try JUnitReading(JUnitReport(of: Self.document(outcome)))
        #expect(reading.problems == [])
        #expect((reading.failures > 0) == (outcome.exitCode == 1))
        #expect((reading.errors > 0) == (outcome.exitCode == 3))
    }

    @Test func aRegressionFailsWhereItIs() throws {
        let reading = try JUnitReading(JUnitReport(of: Self.document(.regression)))
        #expect(reading.suites.map(\.name) == ["verdict", "comparability", "metrics", "rates", "findings"])
        #expect(reading["metrics"]?.messages.first == "pod_manifest.response.p99: regression")
        // The metric for information only is no failure, whatever became of it.
        #expect(reading["metrics"]?.failures == 1)
        #expect(reading["rates"]?.failures == 1)
        #expect(reading["findings"]?.failures == 1)
        #expect(reading["findings"]?.skipped == 2)
        #expect(reading["verdict"]?.properties["base"] == "1.4.1")
    }

    @Test func hostileTitlesStayText() throws {
        let reading = try JUnitReading(JUnitReport(of: Self.document(.regression, title: ExampleResult.hostileText)))
        #expect(reading.problems == [])
    }

    @Test func aSideWithoutRunsIsValid() throws {
        var document = Self.document(.incomparable)
        document.candidate.runs = []
        document.metrics = []
        document.rates = []
        #expect(try JUnitReading(JUnitReport(of: document)).problems == [])
    }
}
