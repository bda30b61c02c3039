import Results
import Rules

enum PlayerSections {
    static func players(_ document: ResultDocument) -> Section? {
        let personas = document.audience?.personas ?? []
        let blocks: [Block?] =
            [.table(table(personas)), .facts(personas.filter { !$0.unconfirmed.isEmpty }.map(unconfirmed))]
            + events(document) + news(document) + playback(document) + clock(document)
        guard blocks.contains(where: { $0 != nil }) else { return nil }
        return Section("players", "Players", link: "Players", blocks)
    }

    /// Nil for a profile without `report.by`.
    static func groups(_ document: ResultDocument) -> Section? {
        guard let by = document.by, !by.isEmpty else { return nil }
        let kinds = RequestKind.allCases.filter { kind in
            kind.beginsBreak && by.contains { $0.values.contains { $0.requests?[kind.name] != nil } }
        }
        let tables = by.map { group in
            Table(
                name: "By \(group.name)",
                columns: [.init(Words(group.name)), "on time", "due", "late", "failed", "requests", "errors"]
                    + kinds.flatMap { kind in ["p50", "p99"].map { .init(Words("\(kind.name) \($0)")) } },
                rows: group.values.map { row($0, kinds) },
                noun: "value"
            )
        }
        return Section("by", "By \(by.map(\.name).joined(separator: ", "))", link: "Groups", tables.map { .table($0) })
    }

    private static func row(_ value: ReportedResult.Value, _ kinds: [RequestKind]) -> Table.Row {
        let (breaks, requests) = (value.breaks, value.requests ?? [:])
        let percent = breaks.onTimePercent.map(MetricText.percent)
        let sum = { (figure: KeyPath<AnswerResult, UInt64>) in requests.values.reduce(0) { $0 &+ $1[keyPath: figure] } }
        let errors = sum(\.errors)
        return Table.Row(
            [
                Words(value.value), breaks.onTime >= breaks.due ? percent.orDash : .strong(percent ?? "–", .bad),
                .count(breaks.due), .count(breaks.late), .count(breaks.failed &+ breaks.unresolved),
                .count(sum(\.count)), Words(TextLayout.grouped(errors), errors > 0 ? .bad : .plain),
            ]
                + kinds.flatMap { kind in
                    [(Statistic.p50, \AnswerResult.p50Microseconds), (.p99, \.p99Microseconds)].map {
                        (requests[kind.name]?.cell($0.0, $0.1)).orDash
                    }
                },
            rank: 100 - (breaks.onTimePercent ?? 100)
        )
    }

    private static func unconfirmed(_ persona: AudienceResult.Persona) -> Fact {
        Fact("\(persona.name), unconfirmed", Words(persona.unconfirmed.joined(separator: ", ")))
    }

    private static func table(_ personas: [AudienceResult.Persona]) -> Table {
        Table(
            name: "Punctuality by persona",
            columns: ["persona", "share", "on time", "due", "late", "failed", "viewers", "deadline", "playhead at"],
            rows: personas.map { persona in
                let breaks = persona.breaks
                let percent = breaks.onTimePercent.map(MetricText.percent)
                let figures: [String?] = [
                    TextLayout.grouped(breaks.due), TextLayout.grouped(breaks.late),
                    TextLayout.grouped(breaks.failed &+ breaks.unresolved),
                    persona.viewers.map { TextLayout.grouped($0) },
                    persona.deadlineMilliseconds.map {
                        TimeText.duration($0.multipliedReportingOverflow(by: 1_000).partialValue)
                    }, breaks.playheadMeanMicroseconds.map(TimeText.offset),
                ]
                return Table.Row(
                    [
                        Words(persona.name), Words(MetricText.percent(persona.sharePercent)),
                        breaks.onTime >= breaks.due ? percent.orDash : .strong(percent ?? "–", .bad),
                    ] + figures.map(\.orDash)
                )
            }
        )
    }

    private static func events(_ document: ResultDocument) -> [Block?] {
        guard let told = ToldEvents(document) else { return [] }
        let events = told.counts
        let styles = [
            "finished": "ok", "cut_short": "cut", "cancelled": "off", "failed": "bad", "skipped": "late",
            "left": "open",
        ]
        let parts = events.ends.map {
            ShareBar.Part(
                name: $0.name.replacing("_", with: " "),
                count: $0.count,
                style: styles[$0.name] ?? "open"
            )
        }
        var summary = "\(TextLayout.grouped(events.scheduled)) scheduled, \(TextLayout.grouped(events.started)) started"
        if events.changed > 0 { summary += ", \(TextLayout.grouped(events.changed)) changed on the way" }
        if events.restricted > 0 {
            summary += ", X-RESTRICT forbade to skip or jump \(TextLayout.counted(events.restricted, "time"))"
        }
        let missing = "\(TextLayout.grouped(events.unaccounted)) of them have no known end"
        return [
            .heading(told.noun.title, Words(summary)), .share(ShareBar(name: "How they ended", parts: parts)),
            events.unaccounted == 0 ? nil : .paragraph(Words(missing, .warn), .alarm),
        ]
    }

