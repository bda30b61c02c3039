import Foundation
import JSON
import RunResult
import TestSupport
import Testing

@testable import Comparison

@Suite struct TrendAnalysisTests {
    /// Runs whose figures differ as those of one release do from night to night.
    private static func history(
        _ count: Int,
        seed: UInt64,
        factor: (Int) -> Double = { _ in 1 }
    ) -> [RunFigures] {
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

    @Test func aMuchFasterRunIsBetterAndPasses() throws {
        let document = try Self.document(Self.history(20, seed: 2) { $0 == 19 ? 0.6 : 1 })
        #expect(document.verdict.exitCode == 0)
        #expect(try Self.metric("pod_manifest.response.p50", document).verdict == .better)
    }

    @Test func fewerViewersInTimeAreWorse() throws {
        var runs = Self.history(20, seed: 3)
        runs[19].breaks.onTime = 9_500
        let document = try Self.document(runs)
        #expect(document.verdict.outcome == .worse)
        #expect(try Self.metric("breaks.on_time", document).verdict == .worse)
    }

    @Test func smallDifferencesDoNotMatterHoweverUnusual() throws {
        let runs = (0..<20).map { RunFixture.run($0, p50: $0 == 19 ? 41_500 : 40_000) }
        let metric = try Self.metric("pod_manifest.response.p50", Self.document(runs))
        #expect(try #require(metric.expected).high < 41_500)
        #expect(metric.verdict == .asExpected)
    }

    @Test(arguments: [1, 3, 5])
    func fewerThanFiveEarlierRunsAreTooFew(count: Int) throws {
        let document = try Self.document(Self.history(count, seed: 4))
        #expect(document.verdict.outcome == .tooFewRuns)
        #expect(document.verdict.exitCode == 3)
        #expect(try Self.metric("pod_manifest.response.p99", document).expected == nil)
        #expect(document.verdict.reasons.contains { $0.contains("5 are needed") })
        #expect(try Self.document(Self.history(6, seed: 4)).verdict.exitCode == 0)
    }

    @Test func aChangeIsFoundAndBecomesTheNewNormal() throws {
        let document = try Self.document(Self.history(30, seed: 5) { $0 >= 18 ? 1.4 : 1 })
        let metric = try Self.metric("pod_manifest.response.p50", document)
        let change = try #require(metric.changePoints.first)
        #expect(metric.changePoints.count == 1)
        #expect((17...19).contains(change.index))
        #expect(change.isWorse)
        #expect(abs(try #require(change.changePercent) - 40) < 12)
        #expect(metric.verdict == .asExpected)
        #expect(try #require(metric.expectedFrom) == change.index)
        #expect(change.text.contains("release=1.4.1"))
    }

    @Test func changesSmallerThanTheMarginAreNotTold() throws {
        let runs = (0..<30).map { RunFixture.run($0, p50: $0 < 15 ? 40_000 : 41_000) }
        #expect(try Self.metric("pod_manifest.response.p50", Self.document(runs)).changePoints.isEmpty)
    }

    @Test func theNewestProfileIsFollowedAndTheOthersAreNamed() throws {
        var runs = Self.history(12, seed: 6)
        for index in 0..<4 { runs[index].run.profileDigest = "sha256:22" }
        runs[4].run.host.cpuCount = 2
        var generator = SeededGenerator(seed: 1)
        let document = try Self.document(runs.shuffled(using: &generator))
        #expect(document.group.profileDigest == "sha256:11")
        #expect(document.runs.count == 7)
        #expect(document.runs.map(\.startedAtMicroseconds) == document.runs.map(\.startedAtMicroseconds).sorted())
        #expect(document.otherGroups.map(\.runs) == [1, 4])
        let other = try Self.document(runs, TrendAnalysis(digest: "22"))
        #expect(other.runs.count == 4)
        #expect(TrendAnalysis(digest: "33").document(of: runs) == nil)
        #expect(TrendAnalysis().document(of: []) == nil)
    }

    @Test func shardsAreLeftOutBecauseTheirRunIsWhatCounts() throws {
        var runs = Self.history(12, seed: 7)
        runs[3].run.shard = ShardMark(runID: "r1", index: 1, count: 2)
        runs[4].run.shard = ShardMark(runID: "r2", index: 0, count: 1)
        let document = try Self.document(runs)
        #expect(document.leftOut.map(\.reason) == ["shard 1 of 2, not the whole run"])
    }

    @Test func runsThatSayNothingCertainAreLeftOutAndNamed() throws {
        var runs = Self.history(12, seed: 7)
        runs[3].health.withinBudget = false
        runs[3].health.reasons = ["loop delay above 10 ms for 4 s"]
        runs[5].run.interrupted = true
        runs[6].run.abortedBy = "findings.* > 0"
        runs[7].verdict = RunFixture.verdict(defects: ["counts differ"])
        let document = try Self.document(runs)
        #expect(document.runs.count == 8)
        #expect(document.leftOut.count == 4)
        #expect(document.leftOut.first?.reason == "client-limited: loop delay above 10 ms for 4 s")
        #expect(document.verdict.outcome == .asExpected)
    }

    @Test func anUncertainNewestRunIsNotReplacedByTheOneBefore() throws {
        var runs = Self.history(12, seed: 8)
        runs[11].health.withinBudget = false
        let document = try Self.document(runs)
        #expect(document.verdict.outcome == .newestLeftOut)
        #expect(document.verdict.exitCode == 3)
    }

    @Test func aFileThatLiesInTwoFoldersIsOneRun() throws {
        var runs = Self.history(8, seed: 9)
        var copy = runs[7]
        copy.path = "elsewhere/copy.json"
        runs.append(copy)
        #expect(try Self.document(runs).runs.count == 8)
    }

    @Test func aGateThatNoRunHasIsUndecided() throws {
        var options = ComparisonOptions()
        options.gates = [try ComparedQuantile(named: "registration.response.p99")]
        let document = try Self.document(Self.history(12, seed: 10), TrendAnalysis(options: options))
        #expect(try Self.metric("registration.response.p99", document).verdict == .notMeasured)
        #expect(document.verdict.exitCode == 3)
    }

    @Test func documentsSurviveJSON() throws {
        let document = try Self.document(Self.history(12, seed: 11))
        let json = try document.json()
        #expect(try JSONDecoder().decode(TrendDocument.self, from: json) == document)
        #expect(String(decoding: json, as: UTF8.self).contains(#""schema" : "podswarm.trend""#))
    }
}
