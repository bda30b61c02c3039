import AdServing
package import Values

/// A property of viewers, equal for a viewer in every run with one seed.
package struct AudienceTrait: Sendable, Equatable {
    package struct Value: Sendable, Equatable {
        /// May name earlier traits in braces.
        package var text: String
        package var share: Double

        package init(_ text: String, share: Double) { (self.text, self.share) = (text, share) }
    }

    package enum Source: Sendable, Equatable {
        /// Shares add up to 1.
        case values([Value])
        /// Texts by value of another trait, or of the persona.
        case by(String, [String: String])
        case numbers(ClosedRange<Int>)
        case addresses(IPNetwork)
        /// Number of hexadecimal digits, unique to the viewer.
        case digits(Int)
        /// A viewer has one row for all columns.
        case column(Int, of: TraitTable)

        /// All values where they are few, in order; nil where they are not known.
        var listed: [String]? {
            switch self {
            case .values(let values): values.map(\.text)
            case .by(_, let texts): Set(texts.values).sorted()
            case .numbers(let range): range.count <= TraitTable.mostOfCohort ? range.map(String.init) : nil
            case .column(let column, let table):
                Set((0..<table.rowCount).lazy.map { table.value(row: $0, column: column) }).sorted()
            case .addresses, .digits: nil
            }
        }

        /// Equal only for sources that give every viewer the same value.
        var canonicalText: String {
            switch self {
            case .values(let values): values.map { "\($0.text): \($0.share)" }.joined(separator: ", ")
            case .by(let other, let texts):
                "by \(other) "
                    + texts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
            case .numbers(let range): "\(range.lowerBound)..\(range.upperBound)"
            case .addresses(let block): block.description
            case .digits(let count): "\(count) digits"
            case .column(let column, let table): table.canonicalText(column)
            }
        }
    }

    package var name: String
    package var source: Source
    /// Shown as a hash.
    package var isSecret = false

    package init(_ name: String, _ source: Source) { (self.name, self.source) = (name, source) }

    /// Whether values are few and can be names in a report.
    package var canMakeCohorts: Bool {
        switch source {
        case .values, .by: source.listed?.allSatisfy(CharacterSets.isFileName) ?? false
        case .numbers, .addresses, .digits: false
        case .column(let column, let table): table.canMakeCohorts[column]
        }
    }

    var cohortValues: [String] { canMakeCohorts ? source.listed ?? [] : [] }

    func holdsSecrets(among used: Set<String>) -> Bool {
        used.contains(name) || Redaction.hidesSharedValues(of: name)
            || cohortValues.contains { Redaction.looksSecret($0) }
    }

    package func shown(_ value: String) -> String { isSecret ? Redaction.hash(of: value) : value }

    /// Whether many viewers share a value, so that derived results can be cached.
    package var isShared: Bool {
        if case .column(let column, let table) = source { return table.canMakeCohorts[column] }
        return source.listed?.allSatisfy { !$0.contains("{") } ?? false
    }
}

