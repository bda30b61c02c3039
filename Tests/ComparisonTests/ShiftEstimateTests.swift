import Foundation
import TestSupport
import Testing
import Values

@testable import Comparison

/// Differences, ranks and p-values as SciPy 1.16.3 and NumPy give them.
@Suite struct ShiftEstimateTests {
    /// As `Figures/shift-estimates.json` has them.
    private struct Case: Decodable {
        var first: [Double]
        var second: [Double]
        var shift: Double
        var interval: [Double]
        /// Of "the second lies no more than 0.25 above the first".
        var probability: Double
    }

    @Test func estimateIntervalAndProbabilityAgree() throws {
        let file = PackageFolder.file("Tests/ComparisonTests/Figures/shift-estimates.json")
        for known in try JSONDecoder().decode([Case].self, from: Data(contentsOf: file)) {
            let estimate = try #require(ShiftEstimate(from: known.first, to: known.second, confidence: 0.9))
            #expect(abs(estimate.shift - known.shift) < 1e-12)
            #expect(abs(estimate.probability(ofNoMoreThan: 0.25) - known.probability) < 1e-12)
            let interval = [estimate.low, estimate.high, estimate.confidence].compactMap(\.self)
            try #require(interval.count == known.interval.count)
            for (ours, theirs) in zip(interval, known.interval) { #expect(abs(ours - theirs) < 1e-12) }
        }
    }

    @Test func anIntervalLiesAboveAMarginExactlyWhereTheTestRejectsIt() throws {
        var generator = SplitMix64(seed: 11)
        for round in 0..<300 {
            let counts = (Int.random(in: 3...9, using: &generator), Int.random(in: 3...9, using: &generator))
            let first = (0..<counts.0).map { _ in Double.random(in: 0...1, using: &generator) }
            let second = (0..<counts.1).map { _ in Double.random(in: 0.2...1.4, using: &generator) }
            let estimate = try #require(ShiftEstimate(from: first, to: second, confidence: 0.9))
            let low = try #require(estimate.low)
            let high = try #require(estimate.high)
            for margin in [0, 0.1, 0.3, 0.5] {
                let isAbove = estimate.probability(ofNoMoreThan: margin) <= 0.05 * (1 + 1e-9)
                let isBelow = estimate.probability(ofNoLessThan: margin) <= 0.05 * (1 + 1e-9)
                #expect(isAbove == (low > margin), "round \(round), margin \(margin)")
                #expect(isBelow == (high < margin), "round \(round), margin \(margin)")
            }
        }
    }

    @Test func equalValuesAreNoEvidence() throws {
        let estimate = try #require(ShiftEstimate(from: [1, 1, 1, 1], to: [1, 1, 1, 1], confidence: 0.9))
        #expect(estimate.shift == 0)
        #expect(estimate.probability(ofNoMoreThan: 0) == 1)
        #expect(estimate.probability(ofNoLessThan: 0) == 1)
    }

    @Test func anEmptySideHasNoShift() {
        #expect(ShiftEstimate(from: [], to: [1], confidence: 0.9) == nil)
        #expect(ShiftEstimate(from: [1], to: [], confidence: 0.9) == nil)
    }

    @Test func requestsOfOneRunAreFoundToBelongTogether() throws {
        let even = (0..<5).map { _ in ClusteredCounts.Run(events: 30, trials: 10_000) }
        #expect(ClusteredCounts.dispersion(even, even) == 1)
        let odd = [150, 0, 0, 0, 0].map { ClusteredCounts.Run(events: $0, trials: 10_000) }
        let dispersion = try #require(ClusteredCounts.dispersion(even, odd))
        // Chi-square 600 / (1 - 0.003) over 8 degrees of freedom, widened by (2.896 / 2.326)².
        #expect(abs(dispersion - 600 / 0.997 / 8 * 1.550_1) < 0.1, "\(dispersion)")
        #expect(ClusteredCounts.dispersion([even[0]], even) == nil)
    }
}
