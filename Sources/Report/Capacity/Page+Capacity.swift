package import Results
import Rules
import Values

extension CapacityDocument {
    package func text(_ rendering: TextRendering = TextRendering()) -> String { rendering.render(Page(self)) }

    package func html() throws -> String { try Page(self).html() }

    package func lastLine(_ rendering: TextRendering, exit: Int32) -> String {
        var verdict = Page(self).verdict
        verdict.exitCode = Int(exit)
        return rendering.line(verdict)
    }
}

extension Page {
    init(_ document: CapacityDocument) {
        let facts = CapacityFacts(document: document)
        let (search, answer, big) = (document.search, document.answer, facts.big)
        let tone: Tone =
            switch (document.state, document.answer.kind) {
            case (.ended, .found): .good
            case (.ended, .below): .bad
            default: .warn
            }
        let counts = [
            TextLayout.counted(document.runs.count, "run"), TextLayout.counted(document.breaks.count, "break"),
            TimeText.length(seconds: search.spentSeconds), search.shards.map { "\($0) shards" },
        ]
        let first: Block? = document.gaveFirst.map { .paragraph("\(strong: "Gave first:") \($0.text)") }
        self.init(
            title: "Capacity of \(search.profile): \(facts.word.lowercased()) \(big)",
            name: "Capacity of \(search.profile)",
            facts: [
                search.target == "embedded" ? "reference origin" : search.target,
                UTCText.iso8601(microseconds: search.startedAtMicroseconds),
            ] + counts.compactMap(\.self) + search.labels.pairs,
            verdict: Verdict(facts.word, tone, answer.text, reasons: [answer.text, answer.reason].compactMap(\.self)),
            opening: [big.isEmpty ? first : .headline(big: Words(big), [first]), .figures(Self.figures(document))],
            sections: CapacitySections.all(document, facts),
            verdictLink: "Answer",
            version: document.podswarmVersion
        )
    }

    private static func figures(_ document: CapacityDocument) -> [Figure?] {
        let (answer, unit, count) = (document.answer, document.asked.quantity.unit, CapacityFacts.count)
        return [
            answer.halfHeld.map { Figure("Every second break holds", count($0), note: unit) },
            answer.runNoisePercent.map { Figure("Differs from run to run", MetricText.percent($0)) },
            answer.breakNoisePercent.map { Figure("and from break to break", MetricText.percent($0)) },
            document.peak.map { peak in
                let note = "with \(count(Double(peak.viewers))) viewers"
                return Figure("Pod requests, peak second", count(peak.podRequestsPerSecond), note: note)
            },
        ]
    }
}

private enum CapacitySections {
    static func all(_ document: CapacityDocument, _ facts: CapacityFacts) -> [Section?] {
        let charts = CapacityCharts(document)
        let symbols = JudgedBreak.Outcome.allCases.map { outcome -> Words in
            let name = outcome == .censored ? "censored: podswarm or its machine may be why" : outcome.rawValue
            return "\(outcome.look.symbol.key)\(name)"
        }
        let keys = Block.paragraph(symbols.joined(separator: " "), .legend).only(.page)
        let law = facts.law ?? "Too few sizes, or too near one another, for a law."
        func picture(_ plot: Plot?) -> Block { .charts([Chart("", plot)]) }
        let first = document.gaveFirst.map { Block.said("Gave first: " + $0.text).only([.text, .markdown]) }
        let said = [facts.knee, facts.peak, facts.law, facts.projection].compactMap(\.self)
        let (breaks, latency, service) = (charts.breaks(), charts.latency(), charts.service())
        let forms: Forms = breaks == nil ? [.text, .markdown] : .all
        let lead: Words =
            "One mark for each break: the share of viewers due that had their pod in time. The line is the answer, the band its interval."
        return [
            Section("facts", "What gave", forms: .text).showing([first] + said.map { .said($0) }),
            Section("breaks", "Breaks by size", link: breaks.map { _ in "Breaks" }, forms: forms).showing([
                .lead(lead), keys, picture(breaks),
                sizes(document, facts).only([.text, .markdown]),
            ]),
            latency.map {
                let lead: Words = "The 99th percentile of each break. \(facts.knee ?? "No bend was found in it.")"
                return Section("latency", "Latency of what begins the break", link: "Latency", forms: .page)
                    .showing([.lead(lead), keys, picture($0)])
            },
            service.map {
                let lead = [law, facts.projection].compactMap(\.self).joined(separator: " ")
                return Section("service", "Viewers served a second", link: "Service rate", forms: .page)
                    .showing([.lead(Words(lead)), keys, picture($0)])
            },
            Section("runs", "Runs and breaks", link: "Runs", forms: .page).showing([
                runs(document), document.breaks.isEmpty ? nil : .heading("Each break"), each(document, facts),
            ]), Section("asked", "What was asked", link: "What was asked").showing([.facts(asked(document))]),
            Section("notes", "Notes").showing([.list((document.notes ?? []).map { Words($0) })]),
        ]
    }

