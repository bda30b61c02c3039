/// The value of an attribute by its syntax (RFC 8216 section 4.2), with its text unchanged.
package enum AttributeValue: Hashable, Sendable {
    /// The text between the quotation marks.
    case quoted(String)
    /// With its `0x`.
    case hexadecimal(String)
    case number(String)
    case enumerated(String)

    package var text: String {
        switch self {
        case .quoted(let text), .hexadecimal(let text), .number(let text), .enumerated(let text):
            text
        }
    }
}
