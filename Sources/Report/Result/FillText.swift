import Results
import Rules

struct FillText {
    /// Shares of the requested time: ads and slate together, and each; a dash if no time was requested.
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
