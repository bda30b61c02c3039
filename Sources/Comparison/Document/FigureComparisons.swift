import Rules

/// One quantile on both sides, judged by run.
package struct MetricComparison: Equatable, Codable, Sendable {
    package struct Side: Equatable, Codable, Sendable {
        /// In the order of the side's runs; nil for a run without the figure.
        package var runsMicroseconds: [Double?]
        /// Nil if no run has the figure.
        package var medianMicroseconds: Double?
        /// Standard deviation of the logarithms, about the relative one; nil with fewer than two runs.
        package var spread: Double?
    }

    /// Spelled as in `MetricCatalogue`, for example `pod_manifest.response.p99`.
    package var metric: String
    package var gating: Bool
    package var base: Side
    package var candidate: Side
    package var marginPercent: Double
    /// The larger of the declared margin and the floor as a percentage.
    package var appliedMarginPercent: Double
    /// Hodges-Lehmann estimate: above 1 the candidate is slower; nil if a side has no figure.
    package var ratio: Double?
    /// The 90 % interval; nil with too few runs.
    package var ratioLow: Double?
    package var ratioHigh: Double?
    /// Actual coverage of the interval, at least `confidence_percent`; nil without one.
    package var achievedConfidencePercent: Double?
    /// One-sided, for the hypothesis "the candidate is slower by no more than the margin".
    package var regressionP: Double?
    /// After Holm's correction, which applies to gating metrics only.
    package var regressionAdjustedP: Double?
    /// One-sided, for the hypothesis "the candidate is faster by no more than the margin".
    package var improvementP: Double?
    package var improvementAdjustedP: Double?
    package var verdict: FigureVerdict
    /// Runs on each side that would probably decide; nil if decided or if no practical number would.
    package var runsNeededPerSide: Int?
    package var text: String
}

package struct RateComparison: Equatable, Codable, Sendable {
    package enum Polarity: String, Codable, Sendable {
        case higherIsBetter = "higher_is_better"
        case lowerIsBetter = "lower_is_better"
    }

    /// Counts over all runs of the side.
    package struct Side: Equatable, Codable, Sendable {
        package var events: UInt64
        package var outOf: UInt64
        /// Nil if there were no trials.
        package var percent: Double?
        /// Clopper-Pearson interval at `confidence_percent`; nil if there were no trials.
        package var lowPercent: Double?
        package var highPercent: Double?
        /// In the order of the side's runs; nil for a run without trials.
        package var runsPercent: [Double?]
    }

    /// Spelled as in `MetricCatalogue`, for example `breaks.on_time`; `findings.CODE.viewers` for viewers with a finding.
    package var metric: String
    package var polarity: Polarity
    package var base: Side
    package var candidate: Side
    /// Candidate less base; nil if a side has no rate.
    package var differencePoints: Double?
    /// Factor by which the runs of one side differ more than independent requests would, at least 1.
    ///
    /// Counts are divided by it for tests and intervals. Nil (unknown) with a single run on a side.
    package var dispersion: Double?
    /// Fisher's exact test, one-sided towards the worse.
    package var regressionP: Double?
    package var regressionAdjustedP: Double?
    /// One-sided towards the better.
    package var improvementP: Double?
    package var improvementAdjustedP: Double?
    package var verdict: FigureVerdict
    /// Runs on each side that would probably decide; nil if decided or if no practical number would.
    package var runsNeededPerSide: Int?
    package var text: String
}

/// One finding code on both sides; new findings and those beyond their allowance have zero tolerance and no statistics.
package struct FindingComparison: Equatable, Codable, Sendable {
    package enum Change: String, Codable, CaseIterable, Sendable {
        /// In the candidate and in no run of the base: a regression unless the profile allows it.
        case new
        /// On both sides, within its allowance in every run of the base and beyond it in one of the candidate's: a regression.
        case beyondAllowance = "beyond_allowance"
        /// On both sides; `RateComparison` compares the affected viewers.
        case persisting
        /// In the base and in no run of the candidate.
        case gone
    }

    package struct Side: Equatable, Codable, Sendable {
        package var runs: Int
        package var count: UInt64
        /// Largest share of affected viewers in one run.
        package var viewersPercentMaximum: Double
    }

    package var code: String
    package var severity: String
    package var meaning: String
    package var change: Change
    /// Whether every run with the finding allows it.
    package var allowed: Bool
    package var base: Side
    package var candidate: Side
    package var text: String

    /// Whether the finding is new or beyond its allowance; advice never is a regression.
    package var isRegression: Bool {
        (change == .new || change == .beyondAllowance) && !allowed && severity != Severity.advice.rawValue
    }
}

/// Percentile curves of one distribution on both sides, for an overlaid chart.
package struct CurveComparison: Equatable, Codable, Sendable {
    package struct Point: Equatable, Codable, Sendable {
        /// From 0 to 100.
        package var percentile: Double
        package var microseconds: Double

        private enum CodingKeys: String, CodingKey {
            case percentile
            case microseconds = "us"
        }
    }

    package struct Side: Equatable, Codable, Sendable {
        package var count: UInt64
        /// Sum of all runs' distributions, ascending up to 100; empty if nothing was recorded.
        package var merged: [Point]
        /// In the order of the side's runs; empty for a run without the distribution.
        package var runs: [[Point]]
    }

    /// Without the statistic, for example `pod_manifest.response`.
    package var distribution: String
    package var base: Side
    package var candidate: Side
}

/// Differences between the breaks of two single runs.
///
/// The intervals contain the noise within a run but not between runs of one release, so they are no evidence about a release.
package struct WithinRunComparison: Equatable, Codable, Sendable {
    package struct Figure: Equatable, Codable, Sendable {
        /// For example `slowest_response` or `on_time`.
        package var name: String
        /// `us` or `percent`.
        package var unit: String
        /// Medians over the breaks of each side.
        package var base: Double
        package var candidate: Double
        /// Candidate divided by base for `us`, candidate less base for `percent`.
        package var change: Double
        /// Bootstrap over breaks, 90 %.
        package var changeLow: Double
        package var changeHigh: Double
    }

    package var baseBreaks: Int
    package var candidateBreaks: Int
    package var seed: UInt64
    package var resamples: Int
    package var figures: [Figure]
    /// The caveat to show beside the figures.
    package var text: String
}
