import Foundation
import Results
import TestSupport
import Testing
import Values

@testable import Comparison

@Suite struct TrendAnalysisTests {
    /// Runs whose figures differ as those of one release do from night to night.
    private static func history(_ count: Int, seed: UInt64, factor: (Int) -> Double = { _ in 1 }) -> [RunFigures] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { night in
            let weather = SeededGenerator.exponential(0.04 * generator.normal())
            var run = RunFixture.run(
                night,
                p50: 40_000 * weather * factor(night),
                p99: 90_000 * weather * factor(night) * SeededGenerator.exponential(0.05 * generator.normal()),
                playlist: 20_000 * SeededGenerator.exponential(0.06 * generator.normal())
            )
            run.breaks.onTime = 9_990 - UInt64.random(in: 0..<5, using: &generator)
            return run
        }
    }

    private static func metric(_ name: String, _ document: TrendDocument) throws -> TrendMetric {
        try #require(document.metrics.first { $0.metric == name })
    }

    private static func document(_ runs: [RunFigures], _ analysis: TrendAnalysis = .init()) throws -> TrendDocument {
        try #require(analysis.document(of: runs))
    }

    /// A year of nights: what is looked through by neighbours names the very night at which it changed.
    @Test(arguments: [121, 365]) func longHistoriesChangeWhereTheyDo(count: Int) throws {
        let planted = count * 2 / 5
        for seed in 1...2 as ClosedRange<UInt64> {
            let runs = Self.history(count, seed: seed) { $0 >= planted ? 1.5 : 1 }
            let metric = try #require(
                TrendAnalysis().metric(
                    named: "pod_manifest.response.p99",
                    values: runs.map { run in
                        run.requests["pod_manifest"]?.latencies["response"].map { Double($0.p99Microseconds) }
                    },
                    runs: runs.map {
                        TrendRun(
                            path: $0.path,
                            startedAt: $0.run.startedAt,
                            startedAtMicroseconds: $0.run.startedAtMicroseconds,
                            labels: $0.run.labels,
                            outcome: $0.verdict.outcome.rawValue
                        )
                    }
                )
            )
            let found = metric.changePoints.map(\.index)
            #expect(found.count == 1, "seed \(seed): \(found)")
            #expect(found.allSatisfy { abs($0 - planted) <= 1 }, "seed \(seed): \(found)")
        }
        #expect(TrendAnalysis().metric(named: "no.such", values: [], runs: []) == nil)
    }

    @Test func aRunLikeTheOthersIsAsExpected() throws {
        var alarms: [UInt64] = []
        for seed in 0..<30 as Range<UInt64> {
            let document = try Self.document(Self.history(20, seed: seed))
            if document.verdict.outcome != .asExpected { alarms.append(seed) }
        }
        #expect(alarms.count <= 1, "seeds \(alarms)")
    }

    @Test func aMuchSlowerRunIsWorseAndFails() throws {
        var missed: [UInt64] = []
        for seed in 0..<20 as Range<UInt64> {
            let document = try Self.document(Self.history(20, seed: seed) { $0 == 19 ? 1.3 : 1 })
            if document.verdict.outcome != .worse { missed.append(seed) }
        }
        #expect(missed.count <= 1, "seeds \(missed)")
        let document = try Self.document(Self.history(20, seed: 1) { $0 == 19 ? 1.3 : 1 })
        #expect(document.verdict.exitCode == 1)
        #expect(try Self.metric("pod_manifest.response.p50", document).verdict == .worse)
        #expect(document.verdict.reasons.contains { $0.hasPrefix("pod_manifest.response.p50 is worse: ") })
    }

    struct Story: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var nights = 12
        var seed: UInt64 = 6
        var analysis = TrendAnalysis()
        var change: @Sendable (inout [RunFigures]) -> Void = { _ in }
        /// How many times as long pods took in a night.
        var factor: @Sendable (Int) -> Double = { _ in 1 }
    }

    static let stories = [
        Story(testDescription: "a much faster run", nights: 20, seed: 2, factor: { $0 == 19 ? 0.6 : 1 }),
        Story(testDescription: "fewer viewers in time", nights: 20, seed: 3) { $0[19].breaks.onTime = 9_500 },
        Story(testDescription: "an unusual run within the margin") { runs in
            runs = (0..<20).map { RunFixture.run($0, p50: $0 == 19 ? 41_500 : 40_000) }
        },
        Story(testDescription: "a change within the margin") { runs in
            runs = (0..<30).map { RunFixture.run($0, p50: $0 < 15 ? 40_000 : 41_000) }
        },
        Story(testDescription: "a change that becomes normal", nights: 30, seed: 5, factor: { $0 >= 18 ? 1.4 : 1 }),
        Story(testDescription: "one run", nights: 1, seed: 4),
        Story(testDescription: "five runs", nights: 5, seed: 4),
        Story(testDescription: "six runs", nights: 6, seed: 4),
        Story(testDescription: "other profiles and hosts", change: Self.mix),
        Story(
            testDescription: "another profile by its digest",
            analysis: TrendAnalysis(digest: "22"),
            change: Self.mix
        ),
        Story(testDescription: "shards", seed: 7) { runs in
            runs[3].run.shard = ShardMark(runID: "r1", index: 1, count: 2)
            runs[4].run.shard = ShardMark(runID: "r2", index: 0, count: 1)
        },
        Story(testDescription: "runs that say nothing certain", seed: 7) { runs in
            (runs[3].health.withinBudget, runs[3].health.reasons) = (false, ["loop delay above 10 ms for 4 s"])
            (runs[5].run.interrupted, runs[6].run.abortedBy) = (true, "findings.* > 0")
            runs[7].verdict = RunFixture.verdict(defects: ["counts differ"])
        },
        Story(testDescription: "an uncertain newest run", seed: 8) { $0[11].health.withinBudget = false },
        Story(testDescription: "a file in two folders", nights: 8, seed: 9) { runs in
            var copy = runs[7]
            copy.path = "elsewhere/copy.json"
            runs.append(copy)
        },
        Story(
            testDescription: "a gate that no run has",
            seed: 10,
            analysis: TrendAnalysis(
                options: ComparisonOptions(
                    gates: [try? ComparedQuantile(named: "registration.response.p99")].compactMap(\.self)
                )
            )
        ),
    ]

    /// Four runs of another profile and one of another host, in no order.
    private static let mix: @Sendable (inout [RunFigures]) -> Void = { runs in
        for index in 0..<4 { runs[index].run.profileDigest = "sha256:22" }
        runs[4].run.host.cpuCount = 2
        var generator = SeededGenerator(seed: 1)
        runs.shuffle(using: &generator)
    }

    @Test(arguments: stories) func itsVerdictIsPinned(of story: Story) throws {
        var runs = Self.history(story.nights, seed: story.seed, factor: story.factor)
        story.change(&runs)
        let document = try Self.document(runs, story.analysis)
        var lines = ["\(document.verdict.outcome.rawValue), exit \(document.verdict.exitCode)"]
        lines += document.verdict.reasons.map { "reason: \($0)" }
        lines.append("\(document.runs.count) runs of \(document.group.profileDigest), newest \(document.group.newest)")
        lines += document.otherGroups.map { "besides: \($0.runs) of \($0.profileDigest) on \($0.hostClass)" }
        lines += document.leftOut.map { "left out: \($0.path): \($0.reason)" }
        lines += document.metrics.map { metric in
            let changes = metric.changePoints.map {
                "; \($0.isWorse ? "worse" : "better") from \($0.index): \($0.text)"
            }
            return "\(metric.metric): \(metric.verdict.rawValue)\(changes.joined())"
        }
        #expect(document.runs.map(\.startedAtMicroseconds) == document.runs.map(\.startedAtMicroseconds).sorted())
        let name = story.testDescription.replacing(" ", with: "-")
        try GoldenFile.expect(lines.map { $0 + "\n" }.joined(), at: "Tests/ComparisonTests/Goldens/trend/\(name).txt")
    }

    @Test func whatIsNotThereHasNoTrend() {
        #expect(TrendAnalysis(digest: "33").document(of: Self.history(12, seed: 6)) == nil)
        #expect(TrendAnalysis().document(of: [RunFigures]()) == nil)
    }

    @Test func documentsSurviveJSON() throws {
        let document = try Self.document(Self.history(12, seed: 11))
        let json = try document.json()
        #expect(try DocumentDecoding().decode(TrendDocument.self, from: json) == document)
        #expect(String(decoding: json, as: UTF8.self).contains(#""schema" : "podswarm.trend""#))
    }
}
