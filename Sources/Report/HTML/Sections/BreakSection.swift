import RunResult
import Thresholds

/// Every break of a run: an overview of all, pictures of the worst, and a row for each.
struct BreakSection {
    struct Count {
        var name: String
        var count: String
    }

    struct Identifier {
        var name: String
        var viewers: String
        var share: String
        var pods: String
    }

    /// One persona in one break.
    struct Persona {
        /// The number that marks its playheads in the picture; empty where there is no mark.
        var number: String
        var name: String
        var percent: String
        var due: String
        var playhead: String
        var hasPlayhead: Bool
    }

    /// How the news of a break spread.
    struct News {
        var picture: Markup
        var text: String
    }

    /// One break.
    struct Entry {
        var time: String
        /// Shown where it says more than the time.
        var key: String
        var hasKey: Bool
        var due: String
        var percent: String
        var isPunctual: Bool
        var late: String
        var failed: String
        var hasFill: Bool
        var filled: String
        var slate: String
        var inHand: String
        var spread: String
        var slowest: String
        var sendLateness: String
        var picture: Markup
        var causes: [Count]
        var hasCauses: Bool
        var identifiers: [Identifier]
        var hasIdentifiers: Bool
        var personas: [Persona]
        var hasPersonas: Bool
        var news: News?
    }

    /// Breaks drawn openly at most; the rest wait behind their rows.
    static let cardLimit = 6

    var overview: Markup
    var hasOverview: Bool
    var deadlineText: String
    var hasGrace: Bool
    var hasLead: Bool
    var cards: [Entry]
    var cardTitle: String
    var hasCardTitle: Bool
    var rows: [Entry]
    var hasRows: Bool
    var rowTitle: String
    var notes: [String]

    /// Nil where no viewer was due for any break and none was asked for.
    init?(_ document: ResultDocument) {
        let all = document.breaks.measured.filter { $0.due > 0 || $0.requests > 0 }
            .sorted { ($0.startMicroseconds, $0.key) < ($1.startMicroseconds, $1.key) }
        guard !all.isEmpty else { return nil }
        let deadlines = BreakDeadlines(document.run.asked)
        let plot = BreakOverview(breaks: all, run: document.run, deadlines: deadlines).plot()
        overview = plot?.markup() ?? .none
        hasOverview = plot != nil
        hasGrace = deadlines.grace != nil
        hasLead = deadlines.lead != nil
        deadlineText = Self.deadlineText(deadlines, hasPlayheads: all.contains { $0.lastPlayhead != nil })
        let shown = all.count <= Self.cardLimit ? all : Self.worst(of: all)
        cards = shown.map { Self.entry($0, deadlines) }
        cardTitle =
            all.count <= Self.cardLimit
            ? "" : "The \(shown.count) that went worst, of \(TextLayout.grouped(all.count))"
        hasCardTitle = !cardTitle.isEmpty
        rows = all.count <= Self.cardLimit ? [] : all.map { Self.entry($0, deadlines) }
        hasRows = !rows.isEmpty
        rowTitle = "All \(TextLayout.grouped(all.count)) breaks"
        notes = Self.notes(document)
    }

    /// The least punctual, then those where the last viewer waited longest; in the order of time.
    private static func worst(of all: [BreakResult]) -> [BreakResult] {
        let ranked = all.filter { $0.due > 0 }.sorted {
            ($0.onTimePercent ?? 100, $1.lastInHand ?? 0, $0.startMicroseconds)
                < ($1.onTimePercent ?? 100, $0.lastInHand ?? 0, $1.startMicroseconds)
        }
        return ranked.prefix(cardLimit).sorted { $0.startMicroseconds < $1.startMicroseconds }
    }

    private static func deadlineText(_ deadlines: BreakDeadlines, hasPlayheads: Bool) -> String {
        var parts = ["The solid line is the break's start"]
        if hasPlayheads {
            let grace = deadlines.grace.map { $0 > 0 ? ", \(TimeText.offset(Clamped.integer($0 * 1_000)))" : "" } ?? ""
            parts.append("the numbered ones are when the playheads of each persona reached it on average\(grace)")
        } else if let grace = deadlines.grace {
            let offset = TimeText.offset(Clamped.integer(grace * 1_000))
            parts.append("the dashed red one the deadline, \(offset) after it, where the picture reaches that far")
        }
        if let lead = deadlines.lead, lead > 0 {
            parts.append("viewers may ask \(TimeText.duration(Clamped.integer(lead * 1_000))) ahead")
        }
        return parts.joined(separator: "; ") + "."
    }

