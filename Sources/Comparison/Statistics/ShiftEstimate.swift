/// Shift between two samples, with an interval that assumes no distribution but a mere shift.
///
/// Hodges and Lehmann's estimate is the median of all differences between a value of one sample and a value of the other; the
/// interval runs from the k-th smallest difference to the k-th largest, with k from the exact distribution of Mann and
/// Whitney's U (Hollander, Wolfe and Chicken, "Nonparametric Statistical Methods", 4.2 and 4.3).
package struct ShiftEstimate: Sendable {
    /// Second less first.
    package let shift: Double
    /// Nil with too few values for an interval of that confidence.
    package let low: Double?
    package let high: Double?
    /// Actual coverage of the interval, at least the requested one; nil without one.
    package let confidence: Double?
    private let differences: [Double]
    private let distribution: MannWhitney

    /// Nil for an empty sample; `distribution` is that of U for these counts, if the caller has it already.
    package init?(
        from first: [Double],
        to second: [Double],
        confidence: Double,
        distribution: MannWhitney? = nil
    ) {
        let differences = first.flatMap { low in second.map { $0 - low } }.sorted()
        guard let shift = OrderStatistics.median(differences) else { return nil }
        let distribution = distribution ?? MannWhitney(first.count, second.count)
        self.shift = shift
        self.differences = differences
        self.distribution = distribution
        guard let rank = Self.rank(distribution, tail: (1 - confidence) / 2) else {
            (low, high, self.confidence) = (nil, nil, nil)
            return
        }
        low = differences[rank - 1]
        high = differences[differences.count - rank]
        self.confidence = 1 - 2 * distribution.atMost(rank - 1)
    }

    /// One-sided p-value against a true shift of at most the margin.
    ///
    /// It is at most the tail of the interval exactly if the interval lies above the margin. A difference that equals the
    /// margin does not count as above it, so ties never make a regression.
    package func probability(ofNoMoreThan margin: Double) -> Double {
        distribution.atLeast(differences.count { $0 > margin })
    }

    /// One-sided p-value against a true shift of at least the margin, which is usually negative.
    package func probability(ofNoLessThan margin: Double) -> Double {
        distribution.atLeast(differences.count { $0 < margin })
    }

    /// The largest rank with a small enough tail; nil without one.
    private static func rank(_ distribution: MannWhitney, tail: Double) -> Int? {
        // Probabilities of few values are ratios such as 1/20 that must not fall to a rounding error.
        let allowed = tail * (1 + 1e-9)
        var (low, high) = (0, (distribution.pairCount + 1) / 2)
        while low < high {
            let middle = (low + high + 1) / 2
            if distribution.atMost(middle - 1) <= allowed { low = middle } else { high = middle - 1 }
        }
        return low > 0 ? low : nil
    }
}
