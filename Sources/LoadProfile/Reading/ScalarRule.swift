import Time
import Wording

/// How one kind of single value is read and what may stand there.
struct ScalarRule<Value> {
    enum Reading {
        case value(Value)
        /// Why not, as a predicate of the value: "is not a duration".
        case refused(String, suggestion: String? = nil)
    }

    var shape: FieldShape
    var allowed: String
    /// Whether the value must never be printed.
    var isSecret = false
    /// Whether `${NAME}` stands for an environment variable.
    var expandsEnvironment = false
    var read: (String) -> Reading
}

extension ScalarRule {
    /// The same rule with a further condition on the value.
    /// - Parameters:
    ///   - allowed: What may stand there now; nil keeps the text.
    ///   - refusal: nil for a good value, else why not, as a predicate.
    /// - Returns: The narrower rule.
    func refusing(allowed: String? = nil, _ refusal: @escaping (Value) -> String?) -> ScalarRule {
        var narrowed = self
        narrowed.allowed = allowed ?? self.allowed
        narrowed.read = { [read] text in
            guard case .value(let value) = read(text), let reason = refusal(value) else { return read(text) }
            return .refused(reason)
        }
        return narrowed
    }
}

extension ScalarRule<Bool> {
    static var boolean: ScalarRule {
        ScalarRule(shape: .boolean, allowed: "true or false") { text in
            switch text {
            case "true": .value(true)
            case "false": .value(false)
            default: .refused("is neither true nor false")
            }
        }
    }
}

extension ScalarRule<Int> {
    static func integer(_ range: ClosedRange<Int>) -> ScalarRule {
        let allowed = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return ScalarRule(shape: .integer, allowed: allowed) { text in
            guard let digits = QuantityText.wholeNumber(text), let number = Int(digits) else {
                return .refused(QuantityText.isWholeNumber(text) ? "is not in range" : "is not a whole number")
            }
            return range.contains(number) ? .value(number) : .refused("is not in range")
        }
    }

    /// Bytes with a unit.
    static func size(_ range: ClosedRange<Int>) -> ScalarRule {
        let bounds = "from \(SizeText.of(range.lowerBound)) to \(SizeText.of(range.upperBound))"
        return ScalarRule(shape: .size, allowed: "a size with a unit, such as 64MiB, \(bounds)") { text in
            guard let bytes = SizeText.bytes(text) else {
                return .refused(QuantityText.isNumber(text) ? "has no unit" : "is not a size")
            }
            return range.contains(bytes) ? .value(bytes) : .refused("is not in range")
        }
    }
}

extension ScalarRule<UInt64> {
    static var seed: ScalarRule {
        ScalarRule(shape: .integer, allowed: "a whole number from 0 to \(UInt64.max)") { text in
            guard let digits = QuantityText.wholeNumber(text), let seed = UInt64(digits) else {
                return .refused(QuantityText.isWholeNumber(text) ? "is not in range" : "is not a whole number")
            }
            return .value(seed)
        }
    }
}

extension ScalarRule<Double> {
    /// A part of the whole, from 0 to 1.
    static var share: ScalarRule {
        let allowed = "a percentage from 0% to 100% or a number from 0 to 1"
        return ScalarRule(shape: .share, allowed: allowed) { text in
            guard let share = ShareText.share(text) else { return .refused("is not a share") }
            return 0...1 ~= share ? .value(share) : .refused("is not in range")
        }
    }

    /// A number without a unit.
    static func number(_ range: ClosedRange<Double>) -> ScalarRule {
        func spelled(_ bound: Double) -> String {
            bound == bound.rounded() ? String(Int(bound)) : String(bound)
        }
        let allowed = "a number from \(spelled(range.lowerBound)) to \(spelled(range.upperBound))"
        return ScalarRule(shape: .number, allowed: allowed) { text in
            guard let number = QuantityText.decimal(text[...]) else { return .refused("is not a number") }
            return range.contains(number) ? .value(number) : .refused("is not in range")
        }
    }
}

extension ScalarRule<Duration> {
    static func duration(_ range: ClosedRange<Duration>) -> ScalarRule {
        let bounds = "from \(range.lowerBound.text) to \(range.upperBound.text)"
        return ScalarRule(shape: .duration, allowed: "a duration such as 500ms, 10s, 2m or 1m30s, \(bounds)") { text in
            guard let duration = Duration(text: text) else {
                return .refused(QuantityText.isNumber(text) ? "has no unit" : "is not a duration")
            }
            return range.contains(duration) ? .value(duration) : .refused("is not in range")
        }
    }
}

extension ScalarRule where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    static var choice: ScalarRule {
        let names = Value.allCases.map(\.rawValue)
        return ScalarRule(shape: .choice(names), allowed: names.joined(separator: ", ")) { text in
            guard let value = Value(rawValue: text) else {
                return .refused("is not known", suggestion: NearestName.slip(text, among: names))
            }
            return .value(value)
        }
    }
}
