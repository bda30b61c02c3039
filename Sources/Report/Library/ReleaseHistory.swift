import Comparison
import Results
import Rules

struct ReleaseHistory: Sendable {
    /// Change points are among the drawn runs.
    typealias Chart = (metric: TrendMetric, chart: Markup)

    /// Figures are in the order of `heads`.
    typealias Release = (name: String, figures: [String], days: String)

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
        let names = drawn.map { $0.release(by: label) ?? "–" }
        let figures =
            [(name: "breaks.on_time", value: { @Sendable (row: RunRow) in row.onTimePercent })]
            + RunRow.figureNames.map { name in (name: name, value: { @Sendable row in row.figuresMicroseconds[name] }) }
        let shown = figures.filter { figure in drawn.contains { figure.value($0) != nil } }
        charts = shown.compactMap { figure in
            TrendAnalysis().metric(named: figure.name, values: drawn.map(figure.value), runs: runs)
                .flatMap { metric in metric.releases(of: names).map { (metric: metric, chart: $0.markup()) } }
        }
        heads =
            ["Runs", "Passed", "On time"] + shown.dropFirst().map { $0.name.replacing(".response.p99", with: " p99") }
        releases = Self.releases(judged, label, figures: shown.dropFirst().map(\.name), group: group)
        note = Self.note(judged: judged.count, sound: sound.count, group: group.count, drawn: drawn.count)
    }

    /// A file in two folders is one run.
    private static func distinct(_ rows: [RunRow]) -> [RunRow] {
        var known: Set<[Int64]> = []
        return rows.filter { known.insert([$0.startedAtMicroseconds, $0.endedAtMicroseconds]).inserted }
    }

    private static func note(judged: Int, sound: Int, group: Int, drawn: Int) -> String {
        let parts = [
            (judged - sound, "without certain information"),
            (sound - group, "of another profile text or machine, or in the folder twice"),
            (group - drawn, "before these"),
        ].filter { $0.0 > 0 }
        guard !parts.isEmpty else { return "" }
        return "Not in the charts: "
            + parts.map { "\(TextLayout.counted($0.0, "run")) \($0.1)" }.joined(separator: "; ") + "."
    }

    private static func releases(
        _ rows: [RunRow],
        _ label: String,
        figures: [String],
        group: Set<Spelling>
    ) -> [Release] {
        var known: Set<Spelling> = []
        let spelling = { (row: RunRow) in Spelling(row.release(by: label) ?? "–") }
        let byName = Dictionary(grouping: rows, by: spelling)
        return rows.map(spelling).filter { known.insert($0).inserted }.prefix(40).map { name in
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
            let span = days.first == days.last ? String(days.first ?? "") : days.joined(separator: " to ")
            return (name.text, counts + medians, span)
        }
    }
}

extension TrendMetric {
    /// A dot for each run, a line at the median of each release, and the change points.
    ///
    /// Dots are in the order of the runs, for the page's script; `names` are the runs' releases.
    func releases(of names: [String]) -> Plot? {
        let known = values.compactMap(\.self)
        guard let low = known.min(), let high = known.max(), known.count > 1 else { return nil }
        var plot = plot(from: low, to: high, height: 120)
        let stretches = stretches(of: names)
        let ticksAtMost = 8
        let step = max(1, (stretches.count + ticksAtMost - 1) / ticksAtMost)
        plot.horizontalTicks = stride(from: 0, to: stretches.count, by: step).map {
            let release = stretches[$0].release
            let label = release.count > 12 ? release.prefix(11) + "…" : release[...]
            return (fraction: edge(stretches[$0].runs.lowerBound), label: String(label))
        }
        draw(stretches.map(\.runs), in: &plot)
        return plot
    }

    private func stretches(of names: [String]) -> [(release: String, runs: Range<Int>)] {
        var found: [(release: String, runs: Range<Int>)] = []
        for (index, release) in names.enumerated() {
            if let last = found.last, Spelling(last.release) == Spelling(release) {
                found[found.count - 1].runs = last.runs.lowerBound..<(index + 1)
            } else {
                found.append((release, index..<(index + 1)))
            }
        }
        return found
    }

