import Chance
import Comparison
import Testing

/// Differences, ranks and p-values as SciPy 1.16.3 and NumPy give them.
@Suite struct ShiftEstimateTests {
    struct Case: Sendable {
        var first: [Double]
        var second: [Double]
        var shift: Double
        var interval: [Double]
        /// Of "the second lies no more than 0.25 above the first".
        var probability: Double
    }

    static let cases = [
        Case(
            first: [-0.802, -1.324, -0.248],
            second: [0.92, 1.636, 0.61],
            shift: 1.884,
            interval: [0.858, 2.96, 0.9],
            probability: 0.05
        ),
        Case(
            first: [-0.553, -0.785, 0.749, 1.635, 0.273],
            second: [-0.733, -0.458, 2.1, 0.703, -1.232],
            shift: -0.18,
            interval: [-1.505, 1.351, 0.904_761_904_761_904_7],
            probability: 0.789_682_539_682_539_7
        ),
        Case(
            first: [-0.084, -1.163, -0.629, -0.488, -0.713],
            second: [1.053, 0.437, -0.089, 0.91, 1.33, -1.143, 0.243],
            shift: 1.074,
            interval: [0.327, 1.766, 0.926_767_676_767_676_8],
            probability: 0.036_616_161_616_161_616
        ),
        Case(
            first: [-0.981, -0.173, -1.289, 0.021, -0.038, -0.304, -1.048, -0.396, -1.091, -1.355],
            second: [0.725, -0.609, 1.67, 1.217, -1.498, 0.772, -0.602, 0.533, 0.544, -1.488],
            shift: 0.8235,
            interval: [-0.199, 1.706, 0.910_790_447_942_150_7],
            probability: 0.071_570_070_796_077
        ),
        Case(
            first: [-0.233, -0.256],
            second: [1.462, -0.681],
            shift: 0.635,
            interval: [],
            probability: 0.666_666_666_666_666_6
        ),
    ]

    @Test(arguments: cases) func estimateIntervalAndProbabilityAgree(known: Case) throws {
        let estimate = try #require(ShiftEstimate(from: known.first, to: known.second, confidence: 0.9))
        #expect(abs(estimate.shift - known.shift) < 1e-12)
        #expect(abs(estimate.probability(ofNoMoreThan: 0.25) - known.probability) < 1e-12)
        let interval = [estimate.low, estimate.high, estimate.confidence].compactMap(\.self)
        try #require(interval.count == known.interval.count)
        for (ours, theirs) in zip(interval, known.interval) {
            #expect(abs(ours - theirs) < 1e-12)
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
