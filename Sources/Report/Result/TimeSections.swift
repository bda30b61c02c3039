import Comparison
package import Results
import Rules

enum TimeSections {
    static func overTime(_ document: ResultDocument) -> Section? {
        let windows = document.windows ?? []
        let drift = document.drift ?? []
        let steps = document.clock.flatMap { $0.stepCount > 0 ? ClockText.sentence($0) : nil }
        guard windows.count > 1 || !drift.isEmpty || document.warmUp != nil || steps != nil else { return nil }
        let decided = [DriftResult.Verdict.creeping, .improving, .steady].flatMap { verdict in
            drift.filter { $0.verdict == verdict }
        }
        let moved = decided.filter { $0.verdict != .steady }
        let steady = decided.count { $0.verdict == .steady }
        let creeping = decided.count { $0.verdict == .creeping }
        let length = windows.map(\.endMilliseconds).max() ?? 0
        let crept =
            creeping == 0
            ? "Nothing crept: \(decided.count) series looked at." : "\(creeping) of \(decided.count) series crept."
        let judgement = decided.isEmpty ? "Too few windows to tell drift from noise." : crept
        let lengths = Self.length(of: windows).map { " of \($0)" } ?? ""
        let summary = Words(TextLayout.counted(windows.count, "window") + lengths)
        return Section("drift", "Over time", link: "Over time", summary: summary).showing([
            warmUp(document), drift.isEmpty ? nil : .said(judgement),
            .list(moved.map { Words("\($0.word)  \($0.text)", $0.tone) }).only([.text, .markdown]),
            steady > 0 ? .said("\(steady) series steady").only(.text) : nil,
            .charts(decided.map { chart($0, windows: windows, length: length) }, .drifts),
            .folded("Drift, series by series", [table(decided)]).only(.markdown),
            steps.map { .paragraph(Words($0, .warn), .alarm) },
            windows.count > 1 ? .folded(Words("All \(windows.count) windows"), [table(windows)]).only(.page) : nil,
        ])
    }

    /// The first window may be of the warm-up.
    private static func length(of windows: [WindowResult]) -> String? {
        guard let window = windows.first(where: { $0.isComplete && !$0.isWarmUp }) else { return nil }
        let seconds = (window.endMilliseconds &- window.startMilliseconds &+ 500) / 1_000
        return seconds % 60 == 0 && seconds > 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }

    private static func warmUp(_ document: ResultDocument) -> Block? {
        document.warmUp.map { warmUp in
            let requests = warmUp.requests.values.reduce(0) { $0 &+ $1.count }
            return .said(
                "warm-up of \(TimeText.duration(warmUp.durationMilliseconds &* 1_000)) apart:"
                    + " \(TextLayout.counted(requests, "request")), \(TextLayout.counted(warmUp.breaks, "break")) not judged"
            )
        }
    }

    private static func chart(_ drift: DriftResult, windows: [WindowResult], length: Int64) -> Chart {
        let sparkline = drift.sparkline(in: windows, length: length)
        let median = drift.median.map { "median \(drift.amount($0))" }
        let least = drift.verdict == .steady ? drift.change.map { "least that matters \($0.least)" } : nil
        let slope = [median, drift.change?.text, least].compactMap(\.self).joined(separator: "; ")
        let notes = [Words(slope)] + (drift.verdict == .steady ? [] : [Words(drift.text)])
        return Chart("\(code: drift.series) \(tag: drift.word, drift.tone)", plots: [sparkline], notes: notes)
    }

    private static func table(_ drift: [DriftResult]) -> Block {
        let heads: [Table.Column] = ["series", .text("verdict"), "change", "least that matters", "windows"]
        return Table("Drift of each series", heads, limits: Limits(markdown: 100), noun: "series").listing(drift) {
            let change = $0.change
            return .init([
                .code($0.series), Words($0.word), (change?.text).orDash, (change?.least).orDash, Words("\($0.windows)"),
            ])
        }
    }

