import RunResult
import Thresholds

extension MarkdownSummary {
    /// Each persona's punctuality, what became of interstitials, and how playback went.
    func players() -> [String] { personas() + sentences() }

    private func personas() -> [String] {
        guard let personas = document.audience?.personas, !personas.isEmpty else { return [] }
        let rows = personas.map { persona in
            [
                MarkdownText.plain(persona.name) + (persona.unconfirmed.isEmpty ? "" : " (partly unconfirmed)"),
                MetricText.percent(persona.sharePercent),
                persona.breaks.onTimePercent.map(MetricText.percent) ?? "",
                TextLayout.grouped(persona.breaks.due), TextLayout.grouped(persona.breaks.late),
                TextLayout.grouped(persona.breaks.failed &+ persona.breaks.unresolved),
            ]
        }
        return MarkdownText.table(["persona", "share", "on time", "due", "late", "failed"], rows)
    }

    private func sentences() -> [String] {
        var lines: [String] = []
        if let told = ToldEvents(document) {
            let events = told.counts
            let ends = events.ends.filter { $0.count > 0 }
                .map { "\(TextLayout.grouped($0.count)) \($0.name.replacing("_", with: " "))" }
            let missing = events.unaccounted == 0 ? "" : "; **\(events.unaccounted) came to no end that is known**"
            lines.append(
                "\(TextLayout.counted(events.scheduled, told.noun.rawValue)) scheduled: "
                    + ends.joined(separator: ", ") + missing + "."
            )
        }
        if let news = document.breaks.discovery {
            lines.append("The news of a break reached the viewers after the first: \(news.sentence([.p50, .p99])).")
        }
        if let playback = document.playback, playback.stalls > 0 {
            let stalled = MetricText.time(microseconds: Double(playback.stalledMilliseconds) * 1_000)
            lines.append("\(TextLayout.counted(playback.stalls, "stall")), \(stalled) in all.")
        }
        return lines.flatMap { [$0, ""] }
    }
}
