package import Comparison
import Foundation
import Rules
import Values

extension TrendDocument: PagedDocument {
    package var page: Page {
        let wording = Wording("trend", verdict.outcome.rawValue)
        let count = TextLayout.counted(runs.count, "run")
        let deciding = metrics.filter(\.gating)
        let informing = metrics.filter { !$0.gating && $0.verdict != .notMeasured }
        let (exit, reasons) = (verdict.exitCode, verdict.reasons)
        let days = [runs.first, runs.last].compactMap { $0?.startedAt.prefix(10) }
        return Page(
            title: "\(wording.word): \(group.profile) over \(count)",
            name: group.profile,
            facts: [count, days.joined(separator: " to ")],
            verdict: Verdict(wording, exitCode: exit, reasons: reasons),
            sections: [
                TrendSections.metrics("metrics", "What decides", .sentence("trend"), deciding, runs),
                TrendSections.metrics("others", "What informs", nil, informing, runs),
                TrendSections.lookedAt(self),
            ],
            version: podswarmVersion
        )
    }
}

private enum TrendSections {
    /// Most runs in a chart of characters.
    private static let chartWidth = 40
    private static let omissions = Limits(text: 8)

    static func metrics(
        _ anchor: String,
        _ title: String,
        _ lead: Words?,
        _ metrics: [TrendMetric],
        _ runs: [TrendRun]
    ) -> Section? {
        guard !metrics.isEmpty else { return nil }
        let charts = metrics.map { metric in
            let text = metric.gating && !metric.text.isEmpty ? [Words(metric.text)] : []
            return Chart(
                "\(code: metric.metric) \(strong: metric.newest) \(metric.tag)",
                plots: [metric.chart(of: runs)],
                notes: text + metric.changePoints.map { Words($0.text) }
            )
        }
        let table = Table(title, ["metric", "runs", "newest", "expected", "verdict"]).listing(metrics) { metric in
            let expected = metric.expected.map {
                "\(metric.unit.quantity.value($0.low)) to \(metric.unit.quantity.value($0.high))"
            }
            return .init([
                .code(metric.metric), Words(Sparkline.drawn(metric.values, width: min(chartWidth, runs.count))),
                Words(metric.newest), expected.orDash, metric.tag,
            ])
        }
        let changes = metrics.flatMap { metric in
            metric.changePoints.map { Words("\(code: metric.metric): \($0.text)") }
        }
        return Section(anchor, title, link: title).showing([
            lead.map { .lead($0) }, table.only([.text, .markdown]),
            .list(changes).only([.text, .markdown]), .charts(charts, lead == nil ? .half : .stack),
        ])
    }

    static func lookedAt(_ document: TrendDocument) -> Section {
        let short = { (digest: String) in String(digest.prefix(19)) }
        let others = document.otherGroups.map { group in
            Words(
                "\(group.profile) \(short(group.profileDigest)): \(TextLayout.counted(group.runs, "run")), "
                    + "the newest of \(group.newest.prefix(10)), on \(group.hostClass)"
            )
        }
        let leftOut = document.leftOut.map { Words("\(code: $0.path): \($0.reason)") }
        return Section("runs", "What was looked at", link: "Runs").showing([
            .facts([
                Fact("Profile digest", .code(document.group.profileDigest)),
                Fact("Machines", Words(document.group.hostClass)),
            ]), leftOut.isEmpty ? nil : .heading("Left out"), .list(leftOut, limit: omissions),
            others.isEmpty ? nil : .heading("Other histories among these files (--digest)"),
            .list(others, limit: omissions),
        ])
    }
}

extension TrendMetric {
    fileprivate var tag: Words {
        let wording = Wording("metric", verdict.rawValue)
        return .tag(wording.word, wording.tone)
    }

    var newest: String { (values.last ?? nil).map(unit.quantity.value) ?? "–" }

