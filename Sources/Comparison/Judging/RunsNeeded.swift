import Glibc
import Statistics

/// How many runs would probably decide what these did not.
enum RunsNeeded {
    /// Beyond this no number is named: a change too near its margin, or runs too unlike each other.
    static let most = 100

    /// The fewest runs on each side whose perfect order can convince: 3 at one in twenty, 4 or 5 with Holm's correction.
    ///
    /// - Parameter probability: What a one-sided p-value must not pass.
    /// - Returns: Runs on each side.
    static func least(probability: Double) -> Int {
        var orders = 1.0
        for count in 1..<most {
            // The orders of n and n runs: the central binomial coefficient.
            orders *= Double(2 * (2 * count - 1)) / Double(count)
            if 1 / orders <= probability * (1 + 1e-9) { return count }
        }
        return most
    }

    /// Estimates the runs on each side that show, four times in five, on which side of the margin the shift lies.
    ///
    /// Takes the shift and the spread between runs as they were observed, so it is no more certain than they are. The
    /// rank test needs 3/π as many runs as a t-test where noise is normal (Hollander and others, 4.2).
    ///
    /// - Parameters:
    ///   - base: Logarithms of one side's figures.
    ///   - candidate: Those of the other.
    ///   - shift: The estimated shift.
    ///   - margin: The logarithm of the margin.
    ///   - tail: Probability outside each end of the interval.
    ///   - family: Metrics that are judged together.
    /// - Returns: More than there are; nil where it would be above `most`, or where there is no spread to judge by.
    static func perSide(
        base: [Double],
        candidate: [Double],
        shift: Double,
        margin: Double,
        tail: Double,
        family: Int
    ) -> Int? {
        let enough = max(least(probability: tail / Double(max(1, family))), min(base.count, candidate.count) + 1)
        let freedom = base.count + candidate.count - 2
        guard freedom > 0 else { return max(5, enough) }
        let squares = [base, candidate].reduce(0) { sum, sample in
            let deviation = OrderStatistics.standardDeviation(sample) ?? 0
            return sum + deviation * deviation * Double(sample.count - 1)
        }
        let distance = abs(margin - shift)
        let reach = NormalDistribution.quantile(1 - tail) + NormalDistribution.quantile(0.8)
        let runs = 2 * (squares / Double(freedom)) * reach * reach / (distance * distance) * .pi / 3
        guard runs <= Double(most) else { return nil }
        return max(enough, Int(runs.rounded(.up)))
    }

    /// One side of a rate: its share, and the trials in one of its runs.
    struct Rate {
        var share: Double
        var trialsPerRun: Double
        var runs: Int

        init(_ side: RateComparison.Side) {
            let runs = side.runsPercent.count { $0 != nil }
            self.runs = runs
            share = (side.percent ?? 0) / 100
            trialsPerRun = Double(side.outOf) / Double(max(1, runs))
        }
    }

    /// Estimates the runs on each side that show, four times in five, that the shares differ as they are seen to.
    ///
    /// The normal approximation of the test of two shares, with trials divided by the dispersion (Rao and Scott 1992).
    ///
    /// - Parameters:
    ///   - base: One side.
    ///   - candidate: The other.
    ///   - dispersion: By how much runs differ more than independent trials would; nil where nobody knows.
    ///   - tail: What a one-sided p-value must not pass.
    ///   - family: Rates that are judged together.
    /// - Returns: More than there are; nil where it would be above `most`, or where the shares do not differ.
    static func perSide(base: Rate, candidate: Rate, dispersion: Double?, tail: Double, family: Int) -> Int? {
        let more = min(base.runs, candidate.runs) + 1
        guard let dispersion else { return max(5, more) }
        let spread = [base, candidate].reduce(0) { sum, side in
            // A share of none or all has a spread too: it is what one more trial would show.
            let least = 1 / (side.trialsPerRun * Double(max(1, side.runs)) + 2)
            let share = min(max(side.share, least), 1 - least)
            return sum + share * (1 - share) * dispersion / max(1, side.trialsPerRun)
        }
        let reach = NormalDistribution.quantile(1 - tail / Double(max(1, family))) + NormalDistribution.quantile(0.8)
        let difference = base.share - candidate.share
        let runs = spread * reach * reach / (difference * difference)
        guard runs <= Double(most) else { return nil }
        return max(more, Int(runs.rounded(.up)))
    }
}
