/// One quantile of both sides, judged by the run.
package struct MetricComparison: Equatable, Codable, Sendable {
    /// The quantile of each run of one side.
    package struct Side: Equatable, Codable, Sendable {
        /// Microseconds, in the order of the side's runs; nil where a run has no such figure.
        package var runsMicroseconds: [Double?]
        /// Nil where no run has the figure.
        package var medianMicroseconds: Double?
        /// Standard deviation of the logarithms, which is about the relative one; nil with fewer than two runs.
        package var spread: Double?

        package init(runsMicroseconds: [Double?], medianMicroseconds: Double?, spread: Double?) {
            self.runsMicroseconds = runsMicroseconds
            self.medianMicroseconds = medianMicroseconds
            self.spread = spread
        }
    }

    /// As `MetricCatalogue` spells it, for example `pod_manifest.response.p99`.
    package var metric: String
    /// Whether it decides the outcome.
    package var gating: Bool
    package var base: Side
    package var candidate: Side
    /// The relative margin that was declared.
    package var marginPercent: Double
    /// The margin that was applied: the declared one or the floor as a percentage, whichever is more.
    package var appliedMarginPercent: Double
    /// Hodges and Lehmann's: above 1 the candidate is slower.
    ///
    /// Nil where a side has no figure.
    package var ratio: Double?
    /// The 90 % interval; nil with too few runs for one to exist.
    package var ratioLow: Double?
    package var ratioHigh: Double?
    /// What the interval really covers, at least `confidence_percent`; nil without one.
    package var achievedConfidencePercent: Double?
    /// One-sided, of "the candidate is slower by no more than the margin".
    package var regressionP: Double?
    /// The same after Holm's correction, which leaves informational metrics as they are.
    package var regressionAdjustedP: Double?
    /// One-sided, of "the candidate is faster by no more than the margin".
    package var improvementP: Double?
    package var improvementAdjustedP: Double?
    package var verdict: FigureVerdict
    /// Runs on each side that would probably decide; nil where it is decided, or where no practical number would.
    package var runsNeededPerSide: Int?
    /// The verdict as a sentence.
    package var text: String

    package init(
        metric: String,
        gating: Bool,
        base: Side,
        candidate: Side,
        marginPercent: Double,
        appliedMarginPercent: Double,
        ratio: Double? = nil,
        ratioLow: Double? = nil,
        ratioHigh: Double? = nil,
        achievedConfidencePercent: Double? = nil,
        regressionP: Double? = nil,
        regressionAdjustedP: Double? = nil,
        improvementP: Double? = nil,
        improvementAdjustedP: Double? = nil,
        verdict: FigureVerdict,
        runsNeededPerSide: Int? = nil,
        text: String
    ) {
        self.metric = metric
        self.gating = gating
        self.base = base
        self.candidate = candidate
        self.marginPercent = marginPercent
        self.appliedMarginPercent = appliedMarginPercent
        self.ratio = ratio
        self.ratioLow = ratioLow
        self.ratioHigh = ratioHigh
        self.achievedConfidencePercent = achievedConfidencePercent
        self.regressionP = regressionP
        self.regressionAdjustedP = regressionAdjustedP
        self.improvementP = improvementP
        self.improvementAdjustedP = improvementAdjustedP
        self.verdict = verdict
        self.runsNeededPerSide = runsNeededPerSide
        self.text = text
    }
}
