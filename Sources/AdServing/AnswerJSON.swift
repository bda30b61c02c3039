import Values

extension JSONValue {
    /// Nil unless the number is from 0 to a thousand years.
    var seconds: Duration? {
        guard let number, number >= 0, number <= 31_557_600_000 else {
            return nil
        }
        return .microseconds(Int64((number * 1_000_000).rounded()))
    }

    static func object<Failure: AnswerError>(
        in json: UnsafeRawBufferPointer,
        or failure: Failure.Type = AdServingError.self
    ) throws(Failure) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: json, within: .answer)
        } catch {
            // Both have one name for each.
            throw Failure(rawValue: error.rawValue) ?? .notJSON
        }
        guard case .object(let members) = value else {
            throw .notAnObject
        }
        return members
    }
}

protocol AnswerError: Error, RawRepresentable<String> {
    static var notJSON: Self { get }
    static var notAnObject: Self { get }
}

extension AdServingError: AnswerError {}

struct UnexpectedMember: Error {}

/// Optional members, missing or null; another type makes the enclosing object unreadable.
extension JSONObject {
    func optionalNumber(_ name: String) throws(UnexpectedMember) -> Double? {
        switch self[name] {
        case nil, .null: return nil
        case .number(let number): return number
        default: throw UnexpectedMember()
        }
    }

    func optionalText(_ name: String) throws(UnexpectedMember) -> String? {
        switch self[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw UnexpectedMember()
        }
    }

    func optionalList<Element>(
        _ name: String,
        of element: (JSONValue) throws(UnexpectedMember) -> Element
    ) throws(UnexpectedMember) -> [Element]? {
        switch self[name] {
        case nil, .null: return nil
        case .array(let elements): return try elements.map(element)
        default: throw UnexpectedMember()
        }
    }

    func optionalTexts(_ name: String) throws(UnexpectedMember) -> [String]? {
        try optionalList(name) { value throws(UnexpectedMember) in
            guard let text = value.text else { throw UnexpectedMember() }
            return text
        }
    }

    /// Nil unless the member is a whole number that fits into `Int`.
    func wholeNumber(_ name: String) -> Int? {
        guard case .number(let number)? = self[name] else { return nil }
        return Int(exactly: number)
    }

    func text(_ name: String) throws(UnexpectedMember) -> String {
        guard let text = try optionalText(name) else { throw UnexpectedMember() }
        return text
    }
}

extension JSONValue {
    func object() throws(UnexpectedMember) -> JSONObject {
        guard case .object(let members) = self else { throw UnexpectedMember() }
        return members
    }
}

/// Reason why an answer of the ad server cannot be parsed; never quotes it, since it can carry session tokens.
package enum AdServingError: String, Error, Hashable, Sendable {
    case notJSON = "not_json"
    case notAnObject = "not_an_object"
    /// Limits are those of ``JSONLimits/answer``.
    case tooLarge = "too_large"
    case tooDeep = "too_deep"
    case tooManyValues = "too_many_values"
    /// A stream id or an address of the session is longer than ``StreamSession/longestText``.
    case textTooLong = "text_too_long"

    package var observation: String { "a successful answer that cannot be read: \(rawValue)" }
}