    private static func table(_ windows: [WindowResult]) -> Block {
        let heads: [Table.Column] = [
            "from", "requests", "errors", "on time", "pod p99", "playlist p99", "viewers", "findings", "memory, least",
            "descriptors", "loop delay",
        ]
        return Table("Table of windows", heads).listing(windows) { window in
            let requests = window.requests.values.reduce(0) { $0 &+ $1.count }
            let errors = window.requests.values.reduce(0) { $0 &+ $1.errors }
            let p99 = { (kind: RequestKind) in window.requests[kind.name]?.response?.cell(.p99) }
            let note = window.isWarmUp ? " warm-up" : window.isComplete ? "" : " cut short"
            let onTime = Double(window.onTime) * 100 / Double(max(window.due, 1))
            let cells: [String?] = [
                TextLayout.grouped(requests), TextLayout.grouped(errors),
                window.due == 0 ? nil : MetricText.percent(onTime), p99(.podManifest), p99(.playlist),
                TextLayout.grouped(window.activeViewers), TextLayout.grouped(window.findings),
                TickText.bytes(Double(window.residentBytesMinimum)), TextLayout.grouped(window.openDescriptorsMinimum),
                TimeText.duration(window.loopDelayMaximumMicroseconds),
            ]
            let time = TimeText.elapsed(Double(window.startMilliseconds) / 1_000)
            return .init(["\(time)\(note, .quiet)"] + cells.map(\.orDash))
        }
    }

    static func outage(_ document: ResultDocument) -> Section? {
        let all = document.outages ?? []
        guard !all.isEmpty else { return nil }
        let breaks = breakInstants(document)
        let edges = all.flatMap { [$0.beganMilliseconds, $0.endedMilliseconds] }.map { Double($0) / 1_000 }
        return Section("outage", all.count == 1 ? "Outage" : "Outages", link: "Outage").showing([
            .list(all.map(words), limit: Limits(text: 5, markdown: 5)),
            .charts(
                outageCharts(document).map { $0.chart(document.series, breaks: breaks, edges: edges, namesAll: true) }
            ),
        ])
    }

    private static func words(_ outage: OutageResult) -> Words {
        let time = { (milliseconds: Int64) in MetricText.number((Double(milliseconds) / 100).rounded() / 10) + " s" }
        let times = { (count: UInt64) in TextLayout.counted(count, "time") }
        let length = time(outage.endedMilliseconds &- outage.beganMilliseconds)
        let start = TimeText.elapsed(Double(outage.beganMilliseconds) / 1_000)
        let failed = "\(TextLayout.grouped(outage.errors)) of \(TextLayout.counted(outage.requests, "request"))"
        let stopped = TextLayout.counted(outage.stoppedViewersMaximum, "player")
        let closed =
            outage.abandoned == 0
            ? ""
            : " Viewers closed the application \(times(outage.abandoned)), and opened it again \(times(outage.reopened))."
        let course =
            "For \(length) from \(start) on the channel could not be loaded: \(failed) failed. Viewers asked again"
            + " \(times(outage.retries)); at the worst moment \(stopped) had given up.\(closed) \(peak(outage))"
        guard let recovery = outage.recoveryMilliseconds else {
            return "\(course) \(strong: "The run ended before the recovery.", .bad)"
        }
        return "\(course) \(strong: "Recovered \(time(recovery)) after the outage ended.")"
    }

    private static func peak(_ outage: OutageResult) -> String {
        let peak = "At most \(MetricText.number(outage.requestsPerSecondMaximum)) requests were made in a second"
        guard let before = outage.requestsPerSecondBefore, before > 0 else { return peak + "." }
        let times = MetricText.rounded(outage.requestsPerSecondMaximum / before, places: 1)
        return "\(peak), \(times) times as many as before."
    }

