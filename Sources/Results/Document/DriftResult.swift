/// Trend of one series of windows over a run.
package struct DriftResult: Equatable, Codable, Sendable {
    /// Drift of the target fails the run, of the generator makes it undecidable.
    package enum Subject: String, Codable, Sendable {
        case target
        case generator
    }

    package enum Verdict: String, Codable, Sendable {
        /// No trend, or one below the minimum effect.
        case steady
        /// Significant trend to the worse, at least of the minimum effect.
        case creeping
        case improving
        case tooFewWindows = "too_few_windows"
    }

    /// For example `pod_manifest.response.p99`.
    package var series: String
    package var subject: Subject
    package var verdict: Verdict
    /// `us`, `percent`, `bytes` or `count`.
    package var unit: String
    /// Without the warm-up and windows without samples.
    package var windows: Int
    package var spanMilliseconds: Int64?
    /// Theil-Sen estimator.
    package var slopePerHour: Double?
    package var slopeLowPerHour: Double?
    package var slopeHighPerHour: Double?
    /// Two-sided Mann-Kendall test.
    package var pValue: Double?
    /// A smaller slope is called steady.
    package var minimumEffectPerHour: Double
    package var median: Double?
    package var text: String

    package init(
        series: String,
        subject: Subject,
        verdict: Verdict,
        unit: String,
        windows: Int,
        spanMilliseconds: Int64? = nil,
        slopePerHour: Double? = nil,
        slopeLowPerHour: Double? = nil,
        slopeHighPerHour: Double? = nil,
        pValue: Double? = nil,
        minimumEffectPerHour: Double,
        median: Double? = nil,
        text: String
    ) {
        self.series = series
        self.subject = subject
        self.verdict = verdict
        self.unit = unit
        self.windows = windows
        self.spanMilliseconds = spanMilliseconds
        self.slopePerHour = slopePerHour
        self.slopeLowPerHour = slopeLowPerHour
        self.slopeHighPerHour = slopeHighPerHour
        self.pValue = pValue
        self.minimumEffectPerHour = minimumEffectPerHour
        self.median = median
        self.text = text
    }
}