    private func draw(_ stretches: [Range<Int>], in plot: inout Plot) {
        var (bands, medians, dots) = (VectorPath(), VectorPath(), VectorPath())
        for (number, stretch) in stretches.enumerated() {
            let (left, right) = (Plot.x(edge(stretch.lowerBound)), Plot.x(edge(stretch.upperBound)))
            if number % 2 == 1 { bands.rectangle(x: left, y: 0, width: right - left, height: plot.height) }
            let measured = stretch.compactMap { values[$0] }.sorted()
            guard measured.count > 1 else { continue }
            medians.move(left, plot.y(measured[measured.count / 2]))
            medians.horizontal(right)
        }
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            dots.move(Plot.x(place(index)), plot.y(value))
            // Stretching does not turn a line of no length with a round cap into an ellipse.
            dots.horizontal(Plot.x(place(index)))
        }
        let shapes = [(bands, "band"), (dots, "dots"), (medians, "median")]
        for (path, style) in shapes { plot.shapes.shape(path, style) }
        drawChanges(in: &plot)
    }
}

/// One profile's worst verdict of each day; the page's script draws the strip again when runs are filtered.
struct NightStrip {
    var rows: [RunRow]
    /// Days since the Unix epoch, common to all strips.
    var days: ClosedRange<Int64>

    private static let height = 22.0
    /// Keeps the bar of a lone day from filling the strip; `library.js` has the same number.
    private static let fewestDays = 14

    /// The worst last; `share` is that of the height.
    private static let grades: [(tone: Tone, share: Double)] = [(.good, 0.4), (.warn, 0.7), (.bad, 1)]

    static func day(of row: RunRow) -> Int64 { row.startedAtMicroseconds / 86_400_000_000 }

    func plot() -> Plot {
        // A capacity or a part of a run has no verdict of its own.
        let judged = rows.filter { $0.tone != .plain && days.contains(Self.day(of: $0)) }
        let byDay = Dictionary(grouping: judged, by: Self.day)
        var paths = Self.grades.map { _ in VectorPath() }
        let width = Plot.width / Double(max(days.count, Self.fewestDays))
        for (day, rows) in byDay.sorted(by: { $0.key < $1.key }) {
            let worst = Self.grades.lastIndex { grade in rows.contains { $0.tone == grade.tone } } ?? 0
            let (x, height) = (Plot.x(place(day)) - width * 0.42, Self.height * Self.grades[worst].share)
            paths[worst].rectangle(x: x, y: Self.height - height, width: width * 0.84, height: height)
        }
        var plot = Plot(name: "Verdicts of \(rows.first?.profile ?? ""), day by day", height: Self.height)
        for (grade, path) in zip(Self.grades, paths) { plot.shapes.shape(path, "night-\(grade.tone.rawValue)") }
        plot.horizontalTicks = ticks()
        plot.style = "strip"
        return plot
    }

    private func place(_ day: Int64) -> Double { (Double(day - days.lowerBound) + 0.5) / Double(days.count) }

    private static func text(_ day: Int64) -> String { String(TimeText.instant(day * 86_400_000_000).prefix(10)) }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private func ticks() -> [Tick] {
        guard days.count > 62 else {
            let step = Int64(max(1, (days.count + 6) / 7))
            return stride(from: days.lowerBound, through: days.upperBound, by: Int64.Stride(step)).map { day in
                (fraction: place(day), label: String(Self.text(day).dropFirst(5)))
            }
        }
        let firsts = days.filter { Self.text($0).hasSuffix("-01") }
        let step = (firsts.count + 11) / 12
        return firsts.enumerated().filter { $0.offset % max(step, 1) == 0 }.map { _, day in
            let text = Self.text(day)
            let month = Int(text.dropFirst(5).prefix(2)) ?? 1
            let name = Self.months[(month - 1) % 12]
            return (fraction: place(day), label: month == 1 ? String(text.prefix(4)) : name)
        }
    }
}