    private static let groups: [(name: String, style: String, kinds: [RequestKind])] = [
        ("playlists", "c1", [.playlist, .blockingPlaylist]),
        ("what a viewer begins with", "c4", [.registration, .multivariant]),
        ("ads", "c5", [.podManifest, .podPlaylist, .podSegment, .assetList, .assetManifest]),
        ("segments", "c6", [.segment, .part, .key]),
    ]

    private static func outageCharts(_ document: ResultDocument) -> [SeriesChart] {
        let series = document.series
        let courses = series.points.compactMap(\.course)
        let asked = groups.filter { group in courses.contains { $0.requests(of: group.kinds) > 0 } }
        let stopped = Dictionary(
            zip(series.points.map(\.startMilliseconds), series.stoppedViewers),
            uniquingKeysWith: max
        )
        let rate = { (name: String, style: String, count: @escaping @Sendable (SeriesCourse) -> UInt64) in
            SeriesChart.Line(name: name, style: style) { points, seconds in
                points.compactMap(\.course).reduce(0.0) { $0 + Double(count($1)) } / seconds
            }
        }
        let failed: Words = "\(strong: "Failed, and asked again") per second"
        return [
            SeriesChart("\(strong: "Requests by kind") per second", "Requests per second by kind over the run", .rate)
                .drawing(asked.map { group in rate(group.name, group.style) { $0.requests(of: group.kinds) } }),
            SeriesChart(failed, "Failed requests and retries per second over the run", .rate).drawing([
                rate("failed", "c2") { $0.errors?.values.reduce(0, &+) ?? 0 },
                rate("asked again", "c4") { $0.retries ?? 0 },
            ]),
            SeriesChart(watching, "Viewers over the run, and those whose player had given up", .count).drawing([
                .most("there") { Double($0.activeViewers) },
                .most("whose player has given up", style: "c2") { Double(stopped[$0.startMilliseconds] ?? 0) },
            ]),
        ]
    }

    static func course(_ document: ResultDocument) -> Section? {
        let breaks = breakInstants(document)
        let step = Double(max(document.series.stepSeconds, 1)) * 1_000
        let hasErrors = document.series.points.contains { $0.errors > 0 }
        let charts = [
            SeriesChart("\(strong: "Requests") per second", "Requests per second over the run", .rate).drawing([
                .rate("all", step: step) { $0.requests },
                .rate("for pods", style: "c4", step: step) { $0.podRequests },
            ]),
            SeriesChart("\(strong: "Errors") per second", "Errors per second over the run", .rate)
                .drawing(hasErrors ? [.rate("errors", style: "c2", step: step) { $0.errors }] : []),
            viewers(document, step: step),
        ].compactMap { $0.chart(document.series, breaks: breaks) }
        let curve = document.run.audienceCurve
        guard !charts.isEmpty || curve != nil else { return nil }
        let shape = curve.map { Words(["Viewers over time", $0.shape].compactMap(\.self).joined(separator: ": ")) }
        let forms: Forms = curve == nil ? .page : [.text, .page]
        return Section("course", "Course of the run", link: "Course", summary: shape, forms: forms)
            .showing([.charts(charts)] + (curve?.blocks(document) ?? []))
    }

    private static let watching: Words = "\(strong: "Viewers") at once"

    private static func viewers(_ document: ResultDocument, step: Double) -> SeriesChart {
        guard let planned = document.run.audienceCurve else {
            return SeriesChart(watching, "Active viewers over the run", .count)
                .drawing([.most("active viewers") { Double($0.activeViewers) }])
        }
        return SeriesChart(watching, "Viewers over the run, asked for and observed", .count).drawing([
            .most("observed") { Double($0.activeViewers) },
            // A step is the state at its end.
            .most("asked for", style: "c3") { planned.viewers(atMilliseconds: Double($0.startMilliseconds) + step) },
        ])
    }

    /// Seconds from the start; empty if there are too many to mark.
    private static func breakInstants(_ document: ResultDocument) -> [Double] {
        let instants = document.breaks.each.filter { $0.due > 0 }.map {
            Double($0.startMicroseconds &- document.run.startedAtMicroseconds) / 1_000_000
        }
        return instants.count > 60 ? [] : instants
    }
}

