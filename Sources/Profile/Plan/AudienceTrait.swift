import Values

/// A property of viewers, equal for a viewer in every run with one seed.
package struct AudienceTrait: Sendable, Equatable {
    package struct Value: Sendable, Equatable {
        /// May name earlier traits in braces.
        package var text: String
        package var share: Double

        package init(_ text: String, share: Double) {
            self.text = text
            self.share = share
        }
    }

    package enum Source: Sendable, Equatable {
        /// Shares add up to 1.
        case values([Value])
        /// Texts by value of another trait, or of the persona.
        case by(String, [String: String])
        case numbers(ClosedRange<Int>)
        case addresses(AddressBlock)
        /// Number of hexadecimal digits, unique to the viewer.
        case digits(Int)
        /// A viewer has one row for all columns.
        case column(Int, of: TraitTable)
    }

    package var name: String
    package var source: Source

    package init(_ name: String, _ source: Source) {
        self.name = name
        self.source = source
    }

    package init(_ name: String, values: [Value]) { self.init(name, .values(values)) }

    /// Whether values are few and can be names in a report.
    package var canMakeCohorts: Bool {
        switch source {
        case .values(let values): values.allSatisfy { CharacterSets.isFileName($0.text) }
        case .by(_, let texts): texts.values.allSatisfy(CharacterSets.isFileName)
        case .numbers, .addresses, .digits: false
        case .column(let column, let table): table.canMakeCohorts[column]
        }
    }

    var cohortValues: [String] {
        guard canMakeCohorts else { return [] }
        return switch source {
        case .values(let values): values.map(\.text)
        case .by(_, let texts): Set(texts.values).sorted()
        case .column(let column, let table): Set(table.rows.map { $0[column] }).sorted()
        case .numbers, .addresses, .digits: []
        }
    }

    /// Whether many viewers share a value, so that derived results can be cached.
    package var isShared: Bool {
        switch source {
        case .values(let values): !values.contains { $0.text.contains("{") }
        case .by(_, let texts): !texts.values.contains { $0.contains("{") }
        case .numbers(let range): range.count <= TraitTable.mostOfCohort
        case .addresses, .digits: false
        case .column(let column, let table): table.canMakeCohorts[column]
        }
    }
}

extension AudienceTrait.Source {
    /// Equal only for sources that give every viewer the same value.
    var canonicalText: String {
        switch self {
        case .values(let values): values.map { "\($0.text): \($0.share)" }.joined(separator: ", ")
        case .by(let other, let texts):
            "by \(other) " + texts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        case .numbers(let range): "\(range.lowerBound)..\(range.upperBound)"
        case .addresses(let block): "\(IPAddress(bytes: block.bytes).text)/\(block.prefixLength)"
        case .digits(let count): "\(count) digits"
        case .column(let column, let table):
            table.rows.enumerated().map { "\($1[column]): \(table.shares?[$0] ?? 0)" }.joined(separator: ", ")
        }
    }
}

/// Rows of values that belong together.
package struct TraitTable: Sendable, Equatable {
    static let mostOfCohort = 256

    package let columns: [String]
    package let rows: [[String]]
    /// Adds up to 1; nil assigns rows to viewers in turn.
    package let shares: [Double]?
    let canMakeCohorts: [Bool]

    package init(columns: [String], rows: [[String]], shares: [Double]? = nil) {
        self.columns = columns
        self.rows = rows
        self.shares = shares
        canMakeCohorts = columns.indices.map { column in
            let values = Set(rows.map { $0[column] })
            return values.count <= Self.mostOfCohort && values.allSatisfy(CharacterSets.isFileName)
        }
    }
}

/// CIDR block, such as `198.51.100.0/24`.
package struct AddressBlock: Sendable, Equatable {
    /// 4 or 16, in network order.
    package let bytes: [UInt8]
    package let prefixLength: Int

    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = IPAddress(String(parts[0])), let length = Int(parts[1]),
            (0...address.bytes.count * 8).contains(length)
        else { return nil }
        (bytes, prefixLength) = (address.bytes, length)
    }

    /// Host bits are the last of `bits`.
    package func address(_ bits: (high: UInt64, low: UInt64)) -> String {
        let given =
            (withUnsafeBytes(of: bits.high.bigEndian, Array.init) + withUnsafeBytes(of: bits.low.bigEndian, Array.init))
            .suffix(bytes.count)
        let mixed = zip(bytes, given).enumerated().map { index, pair in
            let own = max(0, min(8, prefixLength - index * 8))
            let mask = own == 0 ? 0 : UInt8.max << (8 - own)
            return pair.0 & mask | pair.1 & ~mask
        }
        return IPAddress(bytes: mixed).text
    }
}

extension TraitTable {
    struct Mistake: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    static let largestFile = 64 << 20
    private static let mostRows = 1_000_000
    private static let shareColumn = "share"

    /// Reads RFC 4180 text with a line of names.
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
                    return mistake("\(place) has an invalid share")
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

/// RFC 4180 records; skips empty lines.
struct SeparatedValues: IteratorProtocol {
    struct Record: Equatable {
        var fields: [String]
        var line: Int
        var isClosed = true
    }

    private var rest: Substring.UnicodeScalarView
    private var line = 1

    init(_ text: String) {
        rest = Substring(text).unicodeScalars
        // Byte order mark.
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
