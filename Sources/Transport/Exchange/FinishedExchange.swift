import Rulebook

/// What a result is made from.
struct FinishedExchange {
    var answer: AnswerReader
    var transfer: CarriedTransfer?
    var explanation = ""
}

/// A transfer whose end is still to be told.
struct EndedTransfer {
    let transfer: CarriedTransfer
    let failure: TransportFailure
    let explanation: String
}

extension ExchangeCarrier: AnswerSource {
    var answerURL: String { told.pointee.transfer?.hop.url ?? "" }

    var failureExplanation: String { told.pointee.explanation }

    func answerHeader(_ name: String) -> String? { told.pointee.answer.header(name) }

    func readAnswerHeader(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        told.pointee.answer.readHeader(name, take)
    }
}
