import Results
import Rules

package struct BillText: Sendable {
    private let bill: BillDocument
    private let rendering: TextRendering

    package init(of bill: BillDocument, width: Int, colour: Bool) {
        self.bill = bill
        rendering = TextRendering(width: width, colour: colour)
    }

    package func render() -> String {
        let curve = bill.audienceCurve
        let seconds = Double(bill.durationMilliseconds) / 1_000
        let start = UTCText.iso8601(microseconds: bill.startsAtMicroseconds)
        let held = heldBack.list.map { "Withheld, and not in the sums: \($0)." }
        let title = ["Viewers over time", curve?.shape].compactMap(\.self).joined(separator: ": ")
        let sections = [
            Section("bill", "Bill of \(bill.profile), for a start at \(start)", [.paragraph(Words(facts))]),
            Section(
                "course",
                title,
                [curve.map { curve in .typed { CourseText(seconds: seconds, width: $0).lines(curve) } }]
            ), Section("requests", "Requests", [.table(table), held.map { .paragraph(Words($0)) }]),
            Section("assumptions", "What this stands on", [.list(bill.assumptions.map { Words($0) })]),
        ]
        return rendering.text(sections.flatMap(rendering.parts))
    }

    /// The totals in one sentence, ended by a line feed; sufficient for a single viewer.
    package func sentence() -> String {
        let kinds = RequestKind.allCases.compactMap { kind in
            bill.requests[kind.name].map { "\(kind.name) \(TextLayout.grouped($0.count))" }
        }
        let seconds = MetricText.number(Double(bill.durationMilliseconds) / 1_000)
        let all = TextLayout.counted(bill.total.count, "request")
        let withheld = heldBack.list.map { "; withheld: \($0)" } ?? ""
        let text = "Asks for about \(all) in \(seconds) s: \(kinds.joined(separator: ", "))\(withheld)."
        return rendering.text([rendering.wrapped(Words(text))])
    }

    private var heldBack: WithheldText {
        WithheldText(
            pings: bill.withheld.pings,
            beacons: bill.withheld.beacons,
            adSegments: bill.withheld.adSegments
        )
    }

    private var facts: String {
        let replaced = bill.viewers.replaced
        let viewers = TextLayout.counted(bill.viewers.planned, "viewer")
        let joining = TextLayout.grouped(bill.viewers.joined - replaced)
        var facts = [
            bill.audienceCurve == nil ? viewers : "at most \(viewers) at once, \(joining) join",
            "\(MetricText.number(Double(bill.durationMilliseconds) / 1_000)) s",
            "\(TextLayout.counted(bill.breaks.count, "break")), due for "
                + "\(TextLayout.counted(bill.breaks.due, "viewer")) in all",
        ]
        if replaced > 0 { facts.append("\(TextLayout.grouped(replaced)) replaced") }
        if bill.renewals > 0 { facts.append("\(TextLayout.counted(bill.renewals, "session")) renewed") }
        return facts.joined(separator: "; ")
    }

    private var table: Table {
        let lines = RequestKind.allCases.compactMap { kind in bill.requests[kind.name].map { (kind.name, $0) } }
        return Table(
            name: "Table of requests",
            columns: ["request", "count", "peak in 100 ms", "at", "body bytes"].map { .init(Words($0)) },
            rows: (lines + [("all", bill.total)]).map { name, line in
                let error = line.samplingError.map { " ± \(TextLayout.grouped($0))" } ?? ""
                let bytes =
                    line.bodyBytes.map { TextLayout.grouped($0) }
                    ?? line.estimatedBodyBytes.map { "about \(TextLayout.grouped($0))" } ?? "not known"
                return .init([
                    Words(name), Words(TextLayout.grouped(line.count) + error),
                    Words(TextLayout.grouped(line.peakPer100Milliseconds)),
                    Words("+" + MetricText.rounded(Double(line.peakAtMilliseconds) / 1_000, places: 1) + " s"),
                    Words(bytes),
                ])
            }
        )
    }
}
