enum Sparkline {
    private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    /// Least span of the bars, as a share of the median, so that noise does not look like a change.
    private static let leastSpan = 0.4

    static func drawn(_ values: [Double?], width: Int) -> String {
        let shown = values.suffix(max(1, width))
        let known = shown.compactMap(\.self)
        guard let low = known.min(), let high = known.max() else { return String(repeating: " ", count: shown.count) }
        let middle = known.sorted()[known.count / 2]
        let span = max(high - low, leastSpan * middle.magnitude)
        let bottom = low - (span - (high - low)) / 2
        return String(
            shown.map { value in
                guard let value else { return " " }
                guard span > 0, span.isFinite else { return bars[0] }
                let step = Int(((value - bottom) / span * Double(bars.count - 1)).rounded())
                return bars[min(max(step, 0), bars.count - 1)]
            }
        )
    }
}
