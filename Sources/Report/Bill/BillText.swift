import Rulebook
import RunResult
import Thresholds

/// A bill as terminal text: who comes, what is asked for by kind, and what the figures stand on.
package struct BillText: Sendable {
    private let bill: BillDocument
    private let width: Int
    private let style: TextStyle

    /// - Parameters:
    ///   - bill: What will be asked for.
    ///   - width: Columns.
    ///   - colour: Whether the terminal has colours.
    package init(of bill: BillDocument, width: Int, colour: Bool) {
        self.bill = bill
        self.width = max(width, 40)
        style = TextStyle(colour: colour)
    }

    /// The text, ended by a line feed.
    package func render() -> String {
        let parts = [heading(), course(), table(), withheld(), assumptions()].filter { !$0.isEmpty }
        return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    /// The sums in one sentence, ended by a line feed: for one viewer a table says no more.
    package func sentence() -> String {
        let kinds = RequestKind.allCases.compactMap { kind in
            bill.requests[kind.name].map { "\(kind.name) \(TextLayout.grouped($0.count))" }
        }
        let seconds = MetricText.number(Double(bill.durationMilliseconds) / 1_000)
        let all = TextLayout.counted(bill.total.count, "request")
        let withheld = heldBack.list.map { "; withheld: \($0)" } ?? ""
        let text = "Asks for about \(all) in \(seconds) s: \(kinds.joined(separator: ", "))\(withheld)."
        return TextLayout.wrapped(text, width: width).joined(separator: "\n") + "\n"
    }

    private var heldBack: WithheldText {
        WithheldText(
            pings: bill.withheld.pings,
            beacons: bill.withheld.beacons,
            adSegments: bill.withheld.adSegments
        )
    }

    private func heading() -> [String] {
        let start = UTCText.iso8601(microseconds: bill.startsAtMicroseconds)
        let seconds = Double(bill.durationMilliseconds) / 1_000
        let replaced = bill.viewers.replaced
        let viewers = TextLayout.counted(bill.viewers.planned, "viewer")
        let joining = TextLayout.grouped(bill.viewers.joined - replaced)
        var facts = [
            bill.audienceCurve == nil ? viewers : "at most \(viewers) at once, \(joining) join",
            "\(MetricText.number(seconds)) s",
            "\(TextLayout.counted(bill.breaks.count, "break")), due for "
                + "\(TextLayout.counted(bill.breaks.due, "viewer")) in all",
        ]
        if replaced > 0 { facts.append("\(TextLayout.grouped(replaced)) replaced") }
        if bill.renewals > 0 { facts.append("\(TextLayout.counted(bill.renewals, "session")) renewed") }
        let title = "Bill of \(TextLayout.printable(bill.profile)), for a start at \(start)"
        return [style.inked(title, .bold)] + TextLayout.wrapped(facts.joined(separator: "; "), width: width)
    }

    private func course() -> [String] {
        guard let curve = bill.audienceCurve else { return [] }
        return [style.inked(["Viewers over time", curve.shape].compactMap(\.self).joined(separator: ": "), .bold)]
            + CourseText(seconds: Double(bill.durationMilliseconds) / 1_000, width: width).lines(curve)
    }

    private func table() -> [String] {
        var table = TextTable(header: ["request", "count", "peak in 100 ms", "at", "body bytes"])
        for kind in RequestKind.allCases {
            guard let line = bill.requests[kind.name] else { continue }
            table.rows.append(row(kind.name, line))
        }
        table.rows.append(row("all", bill.total))
        return table.lines(width: width)
    }

    private func row(_ name: String, _ line: BillDocument.Line) -> [String] {
        [
            name,
            TextLayout.grouped(line.count) + (line.samplingError.map { " ± \(TextLayout.grouped($0))" } ?? ""),
            TextLayout.grouped(line.peakPer100Milliseconds),
            "+" + MetricText.rounded(Double(line.peakAtMilliseconds) / 1_000, places: 1) + " s",
            line.bodyBytes.map { TextLayout.grouped($0) }
                ?? line.estimatedBodyBytes.map { "about \(TextLayout.grouped($0))" } ?? "not known",
        ]
    }

    private func withheld() -> [String] {
        guard let list = heldBack.list else { return [] }
        return TextLayout.wrapped("Withheld, and not in the sums: \(list).", width: width)
    }

    private func assumptions() -> [String] {
        guard !bill.assumptions.isEmpty else { return [] }
        let lines = bill.assumptions.flatMap { TextLayout.wrapped($0, width: width, indent: "  ") }
        return ["What this stands on"] + lines
    }
}
