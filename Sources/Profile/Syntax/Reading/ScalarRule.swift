package import Values

package struct ScalarRule<Value> {
    package enum Reading {
        case value(Value)
        /// Reason as a predicate: "is not a duration".
        case refused(String, suggestion: String? = nil)
    }

    package var allowed: String
    /// `allowed` without the kind of value; nil means `allowed`.
    package var limits: String?
    package var schema: SchemaNode
    package var isSecret = false
    /// Whether values of the environment are secrets in it: texts may hold tokens; numbers, durations and words do not.
    package var hidesEnvironment = false
    package var spell: (Value) -> String
    /// Value in a digest; nil means `spell`.
    package var canonical: ((Value) -> String)?
    package var read: (String) -> Reading

    package init(
        allowed: String,
        limits: String? = nil,
        schema: SchemaNode = .type("string"),
        spell: @escaping (Value) -> String,
        canonical: ((Value) -> String)? = nil,
        read: @escaping (String) -> Reading
    ) {
        (self.allowed, self.limits, self.schema, self.spell) = (allowed, limits, schema, spell)
        (self.canonical, self.read) = (canonical, read)
    }

    package func line(_ value: Value) -> String { (canonical ?? spell)(value) }

    /// Nil `allowed` or `schema` keeps the present one; `refusal` gives the reason as a predicate.
    package func refusing(
        allowed: String? = nil,
        schema: SchemaNode? = nil,
        _ refusal: @escaping (Value) -> String?
    ) -> ScalarRule {
        var narrowed = self
        narrowed.allowed = allowed ?? self.allowed
        if allowed != nil { narrowed.limits = nil }
        narrowed.schema = schema ?? self.schema
        narrowed.read = { [read] text in
            guard case .value(let value) = read(text), let reason = refusal(value) else { return read(text) }
            return .refused(reason)
        }
        return narrowed
    }

    /// A nil schema lists the words; `refused` has reasons for common invalid words.
    package static func words(
        _ words: [(name: String, value: Value)],
        schema: SchemaNode? = nil,
        else reason: String = "is not known",
        refused: [String: String] = [:],
        spell: @escaping (Value) -> String = { "\($0)" }
    ) -> ScalarRule {
        let names = words.map(\.name)
        return ScalarRule(
            allowed: names.joined(separator: ", "),
            schema: schema ?? .choice(names),
            spell: spell,
            read: { text in
                guard let word = words.first(where: { $0.name == text }) else {
                    return .refused(refused[text] ?? reason, suggestion: NearestName.slip(text, among: names))
                }
                return .value(word.value)
            }
        )
    }
}

extension ScalarRule<Bool> {
    package static var boolean: ScalarRule {
        ScalarRule(allowed: "true or false", schema: .type("boolean"), spell: String.init) { text in
            switch text {
            case "true": .value(true)
            case "false": .value(false)
            default: .refused("is neither true nor false")
            }
        }
    }
}

extension ScalarRule where Value: FixedWidthInteger {
    package static func integer(_ range: ClosedRange<Value>) -> ScalarRule {
        let allowed = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        let schema = SchemaNode.type("integer")
            .with("minimum", .number("\(range.lowerBound)")).with("maximum", .number("\(range.upperBound)"))
        return ScalarRule(
            allowed: allowed,
            limits: "\(range.lowerBound) to \(range.upperBound)",
            schema: schema,
            spell: { "\($0)" },
            read: { text in
                guard let digits = QuantityText.wholeNumber(text), let number = Value(digits) else {
                    return .refused(QuantityText.isWholeNumber(text) ? "is not in range" : "is not a whole number")
                }
                return range.contains(number) ? .value(number) : .refused("is not in range")
            }
        )
    }
}

extension ScalarRule<Int> {
    package static func size(_ range: ClosedRange<Int>) -> ScalarRule {
        let bounds = "\(SizeText.of(range.lowerBound)) to \(SizeText.of(range.upperBound))"
        return ScalarRule(
            allowed: "a size with a unit, such as 64MiB, from \(bounds)",
            limits: bounds,
            schema: .reference("size"),
            spell: SizeText.of,
            canonical: { String($0) },
            read: { text in
                guard let bytes = SizeText.bytes(text) else {
                    return .refused(QuantityText.isNumber(text) ? "has no unit" : "is not a size")
                }
                return range.contains(bytes) ? .value(bytes) : .refused("is not in range")
            }
        )
    }
}

