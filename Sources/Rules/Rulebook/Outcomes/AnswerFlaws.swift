/// Headers of an answer that contradict its body.
///
/// Public, because the compiler inlines nothing of a `package` type into other targets, and each answer uses this one.
public struct AnswerFlaws: OptionSet, Hashable, Sendable {
    /// One bit for each flaw.
    public let rawValue: UInt8

    /// Makes a set from the bits of its flaws.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Lines of Content-Length that differ, or one that is not a length.
    public static let lengthInvalid = AnswerFlaws(rawValue: 1)
    /// Content-Length beside Transfer-Encoding.
    public static let lengthWithTransferCoding = AnswerFlaws(rawValue: 2)
    /// Status 206 to a request without Range.
    public static let partialUnasked = AnswerFlaws(rawValue: 4)
    /// A body that cannot be decoded to its end with its coding.
    public static let codingInvalid = AnswerFlaws(rawValue: 8)
}
