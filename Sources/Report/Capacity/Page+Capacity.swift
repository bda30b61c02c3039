package import Comparison
import Results
import Rules
import Values

extension CapacityDocument: PagedDocument {
    package var page: Page {
        let counts = [
            TextLayout.counted(runs.count, "run"), TextLayout.counted(breaks.count, "break"),
            TimeText.length(seconds: search.spentSeconds), search.shards.map { TextLayout.counted($0, "shard") },
        ]
        let first: Block? = gaveFirst.map { .paragraph("\(strong: "Gave first:") \($0.text)") }
        let reasons = [answer.text, answer.reason].compactMap(\.self)
        return Page(
            title: "Capacity of \(search.profile): \(wording.word.lowercased()) \(big)",
            name: "Capacity of \(search.profile)",
            facts: [
                search.target == "embedded" ? "reference origin" : search.target,
                UTCText.iso8601(microseconds: search.startedAtMicroseconds),
            ] + counts.compactMap(\.self) + search.labels.pairs,
            verdict: Verdict(wording, answer.text, reasons: reasons),
            opening: [big.isEmpty ? first : .headline(big: Words(big), [first]), .figures(figures)],
            sections: CapacitySections.all(self),
            verdictLink: "Answer",
            version: podswarmVersion
        )
    }

    package func lastLine(_ rendering: TextRendering, exit: Int32) -> String {
        var verdict = page.verdict
        verdict.exitCode = Int(exit)
        return rendering.line(verdict)
    }

    private var figures: [Fact?] {
        [
            answer.halfHeld.map { Fact("Every second break holds", Words(Self.count($0)), note: asked.quantity.unit) },
            answer.runNoisePercent.map { Fact("Differs from run to run", Words(MetricText.percent($0))) },
            answer.breakNoisePercent.map { Fact("and from break to break", Words(MetricText.percent($0))) },
            peak.map { peak in
                let note = "with \(TextLayout.counted(peak.viewers, "viewer"))"
                return Fact("Pod requests, peak second", Words(Self.count(peak.podRequestsPerSecond)), note: note)
            },
        ]
    }
}

private enum CapacitySections {
    static func all(_ document: CapacityDocument) -> [Section?] {
        let charts = CapacityCharts(document)
        let symbols = JudgedBreak.Outcome.allCases.map { outcome -> Words in
            let name = outcome == .censored ? "censored: podswarm or its machine may be why" : outcome.rawValue
            return "\(outcome.look.symbol.key)\(name)"
        }
        let keys = Block.paragraph(symbols.joined(separator: " "), .legend).only(.page)
        let law = document.lawText ?? "Too few sizes, or too near one another, for a law."
        func picture(_ plot: Plot?) -> Block { .charts([Chart("", plot)]) }
        let first = document.gaveFirst.map { Block.said("Gave first: " + $0.text).only([.text, .markdown]) }
        let said = [document.kneeText, document.peakText, document.lawText, document.projectionText].compactMap(\.self)
        let (breaks, latency, service) = (charts.breaks(), charts.latency(), charts.service())
        let forms: Forms = breaks == nil ? [.text, .markdown] : .all
        return [
            Section("facts", "What gave", forms: .text).showing([first] + said.map { .said($0) }),
            Section("breaks", "Breaks by size", link: breaks.map { _ in "Breaks" }, forms: forms).showing([
                .lead(.sentence("capacity")), keys, picture(breaks), sizes(document).only([.text, .markdown]),
            ]),
            latency.map {
                let lead: Words =
                    "The 99th percentile of each break. \(document.kneeText ?? "No bend was found in it.")"
                return Section("latency", "Latency of what begins the break", link: "Latency", forms: .page)
                    .showing([.lead(lead), keys, picture($0)])
            },
            service.map {
                let lead = [law, document.projectionText].compactMap(\.self).joined(separator: " ")
                return Section("service", "Viewers served a second", link: "Service rate", forms: .page)
                    .showing([.lead(Words(lead)), keys, picture($0)])
            },
            Section("runs", "Runs and breaks", link: "Runs", forms: .page).showing([
                runs(document), document.breaks.isEmpty ? nil : .heading("Each break"), each(document),
            ]), Section("asked", "What was asked", link: "What was asked").showing([.facts(asked(document))]),
        ]
    }

