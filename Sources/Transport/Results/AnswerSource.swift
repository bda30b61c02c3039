/// What a carrier knows of the answer that it is telling of; asked on the loop while the handler runs, and never later.
protocol AnswerSource: AnyObject {
    /// The URL that was asked last.
    var answerURL: String { get }

    /// What the carrier says of a failure, for people; empty when it says nothing.
    var failureExplanation: String { get }

    /// The value of a header in the last answer; the last value where there are several.
    ///
    /// Upper and lower case of the name are the same.
    func answerHeader(_ name: String) -> String?

    /// Hands over the bytes of such a value without making a String; nil when the header is missing.
    func readAnswerHeader(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void)

    /// The head of the last answer, to be kept.
    func copyAnswerHead() -> AnswerHeadCopy

    /// The address of a number, with its port.
    func remoteAddress(_ number: UInt16) -> String

    /// Keeps a handler's note with the connection that the answer came on, while that is open.
    func noteConnection(_ note: UInt16)

    /// Whether the request asked for a part of something.
    var requestAsksForRange: Bool { get }

    /// What the request carried to be found again by; nil for nothing.
    var requestTrace: TraceContext? { get }
}
