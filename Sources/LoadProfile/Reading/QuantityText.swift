/// The numbers of a profile, read without ever trapping on their size.
enum QuantityText {
    /// The digits of a whole number, in which underscores may group them; nil if it is none.
    static func wholeNumber(_ text: String) -> String? {
        guard let first = text.utf8.first, isDigit(first), let last = text.utf8.last, isDigit(last) else { return nil }
        guard text.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: "_") }) else { return nil }
        return text.filter { $0 != "_" }
    }

    /// Whether the text is a whole number with or without sign, of any size.
    static func isWholeNumber(_ text: String) -> Bool {
        wholeNumber(text.first == "-" || text.first == "+" ? String(text.dropFirst()) : text) != nil
    }

    /// Whether the text is a decimal number with or without sign and fraction.
    static func isNumber(_ text: String) -> Bool {
        let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        return decimal(unsigned) != nil
    }

    /// A number of digits with at most one decimal point between them.
    static func decimal(_ text: Substring) -> Double? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }) else { return nil }
        return Double(text)
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}

/// Durations as text with units, such as "1m30s".
enum DurationText {
    /// Units from the longest to the shortest, in nanoseconds.
    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000),
    ]

    /// Reads one or more numbers with units, longest unit first, each unit once.
    /// - Parameter text: For instance "500ms", "1.5s", "1h30m".
    /// - Returns: nil for anything else, and for what does not fit 64 bits of nanoseconds.
    static func duration(_ text: String) -> Duration? {
        var rest = text[...]
        var total: Int64 = 0
        var nextUnit = 0
        while !rest.isEmpty {
            let number = rest.prefix { $0 == "." || ($0.isASCII && $0.isNumber) }
            rest = rest.dropFirst(number.count)
            let unitName = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(unitName.count)
            guard let unit = units[nextUnit...].firstIndex(where: { $0.name == unitName }),
                let part = nanoseconds(number, of: units[unit].nanoseconds)
            else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(part)
            guard !overflow else { return nil }
            total = sum
            nextUnit = unit + 1
        }
        return text.isEmpty ? nil : .nanoseconds(total)
    }

    private static func nanoseconds(_ number: Substring, of unit: Int64) -> Int64? {
        guard QuantityText.decimal(number) != nil else { return nil }
        let parts = number.split(separator: ".")
        guard let whole = Int64(parts[0]) else { return nil }
        var (total, overflow) = whole.multipliedReportingOverflow(by: unit)
        var weight = unit
        for digit in parts.count > 1 ? Array(parts[1].utf8) : [] {
            weight /= 10
            let (sum, sumOverflow) = total.addingReportingOverflow(weight &* Int64(digit &- UInt8(ascii: "0")))
            total = sum
            overflow = overflow || sumOverflow
        }
        return overflow ? nil : total
    }

    /// Spells a duration the way a profile does; whole microseconds.
    static func of(_ duration: Duration) -> String {
        var rest = nanoseconds(duration)
        guard rest > 0 else { return "0s" }
        var text = ""
        for unit in units where rest >= unit.nanoseconds {
            text += "\(rest / unit.nanoseconds)\(unit.name)"
            rest %= unit.nanoseconds
        }
        return text
    }

    /// Whole nanoseconds; durations beyond 64 bits of them do not leave the reader.
    static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}

/// Parts of a whole, as "5%" or "0.05".
enum ShareText {
    /// - Parameter text: Digits with at most one decimal point, with or without a percent sign.
    /// - Returns: The share, possibly above 1; nil if the text is none.
    static func share(_ text: String) -> Double? {
        guard text.hasSuffix("%") else { return QuantityText.decimal(text[...]) }
        return QuantityText.decimal(text.dropLast()).map { $0 / 100 }
    }
}

/// Sizes in bytes with a unit, such as "64MiB".
enum SizeText {
    private static let units: [(name: String, bytes: Int)] = [
        ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000),
        ("B", 1),
    ]

    /// - Parameter text: A whole number and its unit.
    /// - Returns: nil for anything else, and for what does not fit 64 bits.
    static func bytes(_ text: String) -> Int? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let digits = QuantityText.wholeNumber(String(text.dropLast(unit.name.count))), let number = Int(digits)
        else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
        return overflow ? nil : bytes
    }

    /// Spells a size with the largest binary unit that divides it.
    static func of(_ bytes: Int) -> String {
        for unit in units.prefix(3) where bytes >= unit.bytes && bytes.isMultiple(of: unit.bytes) {
            return "\(bytes / unit.bytes)\(unit.name)"
        }
        return "\(bytes)B"
    }
}

extension Duration {
    /// Reads a duration as a profile spells it, for instance "500ms" or "1h30m".
    ///
    /// - Parameter text: Numbers with units, longest unit first; nil comes of anything else.
    package init?(profileText text: String) {
        guard let duration = DurationText.duration(text) else { return nil }
        self = duration
    }
}
