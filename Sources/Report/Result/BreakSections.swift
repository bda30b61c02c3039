import Results
import Rules

enum BreakSections {
    static func breaks(_ document: ResultDocument) -> Section {
        let breaks = document.breaks
        let all = breaks.measured.filter { $0.due > 0 || $0.requests > 0 }
            .sorted { ($0.startMicroseconds, $0.key) < ($1.startMicroseconds, $1.key) }
        let link = breaks.each.isEmpty ? nil : "Breaks"
        let run = document.run
        let overview = BreakOverview(breaks: all, run: run).plot()
        let shown = all.count <= cardLimit ? all : worst(of: all)
        let (count, hidden) = (TextLayout.grouped(all.count), all.count - shown.count)
        let warmUp = breaks.each.count - breaks.measured.count
        let tone = document.punctualityTone
        let notKept = TextLayout.counted(breaks.breaksNotKept, "request")
        let summary: Words =
            breaks.onTimePercent.map { "\(MetricText.percent($0), tone)  (\(breaks.dueSentence))" }
            ?? "no viewer was due for a break"
        return Section("breaks", "Breaks on time", link: link, summary: summary).showing([
            breaks.due > 0 ? .share(breaks.shares).only([.text, .markdown]) : nil,
            .charts([Chart(overviewText, overview)]), all.isEmpty ? nil : .lead(deadlineText(run, all)),
            hidden > 0 ? .heading("The \(shown.count) that went worst, of \(count)").only(.page) : nil,
            all.isEmpty ? nil : .beside(shown.map { card($0, run, tone) }, .cards).only(.page),
            hidden > 0 ? .heading("All \(count) breaks").only(.page) : nil, table(all, run, tone),
            warmUp > 0 ? .said("\(TextLayout.counted(warmUp, "break")) of the warm-up in none of these figures") : nil,
            outcomes("failed", breaks.measured.map(\.failures)), outcomes("skipped", breaks.measured.map(\.skipped)),
            breaks.lateness.map { .said("late by " + $0.sentence([.p50, .p99])) },
            breaks.firstPicture.map { .said("first picture after their start: " + $0.sentence([.p50, .p99])) },
            breaks.breaksNotKept > 0
                ? .said("\(notKept) belonged to breaks beyond the limit of those kept one by one.") : nil,
        ])
    }

    /// The others are in the details of their rows.
    private static let cardLimit = 6

    private static let overviewText: Words =
        "\(strong: "All breaks over the run.") Each bar reaches from the first viewer who had its pod in hand to the last, counted from the break's start. Red, with a mark on top: at least one viewer had it late or never."

    /// The least punctual, then those with the latest last pod; in the order of time.
    private static func worst(of all: [BreakResult]) -> [BreakResult] {
        let ranked = all.filter { $0.due > 0 }.sorted {
            ($0.onTimePercent ?? 100, $1.lastInHand ?? 0, $0.startMicroseconds)
                < ($1.onTimePercent ?? 100, $0.lastInHand ?? 0, $1.startMicroseconds)
        }
        return ranked.prefix(cardLimit).sorted { $0.startMicroseconds < $1.startMicroseconds }
    }

    private static func deadlineText(_ run: RunDescription, _ all: [BreakResult]) -> Words {
        var parts = ["Pod requests above, viewers with their pod in hand below. The solid line is the break's start"]
        if all.contains(where: { $0.lastPlayhead != nil }) {
            let grace = run.breakGrace.map { $0 > 0 ? ", \(TimeText.offset(Clamped.integer($0 * 1_000)))" : "" } ?? ""
            parts.append("the numbered ones are when the playheads of each persona reached it on average\(grace)")
        } else if let grace = run.breakGrace {
            let offset = TimeText.offset(Clamped.integer(grace * 1_000))
            parts.append("the dashed red one the deadline, \(offset) after it, where the picture reaches that far")
            if all.contains(where: \.comesWithStream) { parts.append("a pod that the stream brings has none") }
        }
        if let lead = run.breakLead, lead > 0 {
            parts.append("viewers may ask \(TimeText.duration(Clamped.integer(lead * 1_000))) ahead")
        }
        return Words(parts.joined(separator: "; ") + ".")
    }

