package import Comparison
import Results
import Rules
import Values

extension RunList {
    /// The label distinguishes releases; the number of runs beyond `most` is printed.
    package func text(_ rendering: TextRendering, label: String, most: Int) -> String {
        let heads: [Table.Column] = [
            "started (UTC)", .text("profile"), .text("verdict"), "on time", "findings", .text(Words(label)),
            .text("file"),
        ]
        let table = Table("Runs", heads).listing(rows.prefix(most)) { row in
            let verdict = ([row.outcomeTitle.lowercased()] + row.marks).joined(separator: ", ")
            let findings = row.findings == 0 ? "" : TextLayout.grouped(row.findings)
            let release = Words(row.labels[label] ?? "")
            let cells: [Words] = [
                Words(row.startText), Words(row.profile), .tag(verdict, row.tone), Words(row.onTimeText),
            ]
            return .init(cells + [Words(findings), release, Words(row.path)])
        }
        let more = rows.count - most
        let files = TextLayout.counted(leftOut.count, "file")
        let lines: [String] =
            (rows.isEmpty ? ["No run."] : rendering.lines([table], indent: 0))
            + (more > 0 ? ["and \(TextLayout.counted(more, "older run")); --last shows more"] : [])
            + (leftOut.isEmpty ? [] : ["\(files) ending in .json cannot be listed; --json says why"])
        return lines.joined(separator: "\n") + "\n"
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
    var outcomeTitle: String { Wording("run", outcome).word }

    var tone: Tone { Wording("run", outcome).tone }

    var shortReason: String {
        let text = reason ?? ""
        return text.count > 140 ? text.prefix(139) + "…" : text
    }

    /// Differences from an ordinary, complete run.
    var marks: [String] {
        let word = kind == .capacity && isInterrupted ? "capacity, not ended" : Wording("kind", kind.rawValue).word
        return (kind == .run ? [] : [word]) + (isRecovered ? ["recovered"] : [])
    }

    /// Such as `99.98%`; a dash if no viewer was due.
    var onTimeText: String { onTimePercent.map(MetricText.percent) ?? "–" }

    /// To the minute, in UTC.
    var startText: String { String(TimeText.instant(startedAtMicroseconds).prefix(16)) }

    func release(by label: String) -> String? { labels[label].flatMap { $0.isEmpty ? nil : $0 } }
}

/// A path for links: RFC 3986, with all but unreserved characters and slashes encoded.
package enum RelativeReference {
    package static func text(of path: String) -> String {
        PercentEncoding.encode(path.utf8) { $0.isUnreserved || $0 == UInt8(ascii: "/") }
    }
}
