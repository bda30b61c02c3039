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
}
