import Values

extension JSONValue {
    /// Nil unless the number is from 0 to a thousand years.
    var seconds: Duration? {
        guard let number, number >= 0, number <= 31_557_600_000 else { return nil }
        return .microseconds(Int64((number * 1_000_000).rounded()))
    }

    static func object(in json: UnsafeRawBufferPointer) throws(AdServingError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: json, within: .answer)
        } catch {
            // Both enums have the same raw values.
            throw AdServingError(rawValue: error.rawValue) ?? .notJSON
        }
        guard case .object(let members) = value else { throw .notAnObject }
        return members
    }
}

struct UnexpectedMember: Error {}

/// Missing and null are nil; another type makes the enclosing object unreadable.
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

/// Never quotes the answer, which can carry session tokens.
package enum AdServingError: String, Error, Hashable, Sendable {
    case notJSON = "not_json"
    case notAnObject = "not_an_object"
    /// Limits are those of ``JSONLimits/answer``, and of an asset list ``AssetList/maximumBytes``.
    case tooLarge = "too_large"
    case tooDeep = "too_deep"
    case tooManyValues = "too_many_values"
    case textTooLong = "text_too_long"
    case noAssets = "no_assets"
    /// Not an object, or without a URI.
    case badAsset = "bad_asset"
    /// Not a number of seconds.
    case badDuration = "bad_duration"
    case tooManyAssets = "too_many_assets"
    /// VERSION is not 1, the only one that clients support.
    case unknownVersion = "unknown_version"
    case noPathways = "no_pathways"

    package var observation: String { "a successful answer that cannot be read: \(rawValue)" }
}
