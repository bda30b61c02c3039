import Glibc
import Values

enum RunsNeeded {
    /// No larger number is reported: the change is too near its margin, or the runs vary too much.
    static let most = 100

    /// Fewest runs on each side whose perfect order reaches a one-sided p-value: 3 at one in twenty.
    static func least(probability: Double) -> Int {
        var orders = 1.0
        for count in 1..<most {
            // The central binomial coefficient.
            orders *= Double(2 * (2 * count - 1)) / Double(count)
            if 1 / orders <= probability * (1 + 1e-9) { return count }
        }
        return most
    }

    /// Runs that each side lacks, by the figures of its runs.
    fileprivate static func more(_ needed: Int?, _ base: [Double?], _ candidate: [Double?]) -> Int? {
        needed.map { $0 - min($0, base.count { $0 != nil }, candidate.count { $0 != nil }) }
    }

    /// Runs that decide, with a power of 80 %, on which side of the margin the shift lies; nil above `most`.
    ///
    /// The rank test needs 3/π as many runs as a t-test where noise is normal (Hollander and others, 4.2). Figures and `margin`
    /// are logarithms; `tail` is the probability outside each end of the interval; `family` counts the metrics judged together.
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

    /// Runs that show the observed difference of shares with a power of 80 %; nil above `most`.
    ///
    /// Normal approximation, with trials divided by the dispersion (Rao and Scott 1992). `tail` is the one-sided significance
    /// level; `family` counts the rates judged together.
    static func perSide(_ comparison: RateComparison, tail: Double, family: Int) -> Int? {
        let (base, candidate) = (comparison.base, comparison.candidate)
        let more = min(base.runs, candidate.runs) + 1
        guard let dispersion = comparison.dispersion else { return max(5, more) }
        let spread = [base, candidate].reduce(0) { sum, side in
            // A share of 0 or 1 has a spread too.
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

extension MetricComparison {
    /// `slower` or `faster` for a change beyond its margin that is not proved.
    package var unprovedChange: String? {
        guard verdict == .inconclusive, let ratio else { return nil }
        let margin = 1 + appliedMarginPercent / 100
        return ratio > margin ? "slower" : ratio < 1 / margin ? "faster" : nil
    }

    /// Runs still to be made on each side.
    package var moreRuns: Int? { RunsNeeded.more(runsNeededPerSide, base.runsMicroseconds, candidate.runsMicroseconds) }
}

extension RateComparison {
    package var moreRuns: Int? { RunsNeeded.more(runsNeededPerSide, base.runsPercent, candidate.runsPercent) }
}

extension ComparisonDocument {
    /// Names the assumption behind the number of runs; nil without one.
    package var counsel: String? {
        verdict.runsNeededPerSide.map { runs in
            // Not every run has measured every figure.
            let open =
                metrics.filter { $0.gating && $0.verdict == .inconclusive }.compactMap(\.moreRuns)
                + rates.filter { $0.verdict == .inconclusive }.compactMap(\.moreRuns)
            let more = open.max() ?? runs - min(runs, base.runs.count, candidate.runs.count)
            let make = "Make \(GroupedDigits.counted(more, "more run")) on each side"
            // Without a spread the number is a default.
            guard base.runs.count + candidate.runs.count > 2 else {
                return make + ": only then is known how much runs differ."
            }
            return
                "\(make): \(runs) decide in four of five cases, if runs go on to differ as much as these and the true"
                + " change is the one seen."
        }
    }
}

extension RateComparison.Side {
    fileprivate var runs: Int { runsPercent.count { $0 != nil } }
    fileprivate var share: Double { (percent ?? 0) / 100 }
    fileprivate var trialsPerRun: Double { Double(outOf) / Double(max(1, runs)) }
}
