extension TraitTable {
    struct Mistake: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    static let largestFile = 64 << 20
    private static let mostRows = 1_000_000
    /// The column with the share of the audience per row.
    private static let shareColumn = "share"

    /// Reads comma-separated values with a line of names (RFC 4180), or returns the first mistake with its line.
    static func read(_ bytes: [UInt8]) -> Result<TraitTable, Mistake> {
        func mistake(_ text: String) -> Result<TraitTable, Mistake> { .failure(Mistake(description: text)) }
        guard bytes.count <= largestFile else { return mistake("is larger than 64 MiB") }
        guard let text = String(validating: bytes, as: UTF8.self) else { return mistake("is not UTF-8") }
        var records = SeparatedValues(text)
        guard let names = records.next()?.fields else { return mistake("is empty") }
        for name in names where name != shareColumn {
            if let reason = AudienceTrait.refusal(ofName: name) {
                return mistake("the column \"\(ShownValue.of(name))\" \(reason)")
            }
        }
        guard Set(names).count == names.count else { return mistake("has two columns of one name") }
        let share = names.firstIndex(of: shareColumn)
        var rows: [[String]] = []
        var shares: [Double] = []
        while let record = records.next() {
            let place = "line \(record.line)"
            guard record.isClosed else { return mistake("\(place) has a quotation mark that is not closed") }
            guard record.fields.count == names.count else {
                return mistake("\(place) has \(record.fields.count) fields where \(names.count) are named")
            }
            guard rows.count < mostRows else { return mistake("has more than \(mostRows) rows") }
            var fields = record.fields
            if let share {
                guard let part = ShareText.share(fields.remove(at: share)), part >= 0, part.isFinite else {
                    return mistake("\(place) has a share that is none")
                }
                shares.append(part)
            }
            let isSound = fields.allSatisfy {
                $0.utf8.count <= AudienceTrait.longestValue && !CharacterSets.hasControlCharacter($0)
            }
            guard isSound else { return mistake("\(place) has a value that is too long, or holds a control character") }
            rows.append(fields)
        }
        guard !rows.isEmpty else { return mistake("has no rows") }
        let sum = shares.reduce(0, +)
        guard share == nil || abs(sum - 1) <= 0.001 else {
            return mistake("the shares add up to \(ShareText.percent(sum))")
        }
        let columns = names.filter { $0 != shareColumn }
        return .success(TraitTable(columns: columns, rows: rows, shares: share.map { _ in shares }))
    }
}

/// Iterates over records of comma-separated values (RFC 4180), skipping empty lines.
struct SeparatedValues: IteratorProtocol {
    struct Record: Equatable {
        var fields: [String]
        /// Line on which it begins, from 1.
        var line: Int
        var isClosed = true
    }

    private var rest: Substring.UnicodeScalarView
    private var line = 1

    init(_ text: String) {
        rest = Substring(text).unicodeScalars
        // A byte order mark, with which some programs begin a file.
        if rest.first == "\u{FEFF}" { rest.removeFirst() }
    }

    mutating func next() -> Record? {
        while let first = rest.first, first == "\n" || first == "\r" {
            if first == "\n" { line += 1 }
            rest.removeFirst()
        }
        guard !rest.isEmpty else { return nil }
        var record = Record(fields: [], line: line)
        var field = String.UnicodeScalarView()
        var isQuoted = false
        while let scalar = rest.popFirst() {
            if scalar == "\n" { line += 1 }
            if isQuoted {
                guard scalar == "\"" else {
                    field.append(scalar)
                    continue
                }
                isQuoted = rest.first == "\""
                if isQuoted { field.append(rest.removeFirst()) }
            } else if scalar == "\"", field.isEmpty {
                isQuoted = true
            } else if scalar == "," {
                record.fields.append(String(field))
                field = .init()
            } else if scalar == "\n" {
                break
            } else if scalar != "\r" {
                field.append(scalar)
            }
        }
        record.fields.append(String(field))
        record.isClosed = !isQuoted
        return record
    }
}
