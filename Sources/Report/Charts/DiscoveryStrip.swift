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
        plot.horizontalTicks = Ticks.values(from: 0, to: scale.highest, atMost: 6).map {
            let label = $0 == 0 ? "first" : "+" + TickText.duration(microseconds: $0 * 1_000)
            return Tick(fraction: scale.fraction(of: $0), label: label)
        }
        var path = VectorPath()
        for (index, count) in counts.enumerated() where count > 0 {
            let left = Plot.x(scale.fraction(of: Double(index) * step))
            let width = Plot.x(scale.fraction(of: Double(index + 1) * step)) - left
            let height = max(1, Double(count) / most * Self.height)
            path.rectangle(x: left, y: Self.height - height, width: width - min(2, width * 0.12), height: height)
        }
        plot.shapes.shape(path, "bars")
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
        let stride = max(1, counts.count / 60)
        var fractions: [Double] = []
        var headings: [String] = []
        var values: [String] = []
        for index in Swift.stride(from: 0, to: counts.count, by: stride) {
            let end = min(index + stride, counts.count)
            let span = (Double(index) * step, Double(end) * step)
            fractions.append(scale.fraction(of: (span.0 + span.1) / 2))
            headings.append(
                "+\(TickText.duration(microseconds: span.0 * 1_000)) to +\(TickText.duration(microseconds: span.1 * 1_000))"
            )
            values.append(TextLayout.grouped(counts[index..<end].reduce(UInt64(0)) { $0 &+ UInt64($1) }))
        }
        return Readings(
            fractions: fractions,
            headings: headings,
            lines: [.init(name: "saw it announced", style: "k-bars", values: values)]
        )
    }
}
