package import CapacityResult
import RunResult
import Thresholds

/// What a search for a capacity came to, as terminal text: the answer, what gave first, and the breaks by audience.
package struct CapacityText: Sendable {
    private static let narrowest = 40
    private static let mostRows = 16

    private let document: CapacityDocument
    private let width: Int
    private let style: TextStyle

    /// - Parameters:
    ///   - document: The search.
    ///   - width: Columns of the terminal; taken as at least 40.
    ///   - colour: Whether the terminal has colours.
    package init(of document: CapacityDocument, width: Int = 100, colour: Bool = false) {
        self.document = document
        self.width = max(Self.narrowest, width)
        style = TextStyle(colour: colour)
    }

    /// The text, ended by a line feed.
    package func render() -> String {
        let parts = [heading(), answer(), facts(), table(), notes()].filter { !$0.isEmpty }
        return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private func heading() -> [String] {
        let search = document.search
        let runs = TextLayout.counted(document.runs.count, "run")
        let breaks = TextLayout.counted(document.breaks.count, "break")
        let start = UTCText.iso8601(microseconds: search.startedAtMicroseconds)
        let words = [
            "podswarm \(document.podswarmVersion)", "capacity of \(search.profileName)", search.target, start,
            "\(runs), \(breaks), \(TimeText.length(seconds: search.spentSeconds))",
        ]
        return wrapped(words.joined(separator: " · "))
            + wrapped("holds: " + document.asked.hold.joined(separator: ", "))
    }

    private func answer() -> [String] {
        let answer = document.answer
        let (word, ink): (String, TextStyle.Ink) =
            switch (document.state, answer.kind) {
            case (.interrupted, _), (.running, _): ("SO FAR", .yellow)
            case (.ended, .found): ("FOUND", .green)
            case (.ended, .wide): ("LESS CERTAIN THAN ASKED", .yellow)
            case (.ended, .atLeast): ("AT LEAST", .yellow)
            case (.ended, .below): ("NOT EVEN THAT", .red)
            case (.ended, .unknown): ("UNKNOWN", .yellow)
            }
        var lines = [style.inked(word, ink)] + wrapped(answer.text, indent: "  ")
        if let reason = answer.reason { lines += wrapped("- " + reason, indent: "  ", hanging: "  ") }
        return lines
    }

    private func facts() -> [String] {
        var facts: [String] = []
        if let gave = document.gaveFirst { facts.append("Gave first: " + gave.text) }
        if let knee = document.knee {
            let time = MetricText.time(microseconds: knee.p99Microseconds)
            facts.append("\(knee.kind) slows down from about \(count(knee.viewers)) viewers on (p99 \(time)).")
        }
        if let peak = document.peak {
            facts.append(
                "Peak with \(count(Double(peak.viewers))) viewers, in one second: \(count(peak.podRequestsPerSecond)) requests for "
                    + "pods, \(count(peak.requestsPerSecond)) of all kinds."
            )
        }
        if let law = document.law { facts.append(sentence(law)) }
        if let projection = document.projection {
            facts.append(
                "Projection, not measured: \(count(projection.viewers)) viewers would be served at "
                    + "\(count(projection.servedPerSecond.value)) a second (\(ends(projection.servedPerSecond)))."
            )
        }
        return facts.flatMap { wrapped($0, hanging: "  ") }
    }

    private func sentence(_ law: LawResult) -> String {
        guard let viewers = law.peakViewers, let rate = law.peakPerSecond else {
            return
                "Served viewers a second still grow with the audience, as far as was measured (universal scalability law)."
        }
        return
            "Served fastest at about \(count(viewers.value)) viewers (\(ends(viewers))): \(count(rate.value)) a second "
            + "(\(ends(rate))); beyond that more viewers make it slower (universal scalability law)."
    }

    /// By audience, the smallest first; of many, the ones around the answer.
    private func table() -> [String] {
        var rows: [Double: [JudgedBreak]] = [:]
        for run in document.runs {
            for judged in run.breaks {
                let size = document.asked.quantity == .viewers ? Double(judged.planned) : run.sizes.first ?? 0
                rows[size, default: []].append(judged)
            }
        }
        let center = document.answer.value ?? rows.keys.max() ?? 0
        let near = rows.keys.sorted { abs($0 - center) < abs($1 - center) }.prefix(Self.mostRows).sorted()
        guard !near.isEmpty else { return [] }
        var table = TextTable(header: [document.asked.quantity.unit, "held", "missed", "censored", "on time", "p99"])
        for size in near {
            let breaks = rows[size] ?? []
            func held(_ outcome: JudgedBreak.Outcome) -> String { String(breaks.count { $0.outcome == outcome }) }
            let (due, onTime) = (breaks.reduce(0) { $0 &+ $1.due }, breaks.reduce(0) { $0 &+ $1.onTime })
            let p99 = breaks.compactMap { $0.beginning?.p99Microseconds }.max()
            table.rows.append([
                count(size), held(.held), held(.missed), held(.censored),
                due == 0 ? "-" : MetricText.percent(Double(onTime) * 100 / Double(due)),
                p99.map { MetricText.time(microseconds: Double($0)) } ?? "-",
            ])
        }
        let left = rows.count - near.count
        return table.lines(width: width) + (left > 0 ? ["  and \(TextLayout.counted(left, "other size"))"] : [])
    }

    private func notes() -> [String] {
        (document.notes ?? []).flatMap { wrapped("- " + $0, hanging: "  ") }
    }

    private func count(_ value: Double) -> String { TextLayout.grouped(Int(min(max(value.rounded(), 0), 1e15))) }

    private func ends(_ figure: LawResult.Figure) -> String {
        figure.upper.map { "\(count(figure.lower)) to \(count($0))" } ?? "\(count(figure.lower)) or more"
    }

    private func wrapped(_ text: String, indent: String = "", hanging: String = "") -> [String] {
        TextLayout.wrapped(text, width: width, indent: indent, hanging: hanging)
    }
}
