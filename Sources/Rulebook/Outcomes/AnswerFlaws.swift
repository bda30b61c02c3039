/// What an answer says of its own body that cannot be right, whatever it brings.
///
/// Public, because the compiler inlines nothing of a `package` type into other targets, and every answer is asked.
public struct AnswerFlaws: OptionSet, Hashable, Sendable {
    /// One bit for each flaw.
    public let rawValue: UInt8

    /// Takes the bits of flaws.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Lines of Content-Length that differ, or one that is no length.
    public static let lengthInvalid = AnswerFlaws(rawValue: 1)
    /// Content-Length beside Transfer-Encoding.
    public static let lengthWithTransferCoding = AnswerFlaws(rawValue: 2)
    /// Status 206 to a request without Range.
    public static let partialUnasked = AnswerFlaws(rawValue: 4)
    /// A body that cannot be decoded to its end as its coding says.
    public static let codingInvalid = AnswerFlaws(rawValue: 8)
}
