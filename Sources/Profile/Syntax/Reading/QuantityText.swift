import Values

/// Numbers of a profile; no size of a number traps.
package enum QuantityText {
    /// The digits of a whole number, without the underscores that may group them; nil for any other text.
    package static func wholeNumber(_ text: String) -> String? {
        guard let first = text.utf8.first, first.isDigit, let last = text.utf8.last, last.isDigit else { return nil }
        guard text.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "_") }) else { return nil }
        return text.filter { $0 != "_" }
    }

    /// Whether the text is a whole number of any size, with an optional sign.
    package static func isWholeNumber(_ text: String) -> Bool {
        wholeNumber(text.first == "-" || text.first == "+" ? String(text.dropFirst()) : text) != nil
    }

    /// Whether the text is a decimal number with an optional sign and fraction.
    package static func isNumber(_ text: String) -> Bool {
        let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        return decimal(unsigned) != nil
    }

    /// A number of digits with at most one decimal point between them.
    package static func decimal(_ text: Substring) -> Double? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }) else {
            return nil
        }
        return Double(text)
    }
}

/// Shares, as "5%" or "0.05".
package enum ShareText {
    /// The share, possibly above 1; nil unless the text is an unsigned decimal number, with or without a percent sign.
    package static func share(_ text: String) -> Double? {
        guard text.hasSuffix("%") else { return QuantityText.decimal(text[...]) }
        return QuantityText.decimal(text.dropLast()).map { $0 / 100 }
    }

    package static func percent(_ share: Double) -> String {
        let tenths = (share * 1000).rounded()
        return tenths.remainder(dividingBy: 10) == 0 ? "\(Int(tenths / 10))%" : "\(tenths / 10)%"
    }
}

/// Sizes in bytes with a unit, such as "64MiB".
package enum SizeText {
    private static let units: [(name: String, bytes: Int)] = [
        ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000),
        ("B", 1),
    ]

    /// Nil for a text that is not a whole number with a unit, or does not fit 64 bits.
    static func bytes(_ text: String) -> Int? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let digits = QuantityText.wholeNumber(String(text.dropLast(unit.name.count))), let number = Int(digits)
        else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
        return overflow ? nil : bytes
    }

    /// Spells a size with the largest binary unit that divides it.
    package static func of(_ bytes: Int) -> String {
        for unit in units.prefix(3) where bytes >= unit.bytes && bytes.isMultiple(of: unit.bytes) {
            return "\(bytes / unit.bytes)\(unit.name)"
        }
        return "\(bytes)B"
    }
}