extension ScalarRule<Double> {
    package static var share: ScalarRule {
        ScalarRule(
            allowed: "a percentage from 0% to 100% or a number from 0 to 1",
            limits: "0% to 100%",
            schema: .reference("share"),
            spell: ShareText.percent,
            canonical: { String($0) },
            read: { text in
                guard let share = ShareText.share(text) else { return .refused("is not a share") }
                return 0...1 ~= share ? .value(share) : .refused("is not in range")
            }
        )
    }

    package static func number(_ range: ClosedRange<Double>) -> ScalarRule {
        let (least, most) = (spelled(range.lowerBound), spelled(range.upperBound))
        return ScalarRule(
            allowed: "a number from \(least) to \(most)",
            limits: "\(least) to \(most)",
            schema: .type("number").with("minimum", .number(least)).with("maximum", .number(most)),
            spell: spelled,
            canonical: { String($0) },
            read: { text in
                guard let number = QuantityText.decimal(text[...]) else { return .refused("is not a number") }
                return range.contains(number) ? .value(number) : .refused("is not in range")
            }
        )
    }

    package static func spelled(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e9 ? String(Int(number)) : String(number)
    }
}

extension ScalarRule<Duration> {
    package static func duration(_ range: ClosedRange<Duration>) -> ScalarRule {
        let bounds = "\(range.lowerBound.text) to \(range.upperBound.text)"
        return ScalarRule(
            allowed: "a duration such as 500ms, 10s, 2m or 1m30s, from \(bounds)",
            limits: bounds,
            schema: .reference("duration"),
            spell: \.text,
            canonical: { String($0.nanosecondsHeld) },
            read: { text in
                guard let duration = Duration(text: text) else {
                    return .refused(QuantityText.isNumber(text) ? "has no unit" : "is not a duration")
                }
                return range.contains(duration) ? .value(duration) : .refused("is not in range")
            }
        )
    }
}

extension ScalarRule where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    package static var choice: ScalarRule { choice(refused: [:]) }

    package static func choice(refused: [String: String]) -> ScalarRule {
        words(Value.allCases.map { ($0.rawValue, $0) }, refused: refused, spell: \.rawValue)
    }
}

extension ScalarRule<String> {
    package static func name(among names: [String], else reason: String) -> ScalarRule {
        words(names.map { ($0, $0) }, schema: .type("string"), else: reason, spell: { $0 })
    }

    package static var longestText: Int { 4096 }

    package static func text(allowed: String, schema: SchemaNode, read: @escaping (String) -> Reading) -> ScalarRule {
        ScalarRule(allowed: allowed, schema: schema, spell: { $0 }, read: read)
    }

    /// Not empty, without control characters.
    package static func text(_ allowed: String = "text", schema: SchemaNode = .reference("text")) -> ScalarRule {
        var rule = text(allowed: allowed, schema: schema) { text in
            guard !text.isEmpty else { return .refused("is empty") }
            guard text.utf8.count <= longestText else { return .refused("is longer than \(longestText) bytes") }
            guard !CharacterSets.hasControlCharacter(text) else { return .refused("holds a control character") }
            return .value(text)
        }
        rule.hidesEnvironment = true
        return rule
    }

    /// Any number of lines.
    package static var prose: ScalarRule {
        var rule = text(allowed: "text of at most \(longestText) bytes", schema: .type("string")) { text in
            guard text.utf8.count <= longestText else { return .refused("is longer than \(longestText) bytes") }
            let lines = text.split(whereSeparator: \.isNewline)
            guard !lines.contains(where: { CharacterSets.hasControlCharacter(String($0)) }) else {
                return .refused("holds a control character")
            }
            return .value(text)
        }
        rule.hidesEnvironment = true
        return rule
    }

