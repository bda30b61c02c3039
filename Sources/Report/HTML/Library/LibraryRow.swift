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

/// All runs as the page's script reads them: columns by number, texts that repeat once.
struct LibraryData: Encodable {
    /// One run: numbers stand for places in `texts`.
    struct Run: Encodable {
        var row: RunRow
        var words: [Int]
        var reason: String
        var hasLink: Bool
        var labels: [Int]

        func encode(to encoder: any Encoder) throws {
            var values = encoder.unkeyedContainer()
            try values.encode(row.path)
            try values.encode(row.startText)
            for word in words { try values.encode(word) }
            try values.encode(row.onTimeText)
            try values.encode(row.findings)
            try values.encode(reason)
            try values.encode(hasLink ? 1 : 0)
            try values.encode(labels)
        }
    }

    var base: String
    var isServed: Bool
    var folder: String
    var texts: [String]
    var runs: [Run]

    private enum CodingKeys: String, CodingKey {
        case base
        case isServed = "served"
        case folder
        case texts
        case runs
    }

    init(_ rows: [RunRow], _ options: LibraryPage.Options) {
        base = options.place.base
        isServed = options.place.isServed
        folder = options.place.folder
        var texts: [String] = []
        var places: [String: Int] = [:]
        let place = { (text: String) -> Int in
            if let known = places[text] { return known }
            places[text] = texts.count
            texts.append(text)
            return texts.count - 1
        }
        runs = rows.map { row in
            Run(
                row: row,
                words: [
                    row.profile, row.outcome, row.outcomeTitle, row.tone, row.labels[options.label] ?? "",
                    row.kind.rawValue, row.marks.joined(separator: ", "),
                ].map(place),
                reason: LibraryRow.reason(row),
                hasLink: options.place.isServed || row.hasPage,
                labels: row.labelTexts.map(place)
            )
        }
        self.texts = texts
    }
}
