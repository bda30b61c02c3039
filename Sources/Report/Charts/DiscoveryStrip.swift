import Results

/// Discovery of one break: viewers that saw it, by the time since the first viewer saw it.
struct DiscoveryStrip {
    let entry: BreakResult
    let discovery: DiscoveryResult

    private static let height = 30.0
    /// A shorter axis would make one instant look like a spread.
    private static let leastMilliseconds = 500.0

    func plot() -> Plot? {
        let step = Double(min(max(discovery.bucketMilliseconds, 1), 60_000))
        let counts = discovery.counts.prefix(6_000)
        let most = Double(counts.max() ?? 0)
        guard most > 0 else { return nil }
        let scale = LinearScale(0, max(Double(counts.count) * step * 1.03, Self.leastMilliseconds))
        var plot = Plot(name: name, height: Self.height)
        plot.style = "news"
        plot.horizontalTicks = Ticks.values(on: scale, atMost: 6) {
            $0 == 0 ? "first" : "+" + TickText.duration(microseconds: $0 * 1_000)
        }
        let bars = counts.enumerated().filter { $0.element > 0 }.map { index, count in
            BurstBars.Bar(start: Double(index) * step, end: Double(index + 1) * step, count: UInt64(count))
        }
        plot.shapes.shape(.bars(bars, on: scale, height: Self.height), "bars")
        plot.marks.leftLabel(TextLayout.grouped(counts.max() ?? 0), y: 9)
        plot.marks.leftLabel("saw it", y: Self.height)
        plot.readings = readings(Array(counts), step: step, on: scale)
        return plot
    }

    var text: String {
        let until = { (microseconds: Int64?) in microseconds.map(TimeText.duration) ?? "more than a minute" }
        return "Known to half of \(TextLayout.counted(discovery.viewers, "viewer"))"
            + " \(until(discovery.p50Microseconds)) after the first,"
            + " to 99% \(until(discovery.p99Microseconds)), to the last"
            + " \(TimeText.duration(discovery.maximumMicroseconds))."
    }

    private var name: String {
        "Break at \(TimeText.clock(entry.startMicroseconds)): viewers that saw it announced, per"
            + " \(discovery.bucketMilliseconds) ms from the first of all"
    }

    private func readings(_ counts: [UInt32], step: Double, on scale: LinearScale) -> Readings {
        let length = max(1, counts.count / 60)
        let groups = stride(from: 0, to: counts.count, by: length).map { $0..<min($0 + length, counts.count) }
        let spans = groups.map { (start: Double($0.lowerBound) * step, end: Double($0.upperBound) * step) }
        let text = { (milliseconds: Double) in "+" + TickText.duration(microseconds: milliseconds * 1_000) }
        let sums = groups.map { counts[$0].reduce(UInt64(0)) { $0 &+ UInt64($1) } }
        return Readings(
            fractions: spans.map { scale.fraction(of: ($0.start + $0.end) / 2) },
            headings: spans.map { "\(text($0.start)) to \(text($0.end))" },
            lines: [.init("saw it announced", style: "k-bars", sums.map { TextLayout.grouped($0) })]
        )
    }
}
