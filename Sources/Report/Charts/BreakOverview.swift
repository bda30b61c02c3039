import Results
import Rules

struct BreakOverview {
    let breaks: [BreakResult]
    let run: RunDescription
    let deadlines: BreakDeadlines

    /// Nil with fewer than two breaks with viewers.
    func plot() -> Plot? {
        let breaks = breaks.filter { $0.due > 0 }
        guard breaks.count > 1 else { return nil }
        let time = LinearScale(0, max(run.seconds, 1))
        let offsets = breaks.flatMap { [$0.firstInHand, $0.lastInHand] }.compactMap(\.self)
        let low = min(Double(offsets.min() ?? 0) / 1_000, 0)
        var high = max(Double(offsets.max() ?? 0) / 1_000, 100)
        if let grace = deadlines.grace, grace <= high * 4 { high = max(high, grace) }
        let scale = LinearScale(low, high * 1.08)
        let name = "Each break: when the first and the last viewer had its pod, from its start"
        var plot = Plot(name: name, height: 120, across: time, up: scale)
        plot.horizontalTicks = Ticks.elapsed(seconds: time.highest)
        plot.verticalTicks = Ticks.values(on: scale, atMost: 5) { TickText.duration(microseconds: $0 * 1_000) }
        let isAtEdge = !breaks.contains { $0.lastPlayhead != nil }
        if isAtEdge, let grace = deadlines.grace, grace <= scale.highest {
            plot.marks.horizontal(y: plot.y(grace), "dl grace")
        }
        if low < 0 { plot.marks.horizontal(y: plot.y(0), "dl start") }
        draw(breaks, in: &plot)
        plot.readings = readings(breaks, in: plot)
        return plot
    }

    private func second(of entry: BreakResult) -> Double {
        Double(entry.startMicroseconds &- run.startedAtMicroseconds) / 1_000_000
    }

    private func draw(_ breaks: [BreakResult], in plot: inout Plot) {
        let width = min(max(Plot.width / Double(breaks.count) * 0.45, 1.4), 14)
        var (punctual, failing, misses) = (VectorPath(), VectorPath(), VectorPath())
        for entry in breaks {
            let x = Plot.x(plot.place(second(of: entry))) - width / 2
            let isPunctual = entry.onTime >= entry.due
            if let first = entry.firstInHand, let last = entry.lastInHand {
                let top = plot.y(Double(last) / 1_000)
                let bottom = plot.y(Double(first) / 1_000)
                let height = max(bottom - top, 2)
                if isPunctual {
                    punctual.rectangle(x: x, y: top, width: width, height: height)
                } else {
                    failing.rectangle(x: x, y: top, width: width, height: height)
                }
            }
            if !isPunctual { misses.rectangle(x: x - 1, y: -6, width: width + 2, height: 4) }
        }
        plot.shapes.shape(punctual, "bars")
        plot.shapes.shape(failing, "bad")
        plot.shapes.shape(misses, "bad")
    }

    private func readings(_ breaks: [BreakResult], in plot: Plot) -> Readings {
        let sorted = breaks.sorted { $0.startMicroseconds < $1.startMicroseconds }
        let inHand = sorted.map { entry -> String in
            guard let first = entry.firstInHand, let last = entry.lastInHand else { return "" }
            return TimeText.offset(first) + " to " + TimeText.offset(last)
        }
        return Readings(
            fractions: sorted.map { plot.place(second(of: $0)) },
            headings: sorted.map { "break at \(TimeText.clock($0.startMicroseconds))" },
            lines: [
                .init(
                    "on time",
                    sorted.map { "\($0.onTimePercent.map(MetricText.percent) ?? "-") of \(TextLayout.grouped($0.due))" }
                ),
                .init("in hand", style: "k-bars", inHand),
                .init("late", sorted.map { TextLayout.grouped($0.late) }),
                .init("failed", sorted.map { TextLayout.grouped($0.failedCount) }),
            ]
        )
    }
}

extension BreakResult {
    /// First viewer with its pod, from the break's start; only those in time in results without more detail.
    var firstInHand: Int64? { inHand?.firstMicroseconds ?? inHandFirstMicroseconds }

    /// Last viewer with its pod, late ones included if the result has them.
    var lastInHand: Int64? { inHand?.lastMicroseconds ?? inHandLastMicroseconds }

    var failedCount: UInt64 { failed.values.reduce(unresolved, &+) }
}
