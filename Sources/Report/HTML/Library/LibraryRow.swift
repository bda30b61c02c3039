import RunLibrary
import RunResult

/// One run as a line of the table.
struct LibraryRow {
    var path: String
    var start: String
    /// Nil where there is no page to go to.
    var link: String?
    var profile: String
    var outcome: String
    var tone: String
    var onTime: String
    var findings: String
    var release: String
    var marks: [String]
    var reason: String

    init(_ row: RunRow, _ options: LibraryPage.Options) {
        path = row.path
        start = row.startText
        link =
            options.place.isServed || row.hasPage ? options.place.base + RelativeReference.text(of: row.pagePath) : nil
        profile = row.profile
        outcome = row.outcomeTitle
        tone = row.tone
        onTime = row.onTimeText
        findings = row.findings == 0 ? "" : TextLayout.grouped(row.findings)
        release = row.release(by: options.label) ?? ""
        marks = row.marks
        reason = Self.reason(row)
    }

    /// As much of the gravest reason as a line holds.
    static func reason(_ row: RunRow) -> String {
        let text = row.reason ?? ""
        return text.count > 140 ? text.prefix(139) + "…" : text
    }
}
