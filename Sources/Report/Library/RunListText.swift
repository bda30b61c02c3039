package import Comparison
import Results
import Rules
import Values

package struct RunListText: Sendable {
    private let list: RunList
    private let label: String
    private let most: Int
    private let width: Int
    private let style: TextStyle

    /// The label distinguishes releases; the number of runs beyond `most` is printed.
    package init(of list: RunList, label: String, most: Int, width: Int, colour: Bool) {
        (self.list, self.label, self.most, self.width) = (list, label, most, width)
        style = TextStyle(colour: colour)
    }

    package func render() -> String {
        let rows = list.rows.prefix(most)
        var lines: [String] = []
        if rows.isEmpty {
            lines.append("No run.")
        } else {
            let head = ["started (UTC)", "profile", "verdict", "on time", "findings", label, "file"]
            let cells = [head] + rows.map(cells)
            let columns = TextColumns.widths(cells)
            for (number, cell) in cells.enumerated() {
                let texts = cell.enumerated().map { column, text in
                    let isNumber = column == 3 || column == 4
                    return column == cell.count - 1
                        ? text : text.padded(to: columns[column], flush: isNumber ? .right : .left)
                }
                lines.append(line(texts, ink: number == 0 ? .dim : Self.ink(rows[rows.startIndex + number - 1])))
            }
        }
        let more = list.rows.count - rows.count
        if more > 0 { lines.append("and \(TextLayout.counted(more, "older run")); --last shows more") }
        if !list.leftOut.isEmpty {
            let files = TextLayout.counted(list.leftOut.count, "file")
            lines.append("\(files) ending in .json cannot be listed; --json says why")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Only the verdict is coloured, so the rest can be cut.
    private func line(_ texts: [String], ink: TextStyle.Ink?) -> String {
        let fitting = TextLayout.cut(texts.joined(separator: "  "), to: width)
        let before = texts[..<2].joined(separator: "  ").count + 2
        guard let ink, fitting.count > before + texts[2].count else { return fitting }
        guard ink != .dim else { return style.inked(fitting, .dim) }
        let start = fitting.index(fitting.startIndex, offsetBy: before)
        let end = fitting.index(start, offsetBy: texts[2].count)
        return fitting[..<start] + style.inked(String(fitting[start..<end]), ink) + fitting[end...]
    }

    private func cells(_ row: RunRow) -> [String] {
        let verdict = ([row.outcomeTitle.lowercased()] + row.marks).joined(separator: ", ")
        let findings = row.findings == 0 ? "" : TextLayout.grouped(row.findings)
        return [row.startText, row.profile, verdict, row.onTimeText, findings, row.labels[label] ?? "", row.path]
            .map(TextLayout.printable)
    }

    private static func ink(_ row: RunRow) -> TextStyle.Ink? {
        switch row.tone {
        case .good: .green
        case .bad: .red
        case .warn: .yellow
        case .plain, .quiet: nil
        }
    }
}

/// Printed by `podswarm results --json`.
package struct RunListDocument: PrintedDocument {
    package static let schemaName = "podswarm.results"

    private let schema = schemaName
    private let schemaVersion = 1
    private let podswarmVersion = PodswarmVersion.current
    private let runs: [RunRow]
    private let leftOut: [LeftOutFile]

    package init(_ list: RunList) { (runs, leftOut) = (list.rows, list.leftOut) }
}

extension RunRow {
    var outcomeTitle: String {
        if let outcome = RunVerdict.Outcome(rawValue: outcome) { return outcome.words.title }
        switch CapacityAnswer.Kind(rawValue: outcome) {
        case .found: return "Found"
        case .wide: return "Found, wide"
        case .atLeast: return "At least"
        case .below: return "Below"
        case .unknown, nil: return "Unknown"
        }
    }

    var tone: Tone { RunVerdict.Outcome(rawValue: outcome)?.words.tone ?? .plain }

    var shortReason: String {
        let text = reason ?? ""
        return text.count > 140 ? text.prefix(139) + "…" : text
    }

    /// Differences from an ordinary, complete run.
    var marks: [String] {
        let kind: [String] =
            switch kind {
            case .run: []
            case .soak: ["soak"]
            case .shard: ["one shard"]
            case .merged: ["merged shards"]
            case .searched: ["of a search"]
            case .capacity: [isInterrupted ? "capacity, not ended" : "capacity"]
            }
        return kind + (isRecovered ? ["recovered"] : [])
    }

    /// Such as `99.98%`; a dash if no viewer was due.
    var onTimeText: String { onTimePercent.map(MetricText.percent) ?? "–" }

    /// To the minute, in UTC.
    var startText: String { String(TimeText.instant(startedAtMicroseconds).prefix(16)) }

    func release(by label: String) -> String? { labels[label].flatMap { $0.isEmpty ? nil : $0 } }

    var labelTexts: [String] { labels.pairs }
}

/// A path for links: RFC 3986, with all but unreserved characters and slashes encoded.
package enum RelativeReference {
    package static func text(of path: String) -> String {
        PercentEncoding.encode(path.utf8) { $0.isUnreserved || $0 == UInt8(ascii: "/") }
    }
}
