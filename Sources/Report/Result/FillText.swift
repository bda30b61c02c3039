import RunResult
import Thresholds

/// How a fill is shown, wherever it is.
struct FillText {
    /// Ads and slate, and each of the two, of the time that was asked for; a dash where nobody asked.
    let filled: String
    let ads: String
    let slate: String

    init(_ fill: FillResult) {
        filled = fill.filledPercent.map(MetricText.percent) ?? "-"
        ads = Self.share(fill.adMilliseconds, of: fill)
        slate = Self.share(fill.slateMilliseconds, of: fill)
    }

    private static func share(_ milliseconds: UInt64, of fill: FillResult) -> String {
        guard fill.askedMilliseconds > 0 else { return "-" }
        return MetricText.percent(Double(milliseconds) * 100 / Double(fill.askedMilliseconds))
    }
}