    private static func unit(_ document: CapacityDocument) -> String {
        document.asked.quantity == .viewers ? "viewers" : document.asked.quantity.rawValue + ", ms"
    }

    /// Breaks in ascending size; of many, those around the answer.
    private static func sizes(_ document: CapacityDocument) -> Block {
        var rows: [Double: [JudgedBreak]] = [:]
        for run in document.runs {
            for judged in run.breaks { rows[run.size(of: judged, document.asked.quantity), default: []].append(judged) }
        }
        let center = document.answer.value ?? rows.keys.max() ?? 0
        let heads =
            [.init(document.asked.quantity.unit), "held", "missed", "censored", "on time", "p99"] as [Table.Column]
        let table = Table("Breaks by size", heads, limits: Limits(text: 16, markdown: 16), noun: "size")
        return table.listing(rows.sorted { $0.key < $1.key }) { size, breaks in
            let held = { (outcome: JudgedBreak.Outcome) in Words(String(breaks.count { $0.outcome == outcome })) }
            let (due, onTime) = (breaks.reduce(0) { $0 &+ $1.due }, breaks.reduce(0) { $0 &+ $1.onTime })
            let p99 = breaks.compactMap { $0.beginning?.p99Microseconds }.max()
            let percent = due == 0 ? nil : MetricText.percent(Double(onTime) * 100 / Double(due))
            let outcomes = [JudgedBreak.Outcome.held, .missed, .censored].map(held)
            let figures = [percent.orDash, p99.map(TimeText.duration).orDash]
            return .init([Words(CapacityDocument.count(size))] + outcomes + figures, rank: -abs(size - center))
        }
    }

    private static func runs(_ document: CapacityDocument) -> Block {
        let heads: [Table.Column] = [
            "run", .text("kind"), .text("started"), "took", .init(unit(document)), .text("breaks"),
            .text("ended early by"), .text("result"),
        ]
        return Table("Table of runs", heads).listing(document.runs.enumerated()) { index, run in
            let (least, most) = (run.sizes.min() ?? 0, run.sizes.max() ?? 0)
            let seconds = Double(run.endedAtMicroseconds &- run.startedAtMicroseconds) / 1_000_000
            let sizes = CapacityDocument.count(least) + (least == most ? "" : " to \(CapacityDocument.count(most))")
            return .init([
                Words("\(index + 1)"), Words(run.kind.rawValue), Words(TimeText.instant(run.startedAtMicroseconds)),
                Words(TimeText.length(seconds: seconds)), Words(sizes),
                (run.breaks.isEmpty ? nil : run.breaks.outcomes).orDash, Words(run.endedBy ?? ""),
                .code(run.result ?? ""),
            ])
        }
    }

    private static func each(_ document: CapacityDocument) -> Block {
        let heads: [Table.Column] = [
            "run", .init(unit(document)), "watching", "on time", "p99", "served/s", .text("outcome"), .text("why"),
        ]
        let all = document.runs.enumerated().flatMap { index, run in run.breaks.map { (index + 1, run, $0) } }
        return Table("Table of breaks", heads).listing(all) { number, run, judged in
            let reasons = judged.broken + judged.limits.map { "generator: \($0)" }
            return .init([
                Words("\(number)"), .strong(CapacityDocument.count(run.size(of: judged, document.asked.quantity))),
                Words(CapacityDocument.count(Double(judged.watching))),
                judged.onTimePercent.map(MetricText.percent).orDash,
                (judged.beginning?.p99Microseconds.map(TimeText.duration)).orDash,
                judged.servedPerSecond.map(CapacityDocument.count).orDash,
                .tag(judged.outcome.rawValue, judged.outcome.look.tone), Words(reasons.joined(separator: "; ")),
            ])
        }
    }

