import Comparison

/// One metric over the runs of a profile: a dot for each run, a line at the median of each release, and the change points.
///
/// The page's script shows the readings from the page's data; dots are in the order of the runs.
struct ReleaseChart {
    struct Stretch {
        var release: String
        var runs: Range<Int>
    }

    var metric: TrendMetric
    var runs: [TrendRun]
    var label: String

    private static let height = 120.0
    private static let ticksAtMost = 8

    func plot() -> Plot? {
        let known = metric.values.compactMap(\.self)
        guard let low = known.min(), let high = known.max(), known.count > 1 else { return nil }
        let least = metric.unit == .microseconds ? 1.0 : 0.5
        let room = max((high - low) * 0.1, abs(high) * 0.02, least)
        let ceiling = metric.unit == .percent && high <= 100 ? 100 : Double.infinity
        let scale = LinearScale(max(low - room, low >= 0 ? 0 : low - room), min(high + room, ceiling))
        var plot = Plot(name: "\(metric.metric) of each run", height: Self.height)
        plot.verticalTicks = Ticks.values(from: scale.lowest, to: scale.highest, atMost: 5).map {
            Tick(fraction: scale.fraction(of: $0), label: metric.unit.tick($0))
        }
        let stretches = stretches()
        let step = max(1, (stretches.count + Self.ticksAtMost - 1) / Self.ticksAtMost)
        plot.horizontalTicks = stride(from: 0, to: stretches.count, by: step).map {
            let release = stretches[$0].release
            let label = release.count > 12 ? release.prefix(11) + "…" : release[...]
            return Tick(fraction: edge(stretches[$0].runs.lowerBound), label: String(label))
        }
        draw(stretches, in: &plot, on: scale)
        return plot
    }

    private func place(_ index: Int) -> Double { (Double(index) + 0.5) / Double(max(runs.count, 1)) }

    private func edge(_ index: Int) -> Double { Double(index) / Double(max(runs.count, 1)) }

    /// Runs without the label form stretches of their own, named "–".
    func stretches() -> [Stretch] {
        var found: [Stretch] = []
        for (index, run) in runs.enumerated() {
            let release = run.labels[label].flatMap { $0.isEmpty ? nil : $0 } ?? "–"
            if let last = found.last, Spelling(last.release) == Spelling(release) {
                found[found.count - 1].runs = last.runs.lowerBound..<(index + 1)
            } else {
                found.append(Stretch(release: release, runs: index..<(index + 1)))
            }
        }
        return found
    }

    private func draw(_ stretches: [Stretch], in plot: inout Plot, on scale: LinearScale) {
        let height = plot.height
        let y = { (value: Double) in height - scale.fraction(of: value) * height }
        var (bands, medians, dots) = (VectorPath(), VectorPath(), VectorPath())
        for (number, stretch) in stretches.enumerated() {
            let (left, right) = (Plot.x(edge(stretch.runs.lowerBound)), Plot.x(edge(stretch.runs.upperBound)))
            if number % 2 == 1 { bands.rectangle(x: left, y: 0, width: right - left, height: plot.height) }
            let values = stretch.runs.compactMap { metric.values[$0] }.sorted()
            guard values.count > 1 else { continue }
            medians.move(left, y(values[values.count / 2]))
            medians.horizontal(right)
        }
        for (index, value) in metric.values.enumerated() {
            guard let value else { continue }
            dots.move(Plot.x(place(index)), y(value))
            // A line of no length with a round cap is a dot that stretching does not turn into an ellipse.
            dots.horizontal(Plot.x(place(index)))
        }
        let shapes = [(bands, "band"), (dots, "dots"), (medians, "median")]
        for (path, style) in shapes { plot.shapes.shape(path, style) }
        for change in metric.changePoints {
            plot.marks.vertical(
                at: edge(change.index),
                from: 0,
                to: plot.height,
                change.isWorse ? "dl grace" : "dl lead"
            )
        }
    }
}
