import Foundation
import TestSupport
import Testing

@testable import Comparison

/// The method held against simulated ad-break runs of which the truth is known.
///
/// Each run has 20 breaks whose viewers' latencies are lognormal (σ 0.35); breaks differ by 8 %, runs by 4 %. Instead
/// of each viewer, the quantiles of a run are drawn: that of the mixture of its breaks, with the sampling error that
/// 10,000 viewers leave.
@Suite struct SelfTests {
    private struct Simulation {
        var generator: SeededGenerator

        init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

        mutating func run(_ number: Int, factor: Double = 1) -> RunFigures {
            let weather = exp(0.04 * generator.normal())
            let breaks = (0..<20).map { _ in 0.08 * generator.normal() }
            let effect = 40_000 * factor * weather
            // Sampling errors of the logarithm: the root of p (1 - p) / n by the density at the quantile.
            let middle = exp(0.0044 * generator.normal())
            let tail = exp(0.013 * generator.normal())
            return RunFixture.run(
                number,
                p50: effect * middle * Self.quantile(0, of: breaks),
                p99: effect * tail * Self.quantile(2.326, of: breaks),
                playlist: 20_000 * exp(0.04 * generator.normal())
            )
        }

        /// The quantile at so many deviations of one break, of all breaks together, given the logarithms of their effects.
        private static func quantile(_ deviations: Double, of breaks: [Double]) -> Double {
            let share = NormalDistribution.cumulative(deviations)
            var (low, high) = (-1.0, 2.0)
            for _ in 0..<18 {
                let middle = (low + high) / 2
                let below = breaks.reduce(0) { $0 + NormalDistribution.cumulative((middle - $1) / 0.35) }
                if below / Double(breaks.count) < share { low = middle } else { high = middle }
            }
            return exp(high)
        }
    }

    /// Whether any gate is called a regression; what else is judged takes no part in these truths.
    private func isRegression(_ base: [RunFigures], _ candidate: [RunFigures]) -> Bool {
        var judge = MetricJudge(base: base, candidate: candidate, options: ComparisonOptions())
        return judge.judge(gates: ComparedQuantile.standardGates, others: []).contains { $0.verdict == .regression }
    }

    @Test func identicalRunsAreRarelyCalledRegressions() {
        var simulation = Simulation(seed: 16)
        let runs = (0..<16).map { simulation.run($0) }
        var regressions = 0
        let pairs = 200
        for _ in 0..<pairs {
            let drawn = runs.shuffled(using: &simulation.generator)
            let (base, candidate) = (Array(drawn[..<5]), Array(drawn[5..<10]))
            let document = ReleaseComparison()
                .compare(.init(inputs: [], runs: base), against: .init(inputs: [], runs: candidate))
            regressions += document.verdict.outcome == .regression ? 1 : 0
        }
        #expect(Double(regressions) <= 0.05 * Double(pairs), "\(regressions) of \(pairs)")
    }

    @Test func aFifthSlowerIsFoundByFiveRunsASide() {
        var simulation = Simulation(seed: 18)
        let trials = 1_000
        let found = (0..<trials).count { _ in
            let base = (0..<5).map { simulation.run(2 * $0) }
            let candidate = (0..<5).map { simulation.run(2 * $0 + 1, factor: 1.2) }
            return isRegression(base, candidate)
        }
        #expect(Double(found) >= 0.95 * Double(trials), "\(found) of \(trials)")
    }

    /// And what is smaller, as between releases that are alike, more rarely still.
    @Test func aChangeOfTheMarginsSizeIsCalledARegressionRarely() {
        var simulation = Simulation(seed: 19)
        let trials = 300
        let called = (0..<trials).count { _ in
            let base = (0..<5).map { simulation.run(2 * $0) }
            let candidate = (0..<5).map { simulation.run(2 * $0 + 1, factor: 1.05) }
            return isRegression(base, candidate)
        }
        #expect(Double(called) <= 0.05 * Double(trials), "\(called) of \(trials)")
    }
}