    private static func asked(_ document: CapacityDocument) -> [Fact] {
        let asked = document.asked
        let (unit, search) = (asked.quantity.unit, document.search)
        let count = CapacityDocument.count
        let spacing =
            asked.watchMaximumSeconds.map {
                "as the channel schedules them; \(TimeText.length(seconds: $0)) in a run at most"
            } ?? TimeText.length(seconds: Double(asked.spacingMilliseconds) / 1_000)
        let runs = TextLayout.counted(asked.runsMaximum, "run")
        let longest = TimeText.length(seconds: asked.timeMaximumSeconds)
        let facts: [(String, String?)] = [
            ("A break holds", asked.hold.joined(separator: ", ")),
            ("Breaks that hold", MetricText.percent(asked.sharePercent)),
            ("Ends within", MetricText.percent(asked.withinPercent)),
            ("Tried", "\(count(asked.floor)) to \(count(asked.ceiling)) \(unit), from \(count(asked.from))"),
            ("Ceiling", asked.ceilingReason), ("Viewers", asked.viewers.map { count(Double($0)) }),
            ("Wanted", asked.atLeast.map { "\(count($0)) \(unit)" }),
            ("At most", "\(runs) of \(asked.breaksPerRun) breaks, \(longest)"), ("Between breaks", spacing),
            ("Between runs", TimeText.length(seconds: Double(asked.restMilliseconds) / 1_000)),
            ("Profile digest", search.profileDigest), ("Seed", String(search.seed)),
            ("Machine", "\(search.host.cpuCount) × \(search.host.cpuModel)"),
        ]
        return facts.compactMap { name, value in value.map { Fact(name, Words($0)) } }
    }
}

extension CapacityDocument {
    fileprivate var wording: Wording {
        let isUpper = answer.kind == .atLeast && !asked.quantity.isHarderWithMore
        return Wording("answer", state != .ended ? "so_far" : isUpper ? "at_most" : answer.kind.rawValue)
    }

    /// Empty without an answer.
    fileprivate var big: String {
        guard let value = answer.value else { return "" }
        let isViewers = asked.quantity.isHarderWithMore
        let signs: [CapacityAnswer.Kind: String] =
            isViewers ? [.atLeast: "≥ ", .below: "< "] : [.atLeast: "≤ ", .below: "> "]
        return (signs[answer.kind] ?? "") + Self.count(value) + (isViewers ? "" : " ms")
    }

    fileprivate var kneeText: String? {
        knee.map { knee in
            let time = MetricText.time(microseconds: knee.p99Microseconds)
            return "\(knee.kind) slows down from about \(Self.viewers(knee.viewers)) on (p99 \(time))."
        }
    }

    fileprivate var peakText: String? {
        peak.map { peak in
            "Peak with \(TextLayout.counted(peak.viewers, "viewer")), in one second: "
                + "\(Self.count(peak.podRequestsPerSecond)) requests for pods, "
                + "\(Self.count(peak.requestsPerSecond)) of all kinds."
        }
    }

    fileprivate var lawText: String? {
        guard let law else { return nil }
        guard let viewers = law.peakViewers, let rate = law.peakPerSecond else {
            return
                "Served viewers a second still grow with the audience, as far as was measured (universal scalability law)."
        }
        return
            "Served fastest at about \(Self.viewers(viewers.value)) (\(Self.ends(viewers))): "
            + "\(Self.count(rate.value)) a second (\(Self.ends(rate))); beyond that more viewers make it slower "
            + "(universal scalability law)."
    }

    fileprivate var projectionText: String? {
        projection.map { projection in
            "Projection, not measured: \(Self.viewers(projection.viewers)) would be served at "
                + "\(Self.count(projection.servedPerSecond.value)) a second (\(Self.ends(projection.servedPerSecond)))."
        }
    }

    static func count(_ value: Double) -> String { GroupedDigits.text(rounding: value) }

    private static func viewers(_ value: Double) -> String {
        let count = count(value)
        return count == "1" ? "1 viewer" : "\(count) viewers"
    }

    private static func ends(_ figure: LawResult.Figure) -> String {
        figure.upper.map { "\(count(figure.lower)) to \(count($0))" } ?? "\(count(figure.lower)) or more"
    }
}

