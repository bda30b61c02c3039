/// JSON value of a foreign document; accessors return nil for an unexpected type.
package enum JSONValue: Equatable, Sendable {
    case object(JSONObject)
    case array([JSONValue])
    case string(String)
    /// Infinite for a number too large for a `Double`.
    case number(Double)
    case boolean(Bool)
    /// Also a string that is not Unicode or has more than 30 combining marks in a row.
    case null

    /// Parses UTF-8 (RFC 8259) in time linear in its length.
    package init(parsing text: UnsafeRawBufferPointer, within limits: JSONLimits) throws(JSONError) {
        if let excess = limits.excess(of: text) { throw excess }
        var reader = JSONReader(text)
        self = try reader.document()
    }

    package var text: String? { if case .string(let text) = self { text } else { nil } }

    /// A number, or a string that spells one.
    package var number: Double? {
        switch self {
        case .number(let number): number
        case .string(let text): text.utf8.count <= Self.longestNumber ? Double(text) : nil
        default: nil
        }
    }

    package var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
    package var members: JSONObject { if case .object(let members) = self { members } else { JSONObject() } }

    private static let longestNumber = 1_100
}

/// A list, not a hash table: a hostile document could choose names that collide.
///
/// A lookup takes linear time; to look up many, iterate once.
package struct JSONObject: Equatable, Sendable {
    package struct Member: Equatable, Sendable {
        package var name: String
        package var value: JSONValue
    }

    package var all: [Member]

    package init(_ members: [Member] = []) { all = members }

    /// Byte by byte; the first wins.
    package subscript(_ name: String) -> JSONValue? {
        for member in all where member.name.utf8.count == name.utf8.count && member.name.utf8.elementsEqual(name.utf8) {
            return member.value
        }
        return nil
    }
}
