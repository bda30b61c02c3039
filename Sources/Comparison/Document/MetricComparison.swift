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