/// Charts of breaks by the varied quantity: viewers, or milliseconds.
struct CapacityCharts {
    private typealias Point = (size: Double, judged: JudgedBreak)
    /// Reads the breaks of one size.
    private typealias Line = (name: String, text: ([Point]) -> String)

    private let document: CapacityDocument
    private let points: [Point]

    init(_ document: CapacityDocument) {
        self.document = document
        points = document.runs.flatMap { run in
            run.breaks.map { (run.size(of: $0, document.asked.quantity), $0) }
        }.filter { $0.size > 0 }.sorted { $0.size < $1.size }
    }

    private var unit: String { document.asked.quantity.unit }

    func breaks() -> Plot? {
        let shown = shown(\.onTimePercent)
        guard let lowest = shown.map(\.1).min(), let across = sizes(of: shown) else { return nil }
        let up = LinearScale(max(0, min(lowest - (100 - lowest) * 0.1, 98)), 100)
        var plot = Plot(name: "Viewers with their pod in time, by \(axisName)", height: 190, across: across, up: up)
        plot.horizontalTicks = Ticks.counts(on: across)
        plot.verticalTicks = Ticks.values(on: up, atMost: 6) { MetricText.number($0) + " %" }
        let answer = document.answer
        if let lower = answer.lower, let upper = answer.upper, lower < upper {
            plot.marks.bar(from: plot.place(lower), to: plot.place(upper), y: 0, height: plot.height, "range")
        }
        if let value = answer.value { plot.marks.vertical(at: plot.place(value), from: 0, to: plot.height, "dl start") }
        let shares: Line = ("on time", { Self.range($0.compactMap(\.judged.onTimePercent), MetricText.percent) })
        draw(shown, in: &plot, [("", { $0.map(\.judged).outcomes }), shares])
        return plot
    }

    /// 99th percentile of the break's first requests.
    func latency() -> Plot? {
        let shown = shown { $0.beginning?.p99Microseconds.map { max(1, Double($0)) } }
        guard let fastest = shown.map(\.1).min(), let slowest = shown.map(\.1).max(), let across = sizes(of: shown)
        else { return nil }
        let up = LogScale(fastest / 1.4, slowest * 1.4)
        let name = "99th percentile of what begins the break, by \(axisName)"
        var plot = Plot(name: name, height: 170, across: across, up: up)
        plot.horizontalTicks = Ticks.counts(on: across)
        plot.verticalTicks = Ticks.durations(on: up)
        if let knee = document.knee, document.asked.quantity == .viewers {
            note("knee", at: knee.viewers, "dl grace", in: &plot)
            plot.marks.horizontal(y: plot.y(knee.p99Microseconds), "dl lead")
        }
        let p99 = { (point: Point) in point.judged.beginning?.p99Microseconds.map { Double($0) } }
        draw(shown, in: &plot, [("p99", { Self.range($0.compactMap(p99), MetricText.time) })])
        return plot
    }

    private var axisName: String { document.asked.quantity == .viewers ? "audience" : document.asked.quantity.rawValue }

    private func shown(_ value: (JudgedBreak) -> Double?) -> [(Point, Double)] {
        points.compactMap { point in value(point.judged).map { (point, $0) } }
    }

    private func sizes(of shown: [(Point, Double)]) -> LogScale? {
        guard let least = shown.first?.0.size, let most = shown.last?.0.size else { return nil }
        let known = [document.answer.lower, document.answer.value, document.answer.upper].compactMap(\.self)
        // The ends of an interval may lie far from all tested sizes.
        let near = known.filter { $0 > least / 2 && $0 < most * 2 }
        return LogScale(min(least, near.min() ?? least) / 1.08, max(most, near.max() ?? most) * 1.08)
    }

