/// The value of an attribute, in the syntax it was written in (RFC 8216 section 4.2), its text kept as it was.
package enum AttributeValue: Hashable, Sendable {
    /// The text between the quotation marks.
    case quoted(String)
    /// With its `0x`.
    case hexadecimal(String)
    /// A decimal number, signed or not.
    case number(String)
    case enumerated(String)

    /// The value without quotation marks.
    package var text: String {
        switch self {
        case .quoted(let text), .hexadecimal(let text), .number(let text), .enumerated(let text):
            text
        }
    }
}
