import Rules
import TestSupport
import Testing

@testable import Comparison

@Suite struct ReleaseComparisonTests {
    private static func told(_ document: ComparisonDocument) -> String {
        let verdict = document.verdict
        var lines = ["\(verdict.outcome.rawValue), exit \(verdict.exitCode), by \(document.method.unit)"]
        lines += [verdict.runsNeededPerSide.map { "needs \($0) runs a side" }].compactMap(\.self)
        lines += verdict.reasons.map { "reason: \($0)" } + verdict.improvements.map { "improvement: \($0)" }
        lines += document.metrics.map { metric in
            let ratio = metric.ratio.map { String(format: $0) } ?? "none"
            let interval = [metric.ratioLow, metric.ratioHigh].compactMap(\.self).map { String(format: $0) }
            let margin = String(format: metric.appliedMarginPercent)
            return "\(metric.gating ? "gate" : "metric") \(metric.metric): \(metric.verdict.rawValue), ratio \(ratio)"
                + " within \(interval), margin \(margin)"
        }
        lines += document.rates.map { rate in
            let runs = rate.runsNeededPerSide.map { ", needs \($0) runs" } ?? ""
            return "rate \(rate.metric): \(rate.verdict.rawValue)\(runs): \(rate.text)"
        }
        lines += document.findings.map { "finding \($0.code): \($0.change.rawValue)" }
        lines += document.notes.map { "note: \($0)" }
        return lines.map { $0 + "\n" }.joined()
    }

    @Test(arguments: ReleaseCase.latencies + ReleaseCase.findings + ReleaseCase.rates)
    func itsVerdictIsPinned(of compared: ReleaseCase) throws {
        let name = compared.testDescription.replacing(", ", with: "-").replacing(" ", with: "-")
        try GoldenFile.expect(Self.told(compared.document()), at: "Tests/ComparisonTests/Goldens/\(name).txt")
    }

    @Test func aPerfectOrderIsAsCertainAsItCanBe() throws {
        let slower = try #require(ReleaseCase.latencies.first { $0.testDescription == "a fifth slower" })
        let metric = try #require(slower.document().metrics.first)
        // A perfect order of 5 and 5 has one chance in 252, three metrics are judged together.
        #expect(abs((metric.regressionAdjustedP ?? 0) - 3.0 / 252) < 1e-12)
    }

    @Test(arguments: [(0.1, 3), (0.05, 3), (0.0167, 4), (0.0143, 4), (0.01, 5), (0.004, 5), (0.003, 6)])
    func theFewestRunsThatCanConvince(probability: Double, runs: Int) {
        // 1/20, 1/70, 1/252 and 1/924 for 3 to 6 runs on each side; 1/6 for 2.
        #expect(RunsNeeded.least(probability: probability) == runs)
    }

    @Test(arguments: [(2, 2), (1, 4)]) func aDocumentSaysHowManyMoreRunsToMake(runs: Int, more: Int) throws {
        let document = try ReleaseCase(testDescription: "slower", runs: runs, factor: 11).document()
        let metric = try #require(document.metrics.first)
        #expect(metric.unprovedChange == "slower" && metric.moreRuns == more)
        #expect(metric.text.contains("11.0 times (too few runs for an interval), slower beyond the margin of 5%"))
        #expect(document.counsel?.hasPrefix("Make \(more) more runs on each side: ") == true)
    }

    @Test func theSpreadOfNewsCanBeAGate() throws {
        let gate = try ComparedQuantile(named: "break_discovery.p99")
        #expect(gate.distribution == "break_discovery")
        var run = RunFixture.run(1)
        #expect(gate.microseconds(in: run) == nil)
        run.breaks.discovery = RunFixture.latency(p50: 2_000_000, p99: 5_900_000)
        #expect(gate.microseconds(in: run) == 5_900_000)
    }

    @Test(arguments: [
        ("pod_manifest.respons.p99", "did you mean 'pod_manifest.response.p99'?"),
        ("all.response.p99", "name one kind"), ("breaks.on_time", "always judged"), ("findings.*", "always judged"),
    ]) func aGateThatCannotBeSaysWhy(name: String, words: String) {
        let error = #expect(throws: ThresholdError.self) { try ComparedQuantile(named: name) }
        #expect("\(error.map(String.init(describing:)) ?? "")".contains(words))
    }
}

extension String {
    /// Three digits behind the point.
    fileprivate init(format number: Double) { self = "\((number * 1_000).rounded() / 1_000)" }
}
