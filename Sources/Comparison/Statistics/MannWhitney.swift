import Glibc

/// The distribution of Mann and Whitney's U under "both samples come from one distribution".
///
/// U counts the pairs in which the second sample's value is the larger. Exact up to 50 values a side (Mann and Whitney, Annals
/// of Mathematical Statistics 18, 1947); beyond, the normal approximation with continuity correction.
package struct MannWhitney: Sendable {
    package static let largestExact = 50

    package let firstCount: Int
    package let secondCount: Int
    /// The probability of each U from 0; empty if the approximation is used.
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

    /// The coefficients of Gauss's binomial, which count the arrangements with each U, as shares of all.
    ///
    /// Every factor is scaled by the share of arrangements it adds, so that nothing overflows.
    private static func exact(_ first: Int, _ second: Int) -> [Double] {
        let pairs = first * second
        var shares = [Double](repeating: 0, count: pairs + 1)
        shares[0] = 1
        // Adds one value after another: the next of the second sample is larger than 0 to `first` of the first.
        var table = [[Double]](repeating: shares, count: first + 1)
        for taken in 1...second {
            for below in 1...first {
                // The largest of all values belongs to the second sample, or to the first.
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
