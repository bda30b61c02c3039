import Comparison
import Results
import Rules

struct ReleaseHistory: Sendable {
    struct Chart: Sendable {
        var metric: String
        var newest: String
        /// Their indices are among the drawn runs.
        var changes: [TrendChangePoint]
        var chart: Markup
    }

    struct Release: Sendable {
        var name: String
        /// In the order of `heads`.
        var figures: [String]
        var days: String
    }

    /// Most runs drawn, the newest ones.
    static let longest = 600

    var charts: [Chart] = []
    var releases: [Release] = []
    var heads: [String] = []
    /// The omissions, in a sentence.
    var note = ""
    /// Runs with comparable figures.
    var group: Set<Spelling> = []

    init(_ rows: [RunRow], label: String) {
        let judged = rows.filter { $0.kind != .capacity && $0.kind != .searched && $0.kind != .shard }
        let sound = judged.filter { $0.doubt == nil }
        let comparable = Self.distinct(
            sound.filter { $0.profileDigest == sound.first?.profileDigest && $0.hostClass == sound.first?.hostClass }
        )
        group = Set(comparable.map { Spelling($0.path) })
        let drawn = Array(comparable.prefix(Self.longest).reversed())
        let runs = drawn.map { TrendRun($0) }
        let figures =
            [(name: "breaks.on_time", value: { @Sendable (row: RunRow) in row.onTimePercent })]
            + RunRow.figureNames.map { name in (name: name, value: { @Sendable row in row.figuresMicroseconds[name] }) }
        let shown = figures.filter { figure in drawn.contains { figure.value($0) != nil } }
        charts = shown.compactMap { figure in
            TrendAnalysis().metric(named: figure.name, values: drawn.map(figure.value), runs: runs)
                .flatMap { Self.chart($0, runs, label) }
        }
        heads =
            ["Runs", "Passed", "On time"] + shown.dropFirst().map { $0.name.replacing(".response.p99", with: " p99") }
        releases = Self.releases(judged, label, figures: shown.dropFirst().map(\.name), group: group)
        note = Self.note(judged: judged.count, sound: sound.count, group: group.count, drawn: drawn.count)
    }

    private static func chart(_ metric: TrendMetric, _ runs: [TrendRun], _ label: String) -> Chart? {
        ReleaseChart(metric: metric, runs: runs, label: label).plot().map { plot in
            Chart(
                metric: metric.metric,
                newest: (metric.values.last ?? nil).map(metric.unit.amount) ?? "–",
                changes: metric.changePoints,
                chart: plot.markup()
            )
        }
    }

    /// A file in two folders is one run.
    private static func distinct(_ rows: [RunRow]) -> [RunRow] {
        var known: Set<[Int64]> = []
        return rows.filter { known.insert([$0.startedAtMicroseconds, $0.endedAtMicroseconds]).inserted }
    }

    private static func note(judged: Int, sound: Int, group: Int, drawn: Int) -> String {
        let parts = [
            (judged - sound, "say nothing certain"),
            (sound - group, "had another profile text or machine, or lie twice"),
            (group - drawn, "are older"),
        ].filter { $0.0 > 0 }
        guard !parts.isEmpty else { return "" }
        return "Not in the charts: "
            + parts.map { "\(TextLayout.counted($0.0, "run")) that \($0.1)" }.joined(separator: "; ") + "."
    }

    private static func releases(
        _ rows: [RunRow],
        _ label: String,
        figures: [String],
        group: Set<Spelling>
    ) -> [Release] {
        var order: [Spelling] = []
        let spelling = { (row: RunRow) in Spelling(row.release(by: label) ?? "–") }
        let byName = Dictionary(grouping: rows, by: spelling)
        for row in rows {
            let name = spelling(row)
            if order.last != name, !order.contains(name) { order.append(name) }
            if order.count == 40 { break }
        }
        return order.map { name in
            let runs = byName[name] ?? []
            let known = runs.filter { group.contains(Spelling($0.path)) }
            let due = known.reduce(0.0) { $0 + Double($1.due) }
            let onTime = known.reduce(0.0) { $0 + Double($1.onTime) }
            let passed = runs.count { $0.outcome == RunVerdict.Outcome.passed.rawValue }
            let punctual = due > 0 ? MetricText.percent(onTime * 100 / due) : "–"
            let counts = [TextLayout.grouped(runs.count), TextLayout.grouped(passed), punctual]
            let medians = figures.map { figure in
                let values = known.compactMap { $0.figuresMicroseconds[figure] }.sorted()
                return values.isEmpty ? "–" : MetricText.time(microseconds: values[values.count / 2])
            }
            let days = [runs.last, runs.first].compactMap { $0?.startText.prefix(10) }
            return Release(
                name: name.text,
                figures: counts + medians,
                days: days.first == days.last ? String(days.first ?? "") : days.joined(separator: " to ")
            )
        }
    }
}

/// A dot for each run, a line at the median of each release, and the change points.
///
/// Dots are in the order of the runs, for the page's script.
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
        var plot = metric.plot(from: low, to: high, height: Self.height)
        let stretches = stretches()
        let step = max(1, (stretches.count + Self.ticksAtMost - 1) / Self.ticksAtMost)
        plot.horizontalTicks = stride(from: 0, to: stretches.count, by: step).map {
            let release = stretches[$0].release
            let label = release.count > 12 ? release.prefix(11) + "…" : release[...]
            return Tick(fraction: metric.edge(stretches[$0].runs.lowerBound), label: String(label))
        }
        draw(stretches, in: &plot)
        return plot
    }

    /// Runs without the label are named "–".
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

    private func draw(_ stretches: [Stretch], in plot: inout Plot) {
        var (bands, medians, dots) = (VectorPath(), VectorPath(), VectorPath())
        for (number, stretch) in stretches.enumerated() {
            let left = Plot.x(metric.edge(stretch.runs.lowerBound))
            let right = Plot.x(metric.edge(stretch.runs.upperBound))
            if number % 2 == 1 { bands.rectangle(x: left, y: 0, width: right - left, height: plot.height) }
            let values = stretch.runs.compactMap { metric.values[$0] }.sorted()
            guard values.count > 1 else { continue }
            medians.move(left, plot.y(values[values.count / 2]))
            medians.horizontal(right)
        }
        for (index, value) in metric.values.enumerated() {
            guard let value else { continue }
            dots.move(Plot.x(metric.place(index)), plot.y(value))
            // Stretching does not turn a line of no length with a round cap into an ellipse.
            dots.horizontal(Plot.x(metric.place(index)))
        }
        let shapes = [(bands, "band"), (dots, "dots"), (medians, "median")]
        for (path, style) in shapes { plot.shapes.shape(path, style) }
        metric.drawChanges(in: &plot)
    }
}
