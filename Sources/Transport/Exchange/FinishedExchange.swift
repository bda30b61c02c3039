import Rulebook

/// What a result is made from.
struct FinishedExchange {
    var answer: AnswerReader
    var transfer: CarriedTransfer?
    var explanation = ""
    /// The connection that the answer came on; -1 once it is closed.
    var descriptor: Int32 = -1
}

/// A transfer whose end is still to be told.
struct EndedTransfer {
    let transfer: CarriedTransfer
    let failure: TransportFailure
    let explanation: String
    /// The connection that it was on last.
    var connection = AnsweredOn.nothing
}

extension ExchangeCarrier: AnswerSource {
    var answerURL: String { told.pointee.transfer?.hop.url ?? "" }

    var failureExplanation: String { told.pointee.explanation }

    func answerHeader(_ name: String) -> String? { told.pointee.answer.header(name) }

    func readAnswerHeader(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        told.pointee.answer.readHeader(name, take)
    }

    func copyAnswerHead() -> AnswerHeadCopy { AnswerHeadCopy(told.pointee.answer.head) }

    func remoteAddress(_ number: UInt16) -> String { remotes.text(number) }

    func noteConnection(_ note: UInt16) {
        let descriptor = told.pointee.descriptor
        guard descriptor >= 0, connections[descriptor].pointee.phase != .none else { return }
        connections[descriptor].pointee.note = note
    }

    var requestAsksForRange: Bool { told.pointee.transfer?.hop.asksForRange ?? false }

    var requestTrace: TraceContext? { told.pointee.transfer?.request.request.trace }
}