    private static func news(_ document: ResultDocument) -> [Block?] {
        guard let all = document.breaks.discovery else { return [] }
        let told = document.breaks.measured.filter { $0.discovery != nil }
        let rows = told.enumerated().compactMap { index, entry in
            entry.discovery.map { discovery in
                let figure = { (statistic: Statistic, microseconds: Int64?) in
                    TimeText.percentile(
                        statistic,
                        microseconds,
                        of: discovery.viewers,
                        maximum: discovery.maximumMicroseconds
                    ) ?? "later"
                }
                let cells = [
                    TextLayout.grouped(discovery.viewers), figure(.p50, discovery.p50Microseconds),
                    figure(.p90, discovery.p90Microseconds), figure(.p99, discovery.p99Microseconds),
                    TimeText.duration(discovery.maximumMicroseconds),
                ]
                return Table.Row([.code(entry.key)] + cells.map { Words($0) }, rank: Double(index))
            }
        }
        let table = Table(
            name: "How the news of each break spread",
            columns: ["break", "viewers", "p50", "p90", "p99", "last"],
            rows: rows.count > 1 ? rows : [],
            limits: Limits(text: 12, markdown: 12, page: 100),
            noun: "break",
            rest: "in the result"
        )
        return [
            .heading("News of breaks"),
            .said("reached the viewers after the first: " + all.sentence([.p50, .p99])),
            .table(table),
        ]
    }

    private static func playback(_ document: ResultDocument) -> [Block?] {
        guard let playback = document.playback else { return [] }
        let count = { (number: UInt64) in TextLayout.grouped(number) }
        var figures: [Figure] = []
        if playback.stalls > 0 || playback.liveLatency != nil {
            let stalled = playback.stalledMilliseconds.multipliedReportingOverflow(by: 1_000).partialValue
            let note = playback.stalls == 0 ? "playback never stood still" : TimeText.duration(Int64(clamping: stalled))
            figures.append(
                Figure(
                    label: "Stalls",
                    value: count(playback.stalls),
                    note: note + (playback.stalls == 0 ? "" : " in all"),
                    tone: playback.stalls > 0 ? .warn : .plain
                )
            )
        }
        if let latency = playback.liveLatency {
            figures.append(
                Figure(
                    label: "Playheads behind the wall clock",
                    value: latency.cell(.p50),
                    note: latency.sentence([.p99])
                )
            )
        }
        if playback.variantSwitches > 0 {
            figures.append(Figure(label: "Changes of variant", value: count(playback.variantSwitches)))
        }
        if playback.seeks > 0 { figures.append(Figure(label: "Seeks", value: count(playback.seeks))) }
        if let counts = playback.lowLatency { figures += lowLatency(counts) }
        return figures.isEmpty ? [.heading("Playback")] : [.heading("Playback"), .figures(figures)]
    }

    private static func lowLatency(_ counts: PlaybackResult.LowLatency) -> [Figure] {
        let count = { (number: UInt64) in TextLayout.grouped(number) }
        let wrong = "\(count(counts.deltaRefetches)) asked for whole again, \(count(counts.deltaMismatches)) wrong"
        let figures = [
            (
                counts.blockingReloads | counts.blockingFallbacks,
                Figure(
                    label: "Blocking reloads",
                    value: count(counts.blockingReloads),
                    note: "\(count(counts.blockingFallbacks)) back to polling"
                )
            ),
            (
                counts.deltaUpdates | counts.deltaRefetches,
                Figure(
                    label: "Delta updates",
                    value: count(counts.deltaUpdates),
                    note: wrong,
                    tone: counts.deltaMismatches > 0 ? .bad : .plain
                )
            ),
            (
                counts.hintsUsed | counts.hintsGone,
                Figure(
                    label: "Hinted parts used",
                    value: count(counts.hintsUsed),
                    note: "\(count(counts.hintsGone)) never came"
                )
            ),
        ]
        return figures.filter { $0.0 > 0 }.map(\.1)
    }

    private static func clock(_ document: ResultDocument) -> [Block?] {
        guard let offset = document.channelOffsetMicroseconds else { return [] }
        return [
            .heading("Channel"),
            .said("dates \(ChannelClockText.offset(offset)) (clock or publishing delay)"),
        ]
    }
}

/// Ends of the breaks that viewers scheduled.
struct ToldEvents {
    enum Noun: String {
        case interstitial
        case pod
        /// Both, or neither was requested.
        case scheduledBreak = "break"

        var title: String {
            switch self {
            case .interstitial: "Interstitials"
            case .pod: "Pods"
            case .scheduledBreak: "Breaks"
            }
        }
    }

    let counts: EventResult
    let noun: Noun

    /// Nil if no asset was requested and every break was played to its end or still open.
    init?(_ document: ResultDocument) {
        guard let events = document.events else { return nil }
        func isAsked(_ kinds: RequestKind...) -> Bool {
            kinds.contains { (document.requests[$0.name]?.count ?? 0) > 0 }
        }
        let hasAssets = isAsked(.assetList, .assetManifest)
        let special =
            events.cutShort | events.cancelled | events.failed | events.skipped | events.restricted | events.changed
        guard hasAssets || special > 0 || events.unaccounted != 0 else { return nil }
        counts = events
        noun =
            switch (hasAssets, isAsked(.podManifest)) {
            case (true, false): .interstitial
            case (false, true): .pod
            case (true, true), (false, false): .scheduledBreak
            }
    }
}