    private static func entry(_ entry: BreakResult, _ deadlines: BreakDeadlines) -> Entry {
        let causes =
            entry.failed.merging(["unresolved": entry.unresolved], uniquingKeysWith: &+)
            .merging(entry.skipped.map { ("skipped: " + $0.key, $0.value) }, uniquingKeysWith: &+)
            .filter { $0.value > 0 }
            .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { Count(name: $0.key.replacing("_", with: " "), count: TextLayout.grouped($0.value)) }
        let bound = entry.spreadBoundMicroseconds.map { " ±" + TimeText.duration($0) } ?? ""
        let spread = entry.burst.firstMicroseconds.flatMap { first in
            entry.burst.lastMicroseconds.map { TimeText.duration($0 &- first) + bound }
        }
        let inHand = entry.firstInHand.flatMap { first in
            entry.lastInHand.map { TimeText.offset(first) + " to " + TimeText.offset($0) }
        }
        let fill = entry.fill.map { FillText($0) }
        return Entry(
            time: TimeText.clock(entry.startMicroseconds),
            key: entry.key,
            hasKey: entry.key != UTCText.iso8601(microseconds: entry.startMicroseconds),
            due: TextLayout.grouped(entry.due),
            percent: entry.onTimePercent.map(MetricText.percent) ?? "–",
            isPunctual: entry.onTime >= entry.due,
            late: TextLayout.grouped(entry.late),
            failed: TextLayout.grouped(entry.failedCount),
            hasFill: entry.fill?.filledPercent != nil,
            filled: fill?.filled ?? "",
            slate: fill?.slate ?? "",
            inHand: inHand ?? "–",
            spread: spread ?? "–",
            slowest: entry.slowestResponseMicroseconds.map(TimeText.duration) ?? "–",
            sendLateness: entry.sendLateness.map { "; sent late by \($0.sentence([.p99]))" }
                ?? "",
            picture: BreakPicture(entry: entry, deadlines: deadlines).plot()?.markup() ?? .none,
            causes: causes,
            hasCauses: !causes.isEmpty,
            identifiers: entry.identifiers.prefix(4).map {
                Identifier(
                    name: $0.identifier,
                    viewers: TextLayout.grouped($0.viewers),
                    share: MetricText.percent($0.viewersPercent),
                    pods: TextLayout.counted($0.pods, "pod")
                )
            },
            hasIdentifiers: entry.identifiers.count > 1,
            personas: Self.personas(entry),
            hasPersonas: entry.personas?.isEmpty == false,
            news: entry.discovery.map { discovery in
                let strip = DiscoveryStrip(entry: entry, discovery: discovery)
                return News(picture: strip.plot()?.markup() ?? .none, text: strip.text)
            }
        )
    }

    private static func personas(_ entry: BreakResult) -> [Persona] {
        (entry.personas ?? []).enumerated().map { index, persona in
            let span = persona.playheadFirstMicroseconds.flatMap { first in
                persona.playheadLastMicroseconds.map { last in
                    first == last ? TimeText.offset(first) : TimeText.offset(first) + " to " + TimeText.offset(last)
                }
            }
            return Persona(
                number: span == nil ? "" : "\(index + 1)",
                name: persona.name ?? "",
                percent: persona.onTimePercent.map(MetricText.percent) ?? "–",
                due: TextLayout.grouped(persona.due),
                playhead: span ?? "",
                hasPlayhead: span != nil
            )
        }
    }

    private static func notes(_ document: ResultDocument) -> [String] {
        var notes: [String] = []
        if let late = document.breaks.lateness {
            notes.append(
                "Late pods came late by \(late.sentence([.p50]))."
            )
        }
        if document.breaks.breaksNotKept > 0 {
            notes.append(
                TextLayout.counted(document.breaks.breaksNotKept, "request")
                    + " belonged to breaks beyond the limit of those kept one by one."
            )
        }
        return notes
    }
}