    private static func unit(_ document: CapacityDocument) -> String {
        document.asked.quantity == .viewers ? "viewers" : document.asked.quantity.rawValue + ", ms"
    }

    /// Breaks in ascending size; of many, those around the answer.
    private static func sizes(_ document: CapacityDocument, _ facts: CapacityFacts) -> Block {
        var rows: [Double: [JudgedBreak]] = [:]
        for run in document.runs {
            for judged in run.breaks { rows[facts.size(of: judged, in: run), default: []].append(judged) }
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
            return .init([Words(CapacityFacts.count(size))] + outcomes + figures, rank: -abs(size - center))
        }
    }

    private static func runs(_ document: CapacityDocument) -> Block {
        let heads: [Table.Column] = [
            "run", .text("kind"), .text("started"), "took", .init(unit(document)), .text("breaks"),
            .text("ended early by"), .text("result"),
        ]
        return Table("Table of runs", heads).listing(document.runs.enumerated()) { index, run in
            let (least, most) = (run.sizes.min() ?? 0, run.sizes.max() ?? 0)
            let outcomes = JudgedBreak.Outcome.allCases.compactMap { outcome -> String? in
                let count = run.breaks.count { $0.outcome == outcome }
                return count == 0 ? nil : "\(count) \(outcome.rawValue)"
            }
            let seconds = Double(run.endedAtMicroseconds &- run.startedAtMicroseconds) / 1_000_000
            let sizes = CapacityFacts.count(least) + (least == most ? "" : " to \(CapacityFacts.count(most))")
            return .init([
                Words("\(index + 1)"), Words(run.kind.rawValue), Words(TimeText.instant(run.startedAtMicroseconds)),
                Words(TimeText.length(seconds: seconds)), Words(sizes),
                (outcomes.isEmpty ? nil : outcomes.joined(separator: ", ")).orDash, Words(run.endedBy ?? ""),
                .code(run.result ?? ""),
            ])
        }
    }

    private static func each(_ document: CapacityDocument, _ facts: CapacityFacts) -> Block {
        let heads: [Table.Column] = [
            "run", .init(unit(document)), "watching", "on time", "p99", "served/s", .text("outcome"), .text("why"),
        ]
        let all = document.runs.enumerated().flatMap { index, run in run.breaks.map { (index + 1, run, $0) } }
        return Table("Table of breaks", heads).listing(all) { number, run, judged in
            let reasons = judged.broken + judged.limits.map { "generator: \($0)" }
            return .init([
                Words("\(number)"), .strong(CapacityFacts.count(facts.size(of: judged, in: run))),
                Words(CapacityFacts.count(Double(judged.watching))),
                judged.onTimePercent.map(MetricText.percent).orDash,
                (judged.beginning?.p99Microseconds.map(TimeText.duration)).orDash,
                judged.servedPerSecond.map(CapacityFacts.count).orDash,
                .tag(judged.outcome.rawValue, judged.outcome.look.tone), Words(reasons.joined(separator: "; ")),
            ])
        }
    }