    /// A dot for each run, the newest run's expected band, and the change points.
    func chart(of runs: [TrendRun]) -> Plot? {
        let known = values.compactMap(\.self)
        guard let low = known.min(), let high = known.max(), runs.count > 1 else { return nil }
        var plot = plot(from: min(low, expected?.low ?? low), to: max(high, expected?.high ?? high), height: 110)
        plot.horizontalTicks = stride(from: 0, to: runs.count, by: max(1, (runs.count + 5) / 6)).map {
            (fraction: place($0), label: String(runs[$0].startedAt.prefix(10).dropFirst(5)))
        }
        if let expected {
            let (from, top) = (edge(expectedFrom ?? 0), plot.y(expected.high))
            plot.marks.bar(from: from, to: 1, y: top, height: plot.y(expected.low) - top, "band")
            plot.marks.horizontal(y: plot.y(expected.median), "ax0", from: from, to: 1)
        }
        drawChanges(in: &plot)
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            let isNewest = index == values.count - 1
            let style = isNewest && verdict == .worse ? "dot worse" : isNewest ? "dot newest" : "rd cand"
            plot.marks.dot(at: place(index), y: plot.y(value), radius: isNewest ? 4.5 : 3, style)
        }
        plot.readings = readings(runs)
        return plot
    }

    private func readings(_ runs: [TrendRun]) -> Readings {
        let changes = Dictionary(changePoints.map { ($0.index, $0.text) }) { first, _ in first }
        let labels = runs.map { $0.labels.pairs.joined(separator: " ") }
        return Readings(
            fractions: runs.indices.map(place),
            headings: zip(runs, labels).map { ($0.startedAt.prefix(16).replacing("T", with: " ") + " " + $1) },
            lines: [
                (metric, "", values.map { $0.map(unit.quantity.value) ?? "" }),
                ("", "", runs.indices.map { changes[$0] ?? "" }),
            ]
        )
    }

    func plot(from low: Double, to high: Double, height: Double) -> Plot {
        let room = max((high - low) * 0.1, abs(high) * 0.02, unit == .microseconds ? 1.0 : 0.5)
        let ceiling = unit == .percent && high <= 100 ? 100 : Double.infinity
        let scale = LinearScale(max(low - room, low >= 0 ? 0 : low - room), min(high + room, ceiling))
        var plot = Plot(name: "\(metric) of each run", height: height, up: scale)
        plot.verticalTicks = Ticks.values(on: scale, atMost: 5, unit.quantity.tick)
        return plot
    }

    func place(_ index: Int) -> Double { (Double(index) + 0.5) / Double(max(values.count, 1)) }

    /// The place between a run and the one before.
    func edge(_ index: Int) -> Double { Double(index) / Double(max(values.count, 1)) }

    func drawChanges(in plot: inout Plot) {
        for change in changePoints {
            let style = change.isWorse ? "dl grace" : "dl lead"
            plot.marks.vertical(at: edge(change.index), from: 0, to: plot.height, style)
        }
    }
}

extension TrendMetric.Unit {
    fileprivate var quantity: Quantity { self == .microseconds ? .time : self == .percent ? .percent : .number }
}

/// A history for Apache Otava's CSV importer, which takes no gaps: a metric that any run lacks is omitted.
///
/// Otava's test needs runs on both sides of a change: it judges the newest run only some runs later.
///
/// Source: apache-otava 0.7, `otava/importer.py` and `otava/test_config.py`.
package struct OtavaTable: Sendable {
    private let document: TrendDocument
    private let metrics: [TrendMetric]

    /// Otava groups and prints by these attributes.
    package static let attributes = ["release", "commit", "run"]

    package init(of document: TrendDocument) {
        self.document = document
        metrics = document.metrics.filter { !$0.values.contains(nil) }
    }

    package var metricsLeftOut: [String] { document.metrics.filter { $0.values.contains(nil) }.map(\.metric) }

    /// RFC 4180 with plain line feeds; rows are oldest first, times in UTC to the second.
    package func csv() -> String {
        let header = ["time"] + Self.attributes + metrics.map(\.metric)
        let rows = document.runs.enumerated().map { index, run in
            [
                Self.time(run.startedAt), run.labels["release"] ?? run.labels["version"] ?? "",
                run.labels["commit"] ?? "", run.path,
            ].map(Self.defused) + metrics.map { $0.values[index].map(MetricText.number) ?? "" }
        }
        return ([header] + rows).map { SecondsTable.record($0, end: "\n") }.joined()
    }

    /// YAML for `otava analyze`; `file` is the path of the table for Otava.
    package func configuration(file: String) -> String {
        let name = document.group.profile
        let lines = metrics.map { metric in
            """
                  \(Self.quoted(metric.metric)):
                    column: \(Self.quoted(metric.metric))
                    direction: \(metric.higherIsWorse ? -1 : 1)

            """
        }
        return """
            tests:
              \(Self.quoted(name)):
                type: csv
                file: \(Self.quoted(file))
                time_column: time
                attributes: [\(Self.attributes.joined(separator: ", "))]
                metrics:

            """ + lines.joined()
    }

    /// Such as `2026-11-21 20:00:00 +0000`, which no date parser mistakes for another day.
    private static func time(_ iso8601: String) -> String { iso8601.prefix(19).replacing("T", with: " ") + " +0000" }

    private static let formulaStarts = Set("=+-@".unicodeScalars)

    /// Puts an apostrophe before a text that a spreadsheet could run as a formula.
    private static func defused(_ text: String) -> String {
        let shown = TextLayout.printable(text)
        return shown.unicodeScalars.first.map(formulaStarts.contains) == true ? "'" + shown : shown
    }

    private static func quoted(_ text: String) -> String { YAMLScalar.quoted(TextLayout.printable(text)) }
}