    /// In descending importance.
    private static func table(_ all: [BreakResult], _ run: RunDescription, _ tone: Tone) -> Block {
        let figures: [(title: String, value: (BreakResult) -> String?)] = [
            ("due", { TextLayout.grouped($0.due) }), ("on time", { $0.onTimePercent.map(MetricText.percent) }),
            ("late", { TextLayout.grouped($0.late) }), ("failed", { TextLayout.grouped($0.failedCount) }),
            ("skipped", { TextLayout.grouped($0.skipped.values.reduce(0, &+)) }),
            ("first request", { $0.burst.firstMicroseconds.map(TimeText.offset) }), ("spread", \.spread),
            ("slowest", { $0.slowestResponseMicroseconds.map(TimeText.duration) }), ("in hand", \.inHandSpan),
            ("manifests", { $0.manifests?.sentence([.p50, .p90, .p99]) }),
            ("playlists", { $0.playlists?.sentence([.p50, .p90, .p99]) }),
            ("segments", { $0.segments?.sentence([.p50, .p90, .p99]) }),
            ("first picture", { $0.firstPicture?.sentence([.p50, .p90, .p99]) }),
            ("sent late", { $0.sendLateness?.sentence([.p99]) }),
            ("filled", { $0.fill.flatMap { $0.filledPercent == nil ? nil : $0.shares.filled } }),
            ("slate", { $0.fill.flatMap { $0.filledPercent == nil ? nil : $0.shares.slate } }),
        ]
        let opens = all.count > cardLimit
        return Table(
            "Table of breaks",
            ["break"] + figures.map { .init(Words($0.title)) },
            limits: Limits(text: 12, markdown: 40),
            noun: "break",
            rest: "went no worse; see the result"
        ).listing(all.filter { $0.due > 0 || opens }) { entry in
            let cells = figures.map { title, value in
                let isBad = title == "on time" && entry.onTime < entry.due
                return isBad ? Words.strong(value(entry) ?? "–", tone) : value(entry).orDash
            }
            return Table.Row(
                [.code(entry.key)] + cells,
                // The latest first among equals.
                rank: 100 - (entry.onTimePercent ?? 100) + Double(entry.startMicroseconds) / 1e20,
                details: opens ? details(entry, run) : []
            )
        }
    }

    private static func card(_ entry: BreakResult, _ run: RunDescription, _ whole: Tone) -> [Block?] {
        let percent = entry.onTimePercent.map(MetricText.percent) ?? "–"
        let tone = entry.onTime >= entry.due ? Tone.good : whole
        let time = TimeText.clock(entry.startMicroseconds)
        let isNamedByTime = entry.key == UTCText.iso8601(microseconds: entry.startMicroseconds)
        return [.heading(time, "\(strong: percent, tone) of \(TextLayout.grouped(entry.due)) on time")]
            + details(entry, run) + [isNamedByTime ? nil : .paragraph(.code(entry.key))]
    }

    private static func details(_ entry: BreakResult, _ run: RunDescription) -> [Block?] {
        let causes =
            entry.failures
            .merging(entry.skipped.map { ("skipped: " + $0.key, $0.value) }, uniquingKeysWith: &+).sentence
        let strip = entry.discovery.map { DiscoveryStrip(entry: entry, discovery: $0) }
        let identifiers = entry.identifiers.count > 1 ? entry.identifiers.prefix(4) : []
        return [
            BreakPicture(entry: entry, run: run).plot().map { .markup($0.markup()) },
            .list((entry.personas ?? []).enumerated().map { persona($1, number: $0 + 1) }),
            .list((entry.by ?? []).map(group)),
            strip?.plot().map { .markup($0.markup()) }, strip.map { .said($0.text) },
            causes.isEmpty ? nil : .said(causes),
            identifiers.isEmpty ? nil : .paragraph("Asked for under several identifiers:"),
            .list(
                identifiers.map {
                    "\(code: $0.identifier) \(TextLayout.counted($0.viewers, "viewer")) (\(MetricText.percent($0.viewersPercent))), \(TextLayout.counted($0.pods, "pod"))"
                }
            ),
        ]
    }

