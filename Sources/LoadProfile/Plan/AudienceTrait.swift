import ProfileSyntax

/// A property that tells viewers apart, such as where they live, the same for a viewer in every run of one seed.
///
/// `{name}` stands for a viewer's value wherever a profile writes what it sends to its target.
package struct AudienceTrait: Sendable, Equatable {
    package struct Value: Sendable, Equatable {
        /// In which braces may hold traits that stand before this one.
        package var text: String
        /// From 0 to 1.
        package var share: Double

        package init(_ text: String, share: Double) {
            self.text = text
            self.share = share
        }
    }

    /// Where a viewer's value comes from.
    package enum Source: Sendable, Equatable {
        /// One of these, by shares that add up to 1.
        case values([Value])
        /// The text under the value of another trait, or of the viewer's persona.
        case by(String, [String: String])
        /// A whole number.
        case numbers(ClosedRange<Int>)
        case addresses(AddressBlock)
        /// So many hexadecimal digits, which are the viewer's own.
        case digits(Int)
        /// A column of a table, in the row that a viewer has for all of them.
        case column(Int, of: TraitTable)
    }

    package var name: String
    package var source: Source

    package init(_ name: String, _ source: Source) {
        self.name = name
        self.source = source
    }

    package init(_ name: String, values: [Value]) {
        self.init(name, .values(values))
    }

    /// Whether its values are few, and names that can stand in a report: those of a cohort.
    package var canMakeCohorts: Bool {
        switch source {
        case .values(let values): values.allSatisfy { CharacterSets.isFileName($0.text) }
        case .by(_, let texts): texts.values.allSatisfy(CharacterSets.isFileName)
        case .numbers, .addresses, .digits: false
        case .column(let column, let table): table.canMakeCohorts[column]
        }
    }

    /// Those values, for a trait that can make cohorts; empty for any other.
    var cohortValues: [String] {
        guard canMakeCohorts else { return [] }
        return switch source {
        case .values(let values): values.map(\.text)
        case .by(_, let texts): Set(texts.values).sorted()
        case .column(let column, let table): Set(table.rows.map { $0[column] }).sorted()
        case .numbers, .addresses, .digits: []
        }
    }

    /// Whether many viewers have the same value, so that what is made of it can be kept for them.
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
    /// Alike for sources that give every viewer the same value, and for no others.
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

/// Rows of values that belong together, such as what is known of real viewers.
package struct TraitTable: Sendable, Equatable {
    static let mostOfCohort = 256

    package let columns: [String]
    package let rows: [[String]]
    /// Of each row, adding up to 1; nil: viewer n has row n, and the first again after the last.
    package let shares: [Double]?
    /// Of each column, whether its values are few and plain.
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

/// Addresses that begin alike, as `198.51.100.0/24` writes them.
package struct AddressBlock: Sendable, Equatable {
    /// 4 or 16, in network order.
    package let bytes: [UInt8]
    /// How many bits they have in common.
    package let prefixLength: Int

    /// Nil for what is no such block.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = IPAddress(String(parts[0])), let length = Int(parts[1]),
            (0...address.bytes.count * 8).contains(length)
        else { return nil }
        (bytes, prefixLength) = (address.bytes, length)
    }

    /// The address of the block whose other bits are these.
    ///
    /// - Parameter bits: Of which the last count; 128 or fewer are wanted.
    /// - Returns: As it is written.
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
