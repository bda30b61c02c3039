import Results
import Rules

enum PlayerSections {
    static func players(_ document: ResultDocument) -> Section {
        let personas = document.audience?.personas ?? []
        let unconfirmed = personas.filter { !$0.unconfirmed.isEmpty }.map { persona in
            Fact("\(persona.name), unconfirmed", Words(persona.unconfirmed.joined(separator: ", ")))
        }
        let blocks: [Block?] =
            [table(personas), .facts(unconfirmed)] + events(document) + news(document) + playback(document)
            + clock(document)
        return Section("players", "Players", link: "Players").showing(blocks)
    }

    /// Empty for a profile without `report.by`.
    static func groups(_ document: ResultDocument) -> Section {
        let by = document.by ?? []
        let kinds = RequestKind.allCases.filter { kind in
            kind.beginsBreak && by.contains { $0.values.contains { $0.requests?[kind.name] != nil } }
        }
        let tables = by.map { group in
            let heads = [group.name, "on time", "due", "late", "failed", "requests", "errors"]
            let times = kinds.flatMap { kind in ["p50", "p99"].map { "\(kind.name) \($0)" } }
            let table = Table("By \(group.name)", (heads + times).map { .init($0) }, noun: "value")
            return table.listing(group.values) { row($0, kinds) }
        }
        return Section("by", "By \(by.map(\.name).joined(separator: ", "))", link: "Groups").showing(tables)
    }

    private static func row(_ value: ReportedResult.Value, _ kinds: [RequestKind]) -> Table.Row {
        let (breaks, requests) = (value.breaks, value.requests ?? [:])
        let sum = { (figure: KeyPath<AnswerResult, UInt64>) in requests.values.reduce(0) { $0 &+ $1[keyPath: figure] } }
        let errors = sum(\.errors)
        let counts: [Words] = [.count(sum(\.count)), Words(TextLayout.grouped(errors), errors > 0 ? .bad : .plain)]
        let times = kinds.flatMap { kind in [Statistic.p50, .p99].map { (requests[kind.name]?.cell($0)).orDash } }
        let cells = [Words(value.value)] + breaks.cells + counts + times
        return Table.Row(cells, rank: 100 - (breaks.onTimePercent ?? 100))
    }

    private static func table(_ personas: [AudienceResult.Persona]) -> Block {
        Table(
            "Punctuality by persona",
            ["persona", "share", "on time", "due", "late", "failed", "viewers", "deadline", "playhead at"]
        ).listing(personas) { persona in
            let breaks = persona.breaks
            let figures: [String?] = [
                persona.viewers.map { TextLayout.grouped($0) },
                persona.deadlineMilliseconds.map {
                    TimeText.duration($0.multipliedReportingOverflow(by: 1_000).partialValue)
                }, breaks.playheadMeanMicroseconds.map(TimeText.offset),
            ]
            let front = [Words(persona.name), Words(MetricText.percent(persona.sharePercent))]
            return Table.Row(front + breaks.cells + figures.map(\.orDash))
        }
    }

    /// Ends of the breaks that viewers scheduled; empty if no asset was requested and every break was played to its end.
    private static func events(_ document: ResultDocument) -> [Block?] {
        guard let events = document.events else { return [] }
        func isAsked(_ kinds: RequestKind...) -> Bool {
            kinds.contains { (document.requests[$0.name]?.count ?? 0) > 0 }
        }
        let (hasAssets, hasPods) = (isAsked(.assetList, .assetManifest), isAsked(.podManifest))
        let special =
            events.cutShort | events.cancelled | events.failed | events.skipped | events.restricted | events.changed
        guard hasAssets || special > 0 || events.unaccounted != 0 else { return [] }
        let title = hasAssets == hasPods ? "Breaks" : hasAssets ? "Interstitials" : "Pods"
        let styles = [
            "finished": "ok", "cut_short": "cut", "cancelled": "off", "failed": "bad", "skipped": "late",
            "left": "open",
        ]
        let parts = events.ends.map { name, count in
            (name: name.replacing("_", with: " "), count: count, style: styles[name] ?? "open")
        }
        var summary = "\(TextLayout.grouped(events.scheduled)) scheduled, \(TextLayout.grouped(events.started)) started"
        if events.changed > 0 { summary += ", \(TextLayout.grouped(events.changed)) changed on the way" }
        if events.restricted > 0 {
            summary += ", X-RESTRICT forbade to skip or jump \(TextLayout.counted(events.restricted, "time"))"
        }
        let missing = "\(TextLayout.grouped(events.unaccounted)) of them have no known end"
        return [
            .heading(title, Words(summary)), .share(ShareBar(name: "How they ended", parts: parts)),
            events.unaccounted == 0 ? nil : .paragraph(Words(missing, .warn), .alarm),
        ]
    }

