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
        link = options.place.isServed || row.hasPage ? options.place.base + Self.reference(row.pagePath) : nil
        profile = row.profile
        outcome = row.outcomeTitle
        tone = row.tone
        onTime = row.onTimeText
        findings = row.findings == 0 ? "" : TextLayout.grouped(row.findings)
        release = row.labels[options.label] ?? ""
        marks = row.marks
        reason = Self.reason(row)
    }

    /// As much of the gravest reason as a line holds.
    static func reason(_ row: RunRow) -> String {
        let text = row.reason ?? ""
        return text.count > 140 ? text.prefix(139) + "…" : text
    }

    /// A path as a relative reference: RFC 3986, with all but unreserved characters encoded, as `encodeURIComponent` does.
    static func reference(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "/"), UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
