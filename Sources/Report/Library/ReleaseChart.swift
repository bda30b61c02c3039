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
        var (plot, scale) = metric.plot(from: low, to: high, height: Self.height)
        let stretches = stretches()
        let step = max(1, (stretches.count + Self.ticksAtMost - 1) / Self.ticksAtMost)
        plot.horizontalTicks = stride(from: 0, to: stretches.count, by: step).map {
            let release = stretches[$0].release
            let label = release.count > 12 ? release.prefix(11) + "…" : release[...]
            return Tick(fraction: metric.edge(stretches[$0].runs.lowerBound), label: String(label))
        }
        draw(stretches, in: &plot, on: scale)
        return plot
    }

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
            let (left, right) = (
                Plot.x(metric.edge(stretch.runs.lowerBound)), Plot.x(metric.edge(stretch.runs.upperBound))
            )
            if number % 2 == 1 { bands.rectangle(x: left, y: 0, width: right - left, height: plot.height) }
            let values = stretch.runs.compactMap { metric.values[$0] }.sorted()
            guard values.count > 1 else { continue }
            medians.move(left, y(values[values.count / 2]))
            medians.horizontal(right)
        }
        for (index, value) in metric.values.enumerated() {
            guard let value else { continue }
            dots.move(Plot.x(metric.place(index)), y(value))
            // A line of no length with a round cap is a dot that stretching does not turn into an ellipse.
            dots.horizontal(Plot.x(metric.place(index)))
        }
        let shapes = [(bands, "band"), (dots, "dots"), (medians, "median")]
        for (path, style) in shapes { plot.shapes.shape(path, style) }
        metric.drawChanges(in: &plot)
    }
}