    private static func news(_ document: ResultDocument) -> [Block?] {
        guard let all = document.breaks.discovery else { return [] }
        let told = document.breaks.measured.filter { $0.discovery != nil }
        let rows = told.enumerated().compactMap { index, entry in
            entry.discovery.map { discovery in
                let (viewers, most) = (discovery.viewers, discovery.maximumMicroseconds)
                let figures = [
                    (Statistic.p50, discovery.p50Microseconds), (.p90, discovery.p90Microseconds),
                    (.p99, discovery.p99Microseconds),
                ].map { TimeText.percentile($0, $1, of: viewers, maximum: most) ?? "later" }
                let cells = [TextLayout.grouped(viewers)] + figures + [TimeText.duration(most)]
                return Table.Row([.code(entry.key)] + cells.map { Words($0) }, rank: Double(index))
            }
        }
        let table = Table(
            "How the news of each break spread",
            ["break", "viewers", "p50", "p90", "p99", "last"],
            limits: Limits(text: 12, markdown: 12, page: 100),
            noun: "break"
        ).listing(rows.count > 1 ? rows : [])
        return [
            .heading("News of breaks"), .said("reached the viewers after the first: " + all.sentence([.p50, .p99])),
            table,
        ]
    }

    private static func playback(_ document: ResultDocument) -> [Block?] {
        guard let playback = document.playback else { return [] }
        let (stalls, latency) = (playback.stalls, playback.liveLatency)
        let stalled = playback.stalledMilliseconds.multipliedReportingOverflow(by: 1_000).partialValue
        let length =
            stalls == 0 ? "playback never stood still" : TimeText.duration(Int64(clamping: stalled)) + " in all"
        let figures: [Fact?] = [
            stalls > 0 || latency != nil
                ? Fact("Stalls", Words(TextLayout.grouped(stalls), stalls > 0 ? .warn : .plain), note: length) : nil,
            playback.rebufferingPercent.map {
                Fact("Rebuffering", Words(MetricText.percent($0)), note: "of what was played")
            },
            playback.firstPicture.map {
                Fact("First picture after the join", Words($0.cell(.p50)), note: $0.sentence([.p90, .p99]))
            },
            latency.map { Fact("Playheads behind the wall clock", Words($0.cell(.p50)), note: $0.sentence([.p99])) },
            playback.variantSwitches > 0 ? Fact("Changes of variant", .count(playback.variantSwitches)) : nil,
            playback.seeks > 0 ? Fact("Seeks", .count(playback.seeks)) : nil,
        ]
        return [.heading("Playback"), .figures(figures + (playback.lowLatency.map(lowLatency) ?? []))]
    }

    private static func lowLatency(_ counts: PlaybackResult.LowLatency) -> [Fact?] {
        let count = { (number: UInt64) in TextLayout.grouped(number) }
        let polling = "\(count(counts.blockingFallbacks)) back to polling"
        let wrong = "\(count(counts.deltaRefetches)) asked for whole again, \(count(counts.deltaMismatches)) wrong"
        let tone: Tone = counts.deltaMismatches > 0 ? .bad : .plain
        let gone = "\(count(counts.hintsGone)) never came"
        return [
            counts.blockingReloads | counts.blockingFallbacks > 0
                ? Fact("Blocking reloads", .count(counts.blockingReloads), note: polling) : nil,
            counts.deltaUpdates | counts.deltaRefetches > 0
                ? Fact("Delta updates", Words(count(counts.deltaUpdates), tone), note: wrong) : nil,
            counts.hintsUsed | counts.hintsGone > 0
                ? Fact("Hinted parts used", .count(counts.hintsUsed), note: gone) : nil,
        ]
    }

    private static func clock(_ document: ResultDocument) -> [Block?] {
        guard let offset = document.channelOffsetMicroseconds else { return [] }
        return [.heading("Channel"), .said("dates \(ChannelClockText.offset(offset)) (clock or publishing delay)")]
    }
}

extension PersonaPunctuality {
    /// On time, due, late and failed.
    fileprivate var cells: [Words] {
        let percent = onTimePercent.map(MetricText.percent)
        return [
            onTime >= due ? percent.orDash : .strong(percent ?? "–", .bad), .count(due), .count(late),
            .count(failed &+ unresolved),
        ]
    }
}
