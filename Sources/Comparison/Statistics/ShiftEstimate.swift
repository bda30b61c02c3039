import Glibc

/// Hodges and Lehmann's estimate of the shift between two samples; it assumes no distribution.
///
/// The interval takes ranks from the exact distribution of Mann and Whitney's U (Hollander, Wolfe and Chicken, "Nonparametric
/// Statistical Methods", 4.2 and 4.3).
package struct ShiftEstimate: Sendable {
    /// Second less first.
    package let shift: Double
    /// Nil with too few values for that confidence.
    package let low: Double?
    package let high: Double?
    /// Actual coverage, at least the requested one.
    package let confidence: Double?
    private let differences: [Double]
    private let distribution: MannWhitney

    /// Nil for an empty sample; `distribution` saves computing it again.
    package init?(from first: [Double], to second: [Double], confidence: Double, distribution: MannWhitney? = nil) {
        let differences = first.flatMap { low in second.map { $0 - low } }.sorted()
        guard let shift = OrderStatistics.median(differences) else { return nil }
        let distribution = distribution ?? MannWhitney(first.count, second.count)
        (self.shift, self.differences, self.distribution) = (shift, differences, distribution)
        guard let rank = Self.rank(distribution, tail: (1 - confidence) / 2) else {
            (low, high, self.confidence) = (nil, nil, nil)
            return
        }
        low = differences[rank - 1]
        high = differences[differences.count - rank]
        self.confidence = 1 - 2 * distribution.atMost(rank - 1)
    }

    /// One-sided p-value against a true shift of at most the margin; ties with the margin never make a regression.
    package func probability(ofNoMoreThan margin: Double) -> Double {
        distribution.atLeast(differences.count { $0 > margin })
    }

    /// One-sided p-value against a true shift of at least the margin, which is usually negative.
    package func probability(ofNoLessThan margin: Double) -> Double {
        distribution.atLeast(differences.count { $0 < margin })
    }

    private static func rank(_ distribution: MannWhitney, tail: Double) -> Int? {
        // Ratios such as 1/20 must not fall to a rounding error.
        let allowed = tail * (1 + 1e-9)
        var (low, high) = (0, (distribution.pairCount + 1) / 2)
        while low < high {
            let middle = (low + high + 1) / 2
            if distribution.atMost(middle - 1) <= allowed { low = middle } else { high = middle - 1 }
        }
        return low > 0 ? low : nil
    }
}

/// Distribution of Mann and Whitney's U, the pairs whose second value is larger, if both samples come from one distribution.
///
/// Exact up to 50 values a side (Mann and Whitney, Annals of Mathematical Statistics 18, 1947), else the normal approximation
/// with continuity correction.
package struct MannWhitney: Sendable {
    package static let largestExact = 50

    package let firstCount: Int
    package let secondCount: Int
    /// Empty if the approximation is used.
    private let probabilities: [Double]

    /// Counts are raised to at least 1.
    package init(_ firstCount: Int, _ secondCount: Int) {
        self.firstCount = max(1, firstCount)
        self.secondCount = max(1, secondCount)
        probabilities =
            max(firstCount, secondCount) <= Self.largestExact
            ? Self.exact(self.firstCount, self.secondCount) : []
    }

    package var pairCount: Int { firstCount * secondCount }

    package func atMost(_ statistic: Int) -> Double {
        guard statistic >= 0 else { return 0 }
        guard statistic < pairCount else { return 1 }
        guard probabilities.isEmpty else { return min(1, probabilities[...statistic].reduce(0, +)) }
        let mean = Double(pairCount) / 2
        let deviation = (Double(pairCount) * Double(firstCount + secondCount + 1) / 12).squareRoot()
        return NormalDistribution.cumulative((Double(statistic) + 0.5 - mean) / deviation)
    }

    /// The distribution is symmetric.
    package func atLeast(_ statistic: Int) -> Double { atMost(pairCount - statistic) }

    /// Coefficients of Gauss's binomial, scaled in each step so that nothing overflows.
    private static func exact(_ first: Int, _ second: Int) -> [Double] {
        let pairs = first * second
        var shares = [Double](repeating: 0, count: pairs + 1)
        shares[0] = 1
        var table = [[Double]](repeating: shares, count: first + 1)
        for taken in 1...second {
            for below in 1...first {
                // The largest of all values belongs to either sample.
                let chance = Double(taken) / Double(taken + below)
                let withFirst = table[below - 1]
                let withSecond = table[below]
                var next = [Double](repeating: 0, count: pairs + 1)
                for statistic in 0...(taken * below) {
                    let fromSecond = statistic >= below ? withSecond[statistic - below] : 0
                    next[statistic] = chance * fromSecond + (1 - chance) * withFirst[statistic]
                }
                table[below] = next
            }
        }
        return table[first]
    }
}

/// Holm's step-down correction (Scandinavian Journal of Statistics 6, 1979).
enum HolmCorrection {
    /// In the same order; nil for what was not tested.
    static func adjusted(_ pValues: [Double?]) -> [Double?] {
        let tests = pValues.enumerated().compactMap { index, pValue in pValue.map { (index: index, pValue: $0) } }
            .sorted { $0.pValue < $1.pValue }
        var adjusted = pValues
        var highest = 0.0
        for (rank, test) in tests.enumerated() {
            highest = max(highest, min(1, test.pValue * Double(tests.count - rank)))
            adjusted[test.index] = highest
        }
        return adjusted
    }
}
