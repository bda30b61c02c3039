extension Duration {
    /// Longest unit first.
    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1000),
    ]

    /// Numbers with units, longest first, each once, such as "500ms", "1.5s", "8h0m0s", as in profiles and Go's
    /// `time.Duration`.
    package init?(text: some StringProtocol) {
        guard let nanoseconds = Self.nanoseconds(Substring(text)) else { return nil }
        self = .nanoseconds(nanoseconds)
    }

    /// With an optional sign, such as "-500ms".
    package init?(signedText text: String) {
        let hasSign = text.first == "-" || text.first == "+"
        guard let nanoseconds = Self.nanoseconds(hasSign ? text.dropFirst() : text[...]) else { return nil }
        self = .nanoseconds(text.first == "-" ? -nanoseconds : nanoseconds)
    }

    private static func nanoseconds(_ text: Substring) -> Int64? {
        var rest = text
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
        return text.isEmpty ? nil : total
    }

    /// Fractions of a nanosecond are dropped.
    private static func nanoseconds(_ number: Substring, of unit: Int64) -> Int64? {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard 1...2 ~= parts.count, parts.allSatisfy({ !$0.isEmpty }), let whole = Int64(parts[0]) else { return nil }
        var (total, overflow) = whole.multipliedReportingOverflow(by: unit)
        var weight = unit
        for digit in parts.dropFirst().flatMap(\.utf8) {
            weight /= 10
            let (sum, sumOverflow) = total.addingReportingOverflow(weight &* Int64(digit &- UInt8(ascii: "0")))
            total = sum
            overflow = overflow || sumOverflow
        }
        return overflow ? nil : total
    }

    /// Spelling of a profile, in whole microseconds; "0s" for zero and negative durations.
    package var text: String {
        var rest = nanosecondsHeld
        guard rest > 0 else { return "0s" }
        var text = ""
        for unit in Self.units where rest >= unit.nanoseconds {
            text += "\(rest / unit.nanoseconds)\(unit.name)"
            rest %= unit.nanoseconds
        }
        return text
    }

    /// Clamped to Int64.
    public var nanosecondsHeld: Int64 { held(perSecond: 1_000_000_000) }

    /// Rounded towards zero and clamped to Int64.
    public var wholeMicroseconds: Int64 { held(perSecond: 1_000_000) }

    /// Rounded towards zero and clamped to Int64.
    public var millisecondsHeld: Int64 { held(perSecond: 1_000) }

    // A power of ten of at most 10^9.
    private func held(perSecond units: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: units)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return scaled.addingClamped(attoseconds / (1_000_000_000_000_000_000 / units))
    }
}