enum ClockText {
    static func sentence(_ clock: ClockResult?) -> String {
        guard let clock else { return "This version did not watch the wall clock." }
        let drift =
            clock.driftMicroseconds.magnitude < 1_000
            ? "It kept step with the monotonic clock."
            : "The wall clock moved \(TimeText.offset(clock.driftMicroseconds)) against the monotonic one over the run."
        guard clock.stepCount > 0 else { return "The wall clock was not set during the run. " + drift }
        let steps = clock.steps.prefix(5).map {
            "\(TimeText.offset($0.byMicroseconds)) at \(TimeText.elapsed(Double($0.atMilliseconds) / 1_000))"
        }
        return "The wall clock was set \(clock.stepCount == 1 ? "once" : "\(clock.stepCount) times"): "
            + steps.joined(separator: ", ") + (clock.stepCount > steps.count ? ", …" : "") + ". " + drift
    }
}

extension DriftResult {
    fileprivate var word: String { Wording("drift", verdict.rawValue).word }

    var tone: Tone { verdict == .creeping && subject == .target ? .bad : Wording("drift", verdict.rawValue).tone }

    func sparkline(in windows: [WindowResult], length: Int64) -> Plot? {
        let points = windows.compactMap { window in
            DriftSeries.value(of: series, in: window).map { (window: window, value: $0) }
        }
        guard points.count > 1, let low = points.map(\.value).min(), let high = points.map(\.value).max() else {
            return nil
        }
        let time = LinearScale(0, Double(max(length, 1)))
        // A nearly constant series must look constant.
        let least = abs(median ?? high) * 0.1
        let middle = (low + high) / 2
        let scale = LinearScale(min(low, middle - least / 2), max(high, middle + least / 2, low + 1e-9))
        var plot = Plot(name: "\(series) by window", height: 44, style: "spark")
        let places = points.map { point in
            time.fraction(of: Double(point.window.startMilliseconds) / 2 + Double(point.window.endMilliseconds) / 2)
        }
        let line = zip(points, places).map { point, place in
            (x: Plot.x(place), y: plot.height - 4 - scale.fraction(of: point.value) * (plot.height - 8))
        }
        if let end = points.last(where: \.window.isWarmUp)?.window.endMilliseconds {
            var warmUp = VectorPath()
            warmUp.rectangle(x: 0, y: 0, width: Plot.x(time.fraction(of: Double(end))), height: plot.height)
            plot.shapes.shape(warmUp, "warm")
        }
        plot.shapes.shape(VectorPath.through(line), verdict == .creeping ? "c2" : "c1")
        plot.readings = Readings(
            fractions: places,
            headings: points.map { "from " + TimeText.elapsed(Double($0.window.startMilliseconds) / 1_000) },
            lines: [("", "", points.map { amount($0.value) })]
        )
        return plot
    }

    /// For example `+1.20 ms per hour (+0.90 ms to +1.50 ms)`, and the least relevant change over the same time.
    ///
    /// A run of less than an hour is not extrapolated: `+0.40 ms over 20 min`.
    fileprivate var change: (text: String, least: String)? {
        guard let slopePerHour else { return nil }
        // Older results do not name the time.
        let shorter = spanMilliseconds.flatMap { $0 < 3_600_000 ? Double($0) / 3_600_000 : nil }
        let scale = shorter ?? 1
        let time = shorter.map { "over \(DriftText.length(hours: $0))" } ?? "per hour"
        let signed = { (value: Double) in (value > 0 ? "+" : "") + amount(value * scale) }
        let interval = slopeLowPerHour.flatMap { low in slopeHighPerHour.map { " (\(signed(low)) to \(signed($0)))" } }
        return ("\(signed(slopePerHour)) \(time)\(interval ?? "")", "\(amount(minimumEffectPerHour * scale)) \(time)")
    }

