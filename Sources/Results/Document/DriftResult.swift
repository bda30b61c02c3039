/// Trend of one series of windows over a run.
package struct DriftResult: Equatable, Codable, Sendable {
    /// Side that drifts: the target's drift fails the run, the generator's makes it undecidable.
    package enum Subject: String, Codable, Sendable {
        case target
        case generator
    }

    package enum Verdict: String, Codable, Sendable {
        /// No trend, or one below the minimum effect.
        case steady
        /// A significant trend to the worse, at least of the minimum effect.
        case creeping
        case improving
        case tooFewWindows = "too_few_windows"
    }

    /// For example `pod_manifest.response.p99`, `breaks.on_time` or `generator.resident_bytes`.
    package var series: String
    package var subject: Subject
    package var verdict: Verdict
    /// Unit of the slope per hour: `us`, `percent`, `bytes` or `count`.
    package var unit: String
    /// Windows analysed, without the warm-up and windows without samples.
    package var windows: Int
    /// From the start of the first of them to the end of the last; nil in results of earlier versions.
    package var spanMilliseconds: Int64?
    /// Theil-Sen estimator: the median of all slopes between two windows; nil with too few windows.
    package var slopePerHour: Double?
    package var slopeLowPerHour: Double?
    package var slopeHighPerHour: Double?
    /// Two-sided Mann-Kendall test; nil with too few windows.
    package var pValue: Double?
    /// Slope below which a trend is called steady.
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
