import JSON

extension JSONValue {
    /// A number of seconds of 0 to a thousand years.
    var seconds: Duration? {
        guard let number, number >= 0, number <= 31_557_600_000 else {
            return nil
        }
        return .microseconds(Int64((number * 1_000_000).rounded()))
    }

    /// The members of the object that an answer holds.
    static func object(in json: UnsafeRawBufferPointer) throws(AdServingError) -> JSONObject {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: json, within: .answer)
        } catch {
            throw AdServingError(error)
        }
        guard case .object(let members) = value else {
            throw .notAnObject
        }
        return members
    }
}

/// A member of another type than the one that is asked for.
struct UnexpectedMember: Error {}

/// Members that may be missing, or null, and make what they stand in unreadable where they are of another type.
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

    /// Nil for what is no whole number, and for whole numbers that no `Int` holds.
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