    private func draw(_ shown: [(Point, Double)], in plot: inout Plot, _ lines: [Line]) {
        for (point, value) in shown {
            plot.marks.symbol(point.judged.outcome.look.symbol, at: plot.place(point.size), y: plot.y(value))
        }
        let groups = Dictionary(grouping: shown.map(\.0), by: \.size).sorted { $0.key < $1.key }
        plot.readings = Readings(
            fractions: groups.map { plot.place($0.key) },
            headings: groups.map { "\(CapacityDocument.count($0.key)) \(unit)" },
            lines: lines.map { name, text in (name, "", groups.map { text($0.value) }) }
        )
    }

    private static func range(_ values: [Double], _ text: (Double) -> String) -> String {
        guard let least = values.min(), let most = values.max() else { return "" }
        return text(least) == text(most) ? text(least) : "\(text(least)) to \(text(most))"
    }

    private func note(_ word: String, at value: Double, _ style: String, in plot: inout Plot) {
        let fraction = plot.place(value)
        plot.marks.vertical(at: fraction, from: 0, to: plot.height, style)
        let isLeft = fraction > 0.8
        plot.marks.text(word, at: fraction + (isLeft ? -0.008 : 0.008), y: 10, isLeft ? "xl e" : "xl s")
    }

    func service() -> Plot? {
        guard document.asked.quantity == .viewers else { return nil }
        let shown = shown(\.servedPerSecond)
        guard let largest = shown.last?.0.size, let fastest = shown.map(\.1).max() else { return nil }
        let measured = document.projection?.measuredViewers ?? largest
        let end =
            document.law == nil ? largest : max(largest, min(document.projection?.viewers ?? largest, measured * 2))
        let across = LinearScale(0, end * 1.02)
        let law = document.law.map { law in { law.rate(at: $0) } }
        let reached = [fastest, document.projection?.servedPerSecond.value ?? 0] + (law.map { [$0(measured)] } ?? [])
        let up = LinearScale(0, (reached.max() ?? fastest) * 1.15)
        var plot = Plot(name: "Viewers served a second, by audience", height: 190, across: across, up: up)
        plot.horizontalTicks = Ticks.values(on: across, atMost: 7, TickText.count)
        plot.verticalTicks = Ticks.values(on: up, atMost: 5, TickText.count)
        if let law { draw(law, measured: measured, until: end, in: &plot) }
        if let projection = document.projection, document.law != nil, projection.viewers <= end {
            let rate = projection.servedPerSecond
            let (top, bottom) = (plot.y(rate.upper ?? up.highest), plot.y(rate.lower))
            plot.marks.vertical(at: plot.place(projection.viewers), from: top, to: bottom, "whisker plain")
        }
        let rates: Line = (
            "served a second", { Self.range($0.compactMap(\.judged.servedPerSecond), CapacityDocument.count) }
        )
        let fitted = law.map { law -> Line in ("law", { CapacityDocument.count(law($0.first?.size ?? 0)) }) }
        draw(shown, in: &plot, [rates] + (fitted.map { [$0] } ?? []))
        return plot
    }

    private func draw(_ law: (Double) -> Double, measured: Double, until end: Double, in plot: inout Plot) {
        func line(from: Double, to: Double) -> [(value: Double, height: Double)?] {
            let steps = 80
            return (0...steps).map { step in
                let size = from + (to - from) * Double(step) / Double(steps)
                return (size, law(size))
            }
        }
        plot.curve(line(from: min(1, measured), to: measured), "c1")
        if end > measured {
            plot.curve(line(from: measured, to: end), "projected")
            note("projection, not measured", at: measured, "dl lead", in: &plot)
        }
    }
}

extension [JudgedBreak] {
    /// Such as `3 held, 1 missed`.
    fileprivate var outcomes: String {
        let counts = JudgedBreak.Outcome.allCases.map { outcome in (outcome, count { $0.outcome == outcome }) }
        return counts.filter { $0.1 > 0 }.map { "\($1) \($0.rawValue)" }.joined(separator: ", ")
    }
}

extension JudgedBreak.Outcome {
    var look: (symbol: Symbol, tone: Tone) {
        switch self {
        case .held: (.disc, .good)
        case .missed: (.cross, .bad)
        case .censored: (.diamond, .warn)
        }
    }
}
