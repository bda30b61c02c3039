import FoundationEssentials

/// A JSON value of any shape, for documents that other people's servers write.
///
/// Foundation's decoder reads the text; a member of an unexpected type then is nil and not an error.
indirect enum JSONValue: Decodable, Equatable {
    case object([String: JSONValue])
    case array([JSONValue])
    case string(String)
    case number(Double)
    case boolean(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let flag = try? container.decode(Bool.self) {
            self = .boolean(flag)
        } else if let members = try? container.decode([String: JSONValue].self) {
            self = .object(members)
        } else if let elements = try? container.decode([JSONValue].self) {
            self = .array(elements)
        } else {
            self = .null
        }
    }

    var text: String? {
        if case .string(let text) = self {
            return text
        }
        return nil
    }

    /// A number, also where it is written as text.
    var number: Double? {
        switch self {
        case .number(let number): number
        case .string(let text): Double(text)
        default: nil
        }
    }

    var boolean: Bool? {
        if case .boolean(let flag) = self {
            return flag
        }
        return nil
    }

    var members: [String: JSONValue] {
        if case .object(let members) = self {
            return members
        }
        return [:]
    }

    /// A number of seconds of 0 to a thousand years.
    var seconds: Duration? {
        guard let number, number >= 0, number <= 31_557_600_000 else {
            return nil
        }
        return .microseconds(Int64((number * 1_000_000).rounded()))
    }

    /// The members of the object that `json` holds.
    static func object(in json: UnsafeRawBufferPointer) throws(AdServingError) -> [String: JSONValue] {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(json)) else {
            throw .notJSON
        }
        guard case .object(let members) = value else {
            throw .notAnObject
        }
        return members
    }
}
