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
