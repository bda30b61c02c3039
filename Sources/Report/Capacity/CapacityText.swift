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

    private var said: CapacityFacts { CapacityFacts(document: document) }

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
            search.shards.map { "\($0) shards" },
        ].compactMap(\.self)
        return wrapped(words.joined(separator: " · "))
            + wrapped("holds: " + document.asked.hold.joined(separator: ", "))
    }

    /// The answer in a word, with the exit status.
    package func lastLine(exit: Int32) -> String { style.inked("\(said.word.uppercased()) (exit \(exit))", ink) }

    private var ink: TextStyle.Ink {
        switch (document.state, document.answer.kind) {
        case (.ended, .found): .green
        case (.ended, .below): .red
        default: .yellow
        }
    }

    private func answer() -> [String] {
        let answer = document.answer
        var lines = [style.inked(said.word.uppercased(), ink)] + wrapped(answer.text, indent: "  ")
        if let reason = answer.reason { lines += wrapped("- " + reason, indent: "  ", hanging: "  ") }
        return lines
    }

    private func facts() -> [String] {
        let first = document.gaveFirst.map { "Gave first: " + $0.text }
        let facts = [first, said.knee, said.peak, said.law, said.projection].compactMap(\.self)
        return facts.flatMap { wrapped($0, hanging: "  ") }
    }

    /// By audience, the smallest first; of many, the ones around the answer.
    private func table() -> [String] {
        var rows: [Double: [JudgedBreak]] = [:]
        for run in document.runs {
            for judged in run.breaks {
                rows[said.size(of: judged, in: run), default: []].append(judged)
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
                CapacityFacts.count(size), held(.held), held(.missed), held(.censored),
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

    private func wrapped(_ text: String, indent: String = "", hanging: String = "") -> [String] {
        TextLayout.wrapped(text, width: width, indent: indent, hanging: hanging)
    }
}
