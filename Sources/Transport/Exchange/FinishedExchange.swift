import Rules
import Values

/// The end of an exchange while it is reported, and the source of its result.
///
/// The handler may use or close the exchange's connection meanwhile. Confined to its carrier's loop; accesses never overlap, so
/// that none is checked.
final class FinishedExchange {
    @exclusivity(unchecked) var answer: AnswerReader
    @exclusivity(unchecked) var transfer: CarriedTransfer?
    @exclusivity(unchecked) var explanation = ""
    /// The connection that the answer came on; -1 once it is closed.
    @exclusivity(unchecked) var descriptor: Int32 = -1
    private let connections: ConnectionTable
    private let remotes: RemoteAddresses

    init(_ connections: ConnectionTable, _ remotes: RemoteAddresses) {
        answer = connections.freshReader
        self.connections = connections
        self.remotes = remotes
    }

    func result(_ failure: TransportFailure?, _ times: AnswerTimes, on connection: AnsweredOn) -> TransferResult {
        let keepsBody = transfer?.request.keepBody == true
        return TransferResult(
            failure: failure,
            status: answer.status,
            body: keepsBody ? answer.body : UnsafeRawBufferPointer(start: nil, count: 0),
            bodyBytes: answer.wireBodyBytes,
            plannedAt: transfer?.request.plannedAt ?? .zero,
            history: transfer?.history ?? TransferHistory(),
            times: failure?.isTimeout == true ? times.withoutEnd : times,
            on: connection,
            carrier: .exchange,
            flaws: answer.flaws,
            source: self
        )
    }

    func clear() {
        transfer = nil
        answer.reset()
    }
}

extension FinishedExchange: AnswerSource {
    var answerURL: String { transfer?.hop.url ?? "" }

    var failureExplanation: String { explanation }

    func answerHeader(_ name: String) -> String? { answer.header(name) }

    func readAnswerHeader(_ name: StaticString, _ take: (UnsafeRawBufferPointer?) -> Void) {
        answer.readHeader(name, take)
    }

    func copyAnswerHead() -> AnswerHeadCopy { AnswerHeadCopy(answer.head) }

    func remoteAddress(_ number: UInt16) -> String { remotes.text(number) }

    func noteConnection(_ note: UInt16) {
        guard descriptor >= 0, connections[descriptor].pointee.phase != .none else { return }
        connections[descriptor].pointee.note = note
    }

    var requestAsksForRange: Bool { transfer?.hop.asksForRange ?? false }

    var requestTrace: TraceContext? { transfer?.request.request.trace }
}

struct EndedTransfer {
    let transfer: CarriedTransfer
    let failure: TransportFailure
    let explanation: String
    var connection = AnsweredOn.nothing
}
