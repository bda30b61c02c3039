import Comparison
import Rules

/// A dot for each run, the newest run's expected band, and the change points.
struct TrendChart {
    var metric: TrendMetric
    var runs: [TrendRun]

    func plot() -> Plot? {
        let known = metric.values.compactMap(\.self)
        guard let low = known.min(), let high = known.max(), runs.count > 1 else { return nil }
        let lowest = min(low, metric.expected?.low ?? low)
        let highest = max(high, metric.expected?.high ?? high)
        var plot = metric.plot(from: lowest, to: highest, height: 110)
        plot.horizontalTicks = ticks()
        drawExpectation(in: &plot)
        metric.drawChanges(in: &plot)
        drawRuns(in: &plot)
        plot.readings = readings()
        return plot
    }

    private func ticks() -> [Tick] {
        let step = max(1, (runs.count + 5) / 6)
        return stride(from: 0, to: runs.count, by: step).map {
            Tick(fraction: metric.place($0), label: String(runs[$0].startedAt.prefix(10).dropFirst(5)))
        }
    }

    private func drawExpectation(in plot: inout Plot) {
        guard let expected = metric.expected else { return }
        let from = metric.edge(metric.expectedFrom ?? 0)
        let top = plot.y(expected.high)
        plot.marks.bar(from: from, to: 1, y: top, height: plot.y(expected.low) - top, "band")
        plot.marks.horizontal(y: plot.y(expected.median), "ax0", from: from, to: 1)
    }

    private func drawRuns(in plot: inout Plot) {
        for (index, value) in metric.values.enumerated() {
            guard let value else { continue }
            let isNewest = index == metric.values.count - 1
            let style = isNewest && metric.verdict == .worse ? "dot worse" : isNewest ? "dot newest" : "rd cand"
            plot.marks.dot(at: metric.place(index), y: plot.y(value), radius: isNewest ? 4.5 : 3, style)
        }
    }

    private func readings() -> Readings {
        let changes = Dictionary(metric.changePoints.map { ($0.index, $0.text) }) { first, _ in first }
        let labels = runs.map { $0.labels.pairs.joined(separator: " ") }
        return Readings(
            fractions: runs.indices.map(metric.place),
            headings: zip(runs, labels).map { ($0.startedAt.prefix(16).replacing("T", with: " ") + " " + $1) },
            lines: [
                .init(metric.metric, metric.values.map { $0.map { metric.unit.amount($0) } ?? "" }),
                .init("", runs.indices.map { changes[$0] ?? "" }),
            ]
        )
    }
}

extension TrendMetric {
    func plot(from low: Double, to high: Double, height: Double) -> Plot {
        let room = max((high - low) * 0.1, abs(high) * 0.02, unit == .microseconds ? 1.0 : 0.5)
        let ceiling = unit == .percent && high <= 100 ? 100 : Double.infinity
        let scale = LinearScale(max(low - room, low >= 0 ? 0 : low - room), min(high + room, ceiling))
        var plot = Plot(name: "\(metric) of each run", height: height, up: scale)
        plot.verticalTicks = Ticks.values(on: scale, atMost: 5, unit.tick)
        return plot
    }

    func place(_ index: Int) -> Double { (Double(index) + 0.5) / Double(max(values.count, 1)) }

    /// The place between a run and the one before.
    func edge(_ index: Int) -> Double { Double(index) / Double(max(values.count, 1)) }

    func drawChanges(in plot: inout Plot) {
        for change in changePoints {
            let style = change.isWorse ? "dl grace" : "dl lead"
            plot.marks.vertical(at: edge(change.index), from: 0, to: plot.height, style)
        }
    }
}

extension TrendMetric.Unit {
    func amount(_ value: Double) -> String {
        switch self {
        case .microseconds: MetricText.time(microseconds: value)
        case .percent: MetricText.percent(value)
        case .count: MetricText.number(value)
        }
    }

    func tick(_ value: Double) -> String {
        switch self {
        case .microseconds: TickText.duration(microseconds: value)
        case .percent: MetricText.number(value) + "%"
        case .count: TickText.count(value)
        }
    }
}
