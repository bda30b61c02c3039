/// Whether one series of windows moved over the length of a run.
package struct DriftResult: Equatable, Codable, Sendable {
    /// Whose drift it is: the target's fails the run, the generator's makes it undecidable.
    package enum Subject: String, Codable, Sendable {
        case target
        case generator
    }

    package enum Verdict: String, Codable, Sendable {
        /// No trend, or one smaller than the least that matters.
        case steady
        /// A trend to the worse that is real and large enough to matter.
        case creeping
        /// A trend to the better.
        case improving
        case tooFewWindows = "too_few_windows"
    }

    /// For example `pod_manifest.response.p99`, `breaks.on_time` or `generator.resident_bytes`.
    package var series: String
    package var subject: Subject
    package var verdict: Verdict
    /// `us`, `percent`, `bytes`, `count`: what the slope is in, per hour.
    package var unit: String
    /// Windows that were looked at, without those of the warm-up and those without samples.
    package var windows: Int
    /// From the start of the first of them to the end of the last; nil in results of versions that did not say it.
    package var spanMilliseconds: Int64?
    /// Theil and Sen's: the median of all slopes between two windows; nil with too few windows.
    package var slopePerHour: Double?
    package var slopeLowPerHour: Double?
    package var slopeHighPerHour: Double?
    /// Mann and Kendall's, two-sided; nil with too few windows.
    package var pValue: Double?
    /// The slope below which a trend is called steady.
    package var minimumEffectPerHour: Double
    /// The series' median, for a sense of proportion.
    package var median: Double?
    /// The verdict as a sentence.
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
