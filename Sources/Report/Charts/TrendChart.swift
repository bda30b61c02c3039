import Comparison
import Rules

/// One metric over the runs of a history: a dot for each run, the newest run's expected band, and the change points.
struct TrendChart {
    var metric: TrendMetric
    var runs: [TrendRun]

    func plot() -> Plot? {
        let known = metric.values.compactMap(\.self)
        guard let low = known.min(), let high = known.max(), runs.count > 1 else { return nil }
        let lowest = min(low, metric.expected?.low ?? low)
        let highest = max(high, metric.expected?.high ?? high)
        let least = metric.unit == .microseconds ? 1.0 : 0.5
        let room = max((highest - lowest) * 0.1, abs(highest) * 0.02, least)
        let ceiling = metric.unit == .percent && highest <= 100 ? 100 : Double.infinity
        let scale = LinearScale(max(lowest - room, lowest >= 0 ? 0 : lowest - room), min(highest + room, ceiling))
        var plot = Plot(name: "\(metric.metric) of each run", height: 110)
        plot.verticalTicks = Ticks.values(from: scale.lowest, to: scale.highest, atMost: 5).map {
            Tick(fraction: scale.fraction(of: $0), label: metric.unit.tick($0))
        }
        plot.horizontalTicks = ticks()
        drawExpectation(in: &plot, on: scale)
        drawRuns(in: &plot, on: scale)
        plot.readings = readings()
        return plot
    }

    private func place(_ index: Int) -> Double { (Double(index) + 0.5) / Double(max(runs.count, 1)) }

    /// Days of evenly spaced runs.
    private func ticks() -> [Tick] {
        let step = max(1, (runs.count + 5) / 6)
        return stride(from: 0, to: runs.count, by: step).map {
            Tick(fraction: place($0), label: String(runs[$0].startedAt.prefix(10).dropFirst(5)))
        }
    }

    private func drawExpectation(in plot: inout Plot, on scale: LinearScale) {
        guard let expected = metric.expected else { return }
        let from = place(metric.expectedFrom ?? 0) - 0.5 / Double(runs.count)
        let top = plot.y(scale.fraction(of: expected.high))
        plot.marks.bar(
            from: from,
            to: 1,
            y: top,
            height: plot.y(scale.fraction(of: expected.low)) - top,
            "band"
        )
        plot.marks.horizontal(y: plot.y(scale.fraction(of: expected.median)), "ax0", from: from, to: 1)
    }

    private func drawRuns(in plot: inout Plot, on scale: LinearScale) {
        for change in metric.changePoints {
            let edge = place(change.index) - 0.5 / Double(runs.count)
            plot.marks.vertical(at: edge, from: 0, to: plot.height, change.isWorse ? "dl grace" : "dl lead")
        }
        for (index, value) in metric.values.enumerated() {
            guard let value else { continue }
            let isNewest = index == metric.values.count - 1
            let style = isNewest && metric.verdict == .worse ? "dot worse" : isNewest ? "dot newest" : "rd cand"
            plot.marks.dot(at: place(index), y: plot.y(scale.fraction(of: value)), radius: isNewest ? 4.5 : 3, style)
        }
    }

    private func readings() -> Readings {
        let changes = Dictionary(
            metric.changePoints.map { ($0.index, $0.text) },
            uniquingKeysWith: { first, _ in first }
        )
        let labels = runs.map { run in
            run.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        }
        return Readings(
            fractions: runs.indices.map(place),
            headings: zip(runs, labels).map { ($0.startedAt.prefix(16).replacing("T", with: " ") + " " + $1) },
            lines: [
                .init(
                    name: metric.metric,
                    style: "",
                    values: metric.values.map { $0.map { metric.unit.amount($0) } ?? "" }
                ),
                .init(name: "", style: "", values: runs.indices.map { changes[$0] ?? "" }),
            ]
        )
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
        case .percent: MetricText.number(value) + " %"
        case .count: TickText.count(value)
        }
    }
}