    fileprivate func amount(_ value: Double) -> String {
        switch unit {
        case "us": MetricText.time(microseconds: value)
        case "percent": MetricText.rounded(value, places: 2) + "%"
        case "bytes": TickText.bytes(value)
        default: MetricText.number(value)
        }
    }
}

package struct CourseText {
    private static let bars = Sparkline.bars
    private static let rows = 5
    private static let widest = 72

    let seconds: Double
    let width: Int

    package init(seconds: Double, width: Int) { (self.seconds, self.width) = (seconds, width) }

    /// The highest row first.
    package func lines(_ curve: PlannedAudience) -> [String] {
        let most = Double(curve.viewers.max() ?? 0)
        let title = TextLayout.grouped(curve.viewers.max() ?? 0)
        let columns = columns(beside: title.count + 4)
        let heights = values(curve, columns: columns).map { Self.eighths($0, of: most, rows: Self.rows) }
        let pad = { (text: String) in String(repeating: " ", count: title.count - text.count) + text }
        let rows = (0..<Self.rows).map { row in
            let bars = heights.map { Self.bar($0 - (Self.rows - 1 - row) * Self.bars.count) }
            let label = row == 0 ? title : row == Self.rows - 1 ? "0" : ""
            return "  \(pad(label)) │\(String(bars))"
        }
        let end = MetricText.number(seconds) + " s"
        let gap = String(repeating: " ", count: max(1, columns - 1 - end.count))
        return rows + ["  \(pad("")) └" + String(repeating: "─", count: columns), "  \(pad(""))  0\(gap)\(end)"]
    }

    /// One row of bars for each curve, on one scale.
    func lines(_ curves: [(name: String, curve: PlannedAudience)]) -> [String] {
        let most = Double(curves.flatMap(\.curve.viewers).max() ?? 0)
        let longest = curves.map(\.name.count).max() ?? 0
        let columns = columns(beside: longest + 4)
        return curves.map { name, curve in
            let bars = values(curve, columns: columns).map { Self.bar(Self.eighths($0, of: most, rows: 1)) }
            return "  \(name)\(String(repeating: " ", count: longest - name.count))  \(String(bars))"
        }
    }

    /// A value above 0 is at least one eighth.
    private static func eighths(_ value: Double, of most: Double, rows: Int) -> Int {
        guard most > 0, value > 0 else { return 0 }
        let eighths = Double(rows * bars.count)
        return Int(min(max((value / most * eighths).rounded(), 1), eighths))
    }

    private static func bar(_ eighths: Int) -> Character { eighths <= 0 ? " " : bars[min(eighths, bars.count) - 1] }

    private func columns(beside others: Int) -> Int { max(8, min(Self.widest, width - others)) }

    private func values(_ curve: PlannedAudience, columns: Int) -> [Double] {
        let parts = 8
        let length = seconds * 1_000 / Double(columns * parts)
        return (0..<columns).map { column in
            let samples = (0..<parts).map { part in
                curve.viewers(atMilliseconds: (Double(column * parts + part) + 0.5) * length)
            }
            return samples.reduce(0, +) / Double(parts)
        }
    }
}

extension PlannedAudience {
    func blocks(_ document: ResultDocument) -> [Block] {
        let most = [viewers, document.series.points.map(\.activeViewers)].map { $0.max() ?? 0 }
        let curves = [("asked for", self), ("observed", PlannedAudience(observed: document.series))]
        return [
            .typed { CourseText(seconds: document.run.seconds, width: $0).lines(curves) },
            .said("at most \(TextLayout.grouped(most[0])) at once asked for, \(TextLayout.grouped(most[1])) observed"),
        ]
    }

    private init(observed series: SeriesResult) {
        let step = Int64(clamping: max(series.stepSeconds, 1)) &* 1_000
        // A point is the state at the end of its step.
        self.init(shape: nil, stepMilliseconds: step, viewers: [0] + series.points.map(\.activeViewers))
    }
}