    /// Numbered like its playheads in the chart.
    private static func persona(_ persona: PersonaPunctuality, number: Int) -> Words {
        let span = persona.playheadFirstMicroseconds.flatMap { first in
            persona.playheadLastMicroseconds.map { last in
                first == last ? TimeText.offset(first) : TimeText.offset(first) + " to " + TimeText.offset(last)
            }
        }
        let percent = persona.onTimePercent.map(MetricText.percent) ?? "–"
        let name = "\(span == nil ? "" : "\(number) ")\(persona.name ?? "")"
        let playhead = span.map { ", playheads at \($0)" } ?? ""
        return "\(name) \(strong: percent) of \(TextLayout.grouped(persona.due))\(playhead)"
    }

    private static func group(_ group: ReportedResult) -> Words {
        let values = group.values.map { value in
            let share = value.breaks.onTimePercent.map {
                "\(MetricText.percent($0)) of \(TextLayout.grouped(value.breaks.due))"
            }
            let errors = value.breaks.answers.map(\.errors).flatMap {
                $0 > 0 ? ", \(TextLayout.counted($0, "error"))" : nil
            }
            let slowest = value.breaks.answers?.cell(.p99).map { ", p99 \($0)" }
            return "\(value.value) \(share ?? "–")\(slowest ?? "")\(errors ?? "")"
        }
        return "by \(group.name): \(values.joined(separator: "; "))"
    }

    private static func outcomes(_ word: String, _ counts: [[String: UInt64]]) -> Block? {
        let sums = counts.reduce(into: [String: UInt64]()) { $0.merge($1, uniquingKeysWith: &+) }
        let text = sums.sentence
        return text.isEmpty ? nil : .said("\(word): \(text)")
    }

    /// Nil if no time was requested.
    static func fill(_ document: ResultDocument) -> Section? {
        guard let fill = document.breaks.fill, fill.filledPercent != nil else { return nil }
        let shares = fill.shares
        let table = Table(
            "Fill by cohort",
            ["cohort", "asked", "filled", "ads", "slate"],
            limits: Limits(text: 12, markdown: 12, page: 48),
            noun: "cohort",
            rest: "were filled no worse; see the result"
        ).listing(document.breaks.fillOfCohorts ?? []) { cohort in
            let cells = [cohort.shares.filled, cohort.shares.ads, cohort.shares.slate].map { Words($0) }
            let rank = 100 - (cohort.filledPercent ?? 100)
            return .init([Words(cohort.cohort ?? ""), .count(cohort.asked)] + cells, rank: rank)
        }
        let summary: Words =
            "\(strong: shares.filled)  (ads \(shares.ads), slate \(shares.slate) of the time that was asked for)"
        return Section("fill", "Filled", link: "Fill", summary: summary).showing([table])
    }
}

extension [String: UInt64] {
    /// The largest first.
    var sentence: String { sentence(atMost: count) }

    func sentence(atMost most: Int) -> String {
        filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(most)
            .map { "\($0.key) \(TextLayout.grouped($0.value))" }.joined(separator: ", ")
    }
}

extension FillResult {
    /// Shares of the requested time; dashes if none was requested.
    fileprivate var shares: (filled: String, ads: String, slate: String) {
        let share = { (milliseconds: UInt64) in
            askedMilliseconds == 0 ? "-" : MetricText.percent(Double(milliseconds) * 100 / Double(askedMilliseconds))
        }
        return (filledPercent.map(MetricText.percent) ?? "-", share(adMilliseconds), share(slateMilliseconds))
    }
}
