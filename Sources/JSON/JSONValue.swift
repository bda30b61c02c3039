/// A JSON value of any shape, of a document that somebody else wrote.
///
/// A member of an unexpected type then is nil and not an error.
package enum JSONValue: Equatable, Sendable {
    case object(JSONObject)
    case array([JSONValue])
    case string(String)
    /// Infinite where the number is too large for a `Double`.
    case number(Double)
    case boolean(Bool)
    /// Also a text that is not Unicode, or has more than 30 combining marks in a row.
    case null

    /// Reads a JSON text (RFC 8259) in UTF-8, in a time that grows with its length alone.
    package init(parsing text: UnsafeRawBufferPointer, within limits: JSONLimits) throws(JSONError) {
        try limits.check(text)
        var reader = JSONReader(text)
        self = try reader.document()
    }

    /// Reads what an outline asks of a JSON text, and makes nothing of the rest.
    ///
    /// - Parameters:
    ///   - text: UTF-8; what is passed over need not even be JSON.
    ///   - limits: Hold for all of the text, as far as that is JSON.
    ///   - outline: What is wanted.
    /// - Throws: As for the whole text, as far as it is looked at.
    package init(
        parsing text: UnsafeRawBufferPointer,
        within limits: JSONLimits,
        keeping outline: JSONOutline
    ) throws(JSONError) {
        guard text.count <= limits.bytes else { throw .tooLarge }
        // What is passed over is counted on the way, so that a large text is gone through once.
        var reader = JSONReader(text, within: limits)
        self = try reader.document(outline)
    }

    package var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    /// A number, also where it is written as text.
    package var number: Double? {
        switch self {
        case .number(let number): number
        case .string(let text): text.utf8.count <= Self.longestNumber ? Double(text) : nil
        default: nil
        }
    }

    package var boolean: Bool? {
        if case .boolean(let flag) = self { return flag }
        return nil
    }

    /// Empty for what is no object.
    package var members: JSONObject {
        if case .object(let members) = self { return members }
        return JSONObject()
    }

    /// No number takes more characters.
    private static let longestNumber = 1_100
}