    private static func asked(_ document: CapacityDocument) -> [Fact] {
        let asked = document.asked
        let (unit, search) = (asked.quantity.unit, document.search)
        let count = CapacityFacts.count
        let spacing =
            asked.watchMaximumSeconds.map {
                "as the channel schedules them; \(TimeText.length(seconds: $0)) in a run at most"
            } ?? TimeText.length(seconds: Double(asked.spacingMilliseconds) / 1_000)
        let runs = TextLayout.counted(asked.runsMaximum, "run")
        let facts: [(String, String?)] = [
            ("A break holds", asked.hold.joined(separator: ", ")),
            ("Breaks that hold", MetricText.percent(asked.sharePercent)),
            ("Ends within", MetricText.percent(asked.withinPercent)),
            ("Tried", "\(count(asked.floor)) to \(count(asked.ceiling)) \(unit), from \(count(asked.from))"),
            ("Ceiling", asked.ceilingReason), ("Viewers", asked.viewers.map { count(Double($0)) }),
            ("Wanted", asked.atLeast.map { "\(count($0)) \(unit)" }),
            (
                "At most",
                "\(runs) of \(asked.breaksPerRun) breaks, \(TimeText.length(seconds: asked.timeMaximumSeconds))"
            ),
            ("Between breaks", spacing),
            ("Between runs", TimeText.length(seconds: Double(asked.restMilliseconds) / 1_000)),
            ("Profile digest", search.profileDigest), ("Seed", String(search.seed)),
            ("Machine", "\(search.host.cpuCount) × \(search.host.cpuModel)"),
        ]
        return facts.compactMap { name, value in value.map { Fact(name, Words($0)) } }
    }
}

struct CapacityFacts {
    let document: CapacityDocument

    var word: String {
        switch (document.state, document.answer.kind) {
        case (.interrupted, _), (.running, _): "So far"
        case (.ended, .found): "Found"
        case (.ended, .wide): "Less certain than asked"
        case (.ended, .atLeast): document.asked.quantity.isHarderWithMore ? "At least" : "At most"
        case (.ended, .below): "Not even that"
        case (.ended, .unknown): "Unknown"
        }
    }

    /// Empty without an answer.
    var big: String {
        guard let value = document.answer.value else { return "" }
        let isViewers = document.asked.quantity.isHarderWithMore
        let sign =
            switch document.answer.kind {
            case .atLeast: isViewers ? "≥ " : "≤ "
            case .below: isViewers ? "< " : "> "
            case .found, .wide, .unknown: ""
            }
        return sign + Self.count(value) + (isViewers ? "" : " ms")
    }

    /// Viewers or milliseconds.
    func size(of judged: JudgedBreak, in run: CapacityRunResult) -> Double {
        document.asked.quantity == .viewers ? Double(judged.planned) : run.sizes.first ?? 0
    }

    var knee: String? {
        document.knee.map { knee in
            let time = MetricText.time(microseconds: knee.p99Microseconds)
            return "\(knee.kind) slows down from about \(Self.count(knee.viewers)) viewers on (p99 \(time))."
        }
    }

    var peak: String? {
        document.peak.map { peak in
            "Peak with \(Self.count(Double(peak.viewers))) viewers, in one second: "
                + "\(Self.count(peak.podRequestsPerSecond)) requests for pods, "
                + "\(Self.count(peak.requestsPerSecond)) of all kinds."
        }
    }

    var law: String? {
        guard let law = document.law else { return nil }
        guard let viewers = law.peakViewers, let rate = law.peakPerSecond else {
            return
                "Served viewers a second still grow with the audience, as far as was measured (universal scalability law)."
        }
        return
            "Served fastest at about \(Self.count(viewers.value)) viewers (\(Self.ends(viewers))): "
            + "\(Self.count(rate.value)) a second (\(Self.ends(rate))); beyond that more viewers make it slower "
            + "(universal scalability law)."
    }

    var projection: String? {
        document.projection.map { projection in
            "Projection, not measured: \(Self.count(projection.viewers)) viewers would be served at "
                + "\(Self.count(projection.servedPerSecond.value)) a second (\(Self.ends(projection.servedPerSecond)))."
        }
    }

    static func count(_ value: Double) -> String { GroupedDigits.text(rounding: value) }

    private static func ends(_ figure: LawResult.Figure) -> String {
        figure.upper.map { "\(count(figure.lower)) to \(count($0))" } ?? "\(count(figure.lower)) or more"
    }
}
