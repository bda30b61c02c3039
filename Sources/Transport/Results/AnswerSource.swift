/// A carrier's knowledge of the answer being reported; read on the loop while the handler runs, and never later.
///
/// `TransferResult` describes each value.
protocol AnswerSource: AnyObject {
    var answerURL: String { get }

    var failureExplanation: String { get }

    func answerHeader(_ name: String) -> String?

    func readAnswerHeader(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void)

    func copyAnswerHead() -> AnswerHeadCopy

    func remoteAddress(_ number: UInt16) -> String

    func noteConnection(_ note: UInt16)

    var requestAsksForRange: Bool { get }

    var requestTrace: TraceContext? { get }
}