    /// A word that can name a folder of results.
    package static var name: ScalarRule {
        let allowed = "letters, digits, '.', '_' and '-', at most 64, beginning with a letter or digit"
        var rule = text(allowed, schema: .pattern("^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")).refusing { text in
            CharacterSets.isFileName(text) ? nil : "cannot name a folder of results"
        }
        rule.hidesEnvironment = false
        return rule
    }
}

package enum CharacterSets {
    package static func isFileName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isAlphanumeric, text.utf8.count <= 64 else { return false }
        return text.utf8.allSatisfy { $0.isAlphanumeric || [UInt8](".-_".utf8).contains($0) }
    }

    static func isEnvironmentName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !first.isDigit else { return false }
        return text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
    }

    /// RFC 9110 section 5.6.2.
    package static func isToken(_ text: String) -> Bool {
        let marks = [UInt8]("!#$%&'*+-.^_`|~".utf8)
        return !text.isEmpty && text.utf8.allSatisfy { $0.isAlphanumeric || marks.contains($0) }
    }

    package static func hasControlCharacter(_ text: String) -> Bool { text.utf8.contains { $0 < 0x20 || $0 == 0x7F } }
}

/// No size of a number traps.
package enum QuantityText {
    /// Digits without grouping underscores; nil for any other text.
    package static func wholeNumber(_ text: String) -> String? {
        guard let first = text.utf8.first, first.isDigit, let last = text.utf8.last, last.isDigit else { return nil }
        guard text.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "_") }) else { return nil }
        return text.filter { $0 != "_" }
    }

    /// Any size, with an optional sign.
    package static func isWholeNumber(_ text: String) -> Bool {
        wholeNumber(text.first == "-" || text.first == "+" ? String(text.dropFirst()) : text) != nil
    }

    /// Optional sign and fraction.
    package static func isNumber(_ text: String) -> Bool {
        let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        return decimal(unsigned) != nil
    }

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
    /// May exceed 1.
    package static func share(_ text: String) -> Double? {
        guard text.hasSuffix("%") else { return QuantityText.decimal(text[...]) }
        return QuantityText.decimal(text.dropLast()).map { $0 / 100 }
    }

    package static func percent(_ share: Double) -> String {
        let tenths = (share * 1000).rounded()
        return tenths.remainder(dividingBy: 10) == 0 ? "\(Int(tenths / 10))%" : "\(tenths / 10)%"
    }
}

/// Such as "64MiB".
package enum SizeText {
    private static let units: [(name: String, bytes: Int)] = [
        ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000),
        ("B", 1),
    ]

    static func bytes(_ text: String) -> Int? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let digits = QuantityText.wholeNumber(String(text.dropLast(unit.name.count))), let number = Int(digits)
        else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
        return overflow ? nil : bytes
    }

    /// Uses the largest binary unit that divides the size.
    package static func of(_ bytes: Int) -> String {
        for unit in units.prefix(3) where bytes >= unit.bytes && bytes.isMultiple(of: unit.bytes) {
            return "\(bytes / unit.bytes)\(unit.name)"
        }
        return "\(bytes)B"
    }
}

/// Such as "6 Mbit/s".
package enum RateText {
    private static let units: [(name: String, bits: Double)] = [
        ("Gbit/s", 1e9), ("Mbit/s", 1e6), ("kbit/s", 1e3), ("bit/s", 1),
    ]

    /// Nil for any other text, and beyond 1 Pbit/s.
    package static func bitsPerSecond(_ text: String) -> Int64? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
        let digits = text.dropLast(unit.name.count)
        let number = QuantityText.decimal(digits.last == " " ? digits.dropLast() : digits)
        return number.flatMap { Int64(exactly: ($0 * unit.bits).rounded()) }.flatMap { $0 <= 1 << 50 ? $0 : nil }
    }

    /// Uses the largest unit that divides the rate.
    static func of(_ bitsPerSecond: Int64) -> String {
        for unit in units where bitsPerSecond >= Int64(unit.bits) && bitsPerSecond.isMultiple(of: Int64(unit.bits)) {
            return "\(bitsPerSecond / Int64(unit.bits)) \(unit.name)"
        }
        return "\(bitsPerSecond) bit/s"
    }
}