/// Rows of values that belong together.
///
/// All cells are in one array: a million rows as arrays of texts would take a quarter of a gigabyte.
package struct TraitTable: Sendable, Equatable {
    static let mostOfCohort = 256
    private static let rowsInCanonicalText = 1_000

    package let columns: [String]
    package private(set) var rowCount = 0
    /// Adds up to 1; nil assigns rows to viewers in turn.
    package private(set) var shares: [Double]?
    private(set) var canMakeCohorts: [Bool] = []
    private var text: [UInt8] = []
    /// End of each cell in `text`, row by row.
    private var ends: [Int32] = []

    private init(columns: [String], capacity: Int, rows: Int) {
        self.columns = columns
        text.reserveCapacity(capacity)
        ends.reserveCapacity(rows * columns.count)
    }

    private mutating func append(_ cells: [ArraySlice<UInt8>]) {
        for cell in cells {
            text += cell
            ends.append(Int32(clamping: text.count))
        }
        rowCount += 1
    }

    package func value(row: Int, column: Int) -> String {
        let cell = row * columns.count + column
        let start = cell == 0 ? 0 : Int(ends[cell - 1])
        return String(decoding: text[start..<Int(ends[cell])], as: UTF8.self)
    }

    /// Values and shares; of a long table their digest, which is as short as the table is long.
    fileprivate func canonicalText(_ column: Int) -> String {
        var whole = ""
        for start in stride(from: 0, to: rowCount, by: Self.rowsInCanonicalText) {
            let rows = start..<min(start + Self.rowsInCanonicalText, rowCount)
            let part = rows.map { "\(value(row: $0, column: column)): \(shares?[$0] ?? 0)" }.joined(separator: ", ")
            guard rowCount > Self.rowsInCanonicalText else { return part }
            whole = Digest.hexadecimal(Digest.sha256(of: Array((whole + part).utf8)))
        }
        return whole
    }

    package struct Mistake: Error, CustomStringConvertible {
        package let description: String
    }

    static let largestFile = 64 << 20
    private static let mostRows = 1_000_000
    private static let shareColumn = "share"

    /// Reads RFC 4180 text with a line of names.
    package static func read(_ bytes: [UInt8]) throws(Mistake) -> TraitTable {
        func mistake(_ text: String) -> Mistake { Mistake(description: text) }
        guard bytes.count <= largestFile else { throw mistake("is larger than 64 MiB") }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw mistake("is not UTF-8") }
        var records = SeparatedValues(bytes)
        guard records.next() else { throw mistake("is empty") }
        let names = records.fields.map { String(decoding: $0, as: UTF8.self) }
        for name in names where name != shareColumn {
            if let reason = AudienceTrait.refusal(ofName: name) {
                throw mistake("the column \"\(ShownValue.of(name))\" \(reason)")
            }
        }
        guard Set(names).count == names.count else { throw mistake("has two columns of one name") }
        let share = names.firstIndex(of: shareColumn)
        let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
        let columns = names.filter { $0 != shareColumn }
        var table = TraitTable(columns: columns, capacity: bytes.count, rows: min(lines, mostRows))
        var shares: [Double] = []
        while records.next() {
            var fields = records.fields
            let place = "line \(records.start)"
            guard records.isClosed else { throw mistake("\(place) has a quotation mark that is not closed") }
            guard fields.count == names.count else {
                throw mistake(
                    "\(place) has \(GroupedDigits.counted(fields.count, "field")) where \(names.count) are named"
                )
            }
            guard table.rowCount < mostRows else { throw mistake("has more than \(mostRows) rows") }
            if let share {
                let text = String(decoding: fields.remove(at: share), as: UTF8.self)
                guard let part = ShareText.share(text), part >= 0, part.isFinite else {
                    throw mistake("\(place) has an invalid share")
                }
                shares.append(part)
            }
            let isSound = fields.allSatisfy {
                $0.count <= AudienceTrait.longestValue && !$0.contains { $0 < 0x20 || $0 == 0x7F }
            }
            guard isSound else { throw mistake("\(place) has a value that is too long, or holds a control character") }
            table.append(fields)
        }
        guard table.rowCount > 0 else { throw mistake("has no rows") }
        let sum = shares.reduce(0, +)
        guard share == nil || abs(sum - 1) <= 0.001 else {
            throw mistake("the shares add up to \(ShareText.percent(sum))")
        }
        table.shares = share.map { _ in shares }
        table.canMakeCohorts = columns.indices.map { column in
            var values: Set<String> = []
            for row in 0..<table.rowCount where values.insert(table.value(row: row, column: column)).inserted {
                guard values.count <= mostOfCohort else { return false }
            }
            return values.allSatisfy(CharacterSets.isFileName)
        }
        return table
    }
}

/// RFC 4180 records; skips empty lines.
struct SeparatedValues {
    private static let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
    private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

    private var rest: ArraySlice<UInt8>
    private var line = 1
    /// Line at which the record starts.
    private(set) var start = 1
    /// Whether the record's last quotation mark is closed.
    private(set) var isClosed = true
    private var text: [UInt8] = []
    private var ends: [Int] = []

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if rest.starts(with: byteOrderMark) { rest = rest.dropFirst(byteOrderMark.count) }
    }

    var fields: [ArraySlice<UInt8>] { ends.indices.map { text[($0 == 0 ? 0 : ends[$0 - 1])..<ends[$0]] } }

    /// False at the end of the text.
    mutating func next() -> Bool {
        while let first = rest.first, first == Self.lineFeed || first == Self.carriageReturn {
            if first == Self.lineFeed { line += 1 }
            rest.removeFirst()
        }
        guard !rest.isEmpty else { return false }
        text.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        start = line
        var isQuoted = false
        while let byte = rest.popFirst() {
            if byte == Self.lineFeed { line += 1 }
            if isQuoted {
                guard byte == Self.quote else {
                    text.append(byte)
                    continue
                }
                isQuoted = rest.first == Self.quote
                if isQuoted { text.append(rest.removeFirst()) }
            } else if byte == Self.quote, text.count == ends.last ?? 0 {
                isQuoted = true
            } else if byte == Self.comma {
                ends.append(text.count)
            } else if byte == Self.lineFeed {
                break
            } else if byte != Self.carriageReturn {
                text.append(byte)
            }
        }
        ends.append(text.count)
        isClosed = !isQuoted
        return true
    }
}
