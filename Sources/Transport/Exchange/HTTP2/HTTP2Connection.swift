import DequeModule
import Rules
import Values

/// Exists from the request to open it, so that requests can wait; dropped if the server chooses HTTP/1.1.
final class HTTP2Connection {
    let route: Route
    /// -1 while there is no socket.
    @exclusivity(unchecked) var descriptor: Int32 = -1
    @exclusivity(unchecked) var session: HTTP2Session?
    /// As in `Connection`.
    @exclusivity(unchecked) var isReused = false
    @exclusivity(unchecked) var waiting: Deque<CarriedTransfer> = []
    @exclusivity(unchecked) var streams: ContiguousArray<CarriedStream> = []
    @exclusivity(unchecked) var unwritten: [UInt8] = []

    init(route: Route) { self.route = route }

    var takesRequests: Bool { session?.isClosing != true }

    func closed() {
        descriptor = -1
        session = nil
        unwritten = []
    }

    func postponeDeadlines(by nanoseconds: Int64) {
        for stream in streams { stream.deadline = stream.deadline.later(by: nanoseconds) }
    }

    func takeWaiting() -> Deque<CarriedTransfer> {
        defer { waiting = [] }
        return waiting
    }
}

final class CarriedStream {
    let stream = HTTP2Stream()
    @exclusivity(unchecked) var transfer: CarriedTransfer?
    @exclusivity(unchecked) var reader: AnswerReader
    @exclusivity(unchecked) var firstByteAt = Instant.zero
    /// Kernel's receipt of the bytes read last; zero if unknown.
    @exclusivity(unchecked) var receivedAt = Instant.zero
    @exclusivity(unchecked) var deadline = Instant.distantFuture
    /// Bytes that the reader still refers to.
    @exclusivity(unchecked) var takenCount = 0

    init(reader: AnswerReader) { self.reader = reader }

    func read() -> AnswerReader.Progress {
        let answer = stream.answer
        guard takenCount == 0 || takenCount == answer.count else { return .failed(.protocolError) }
        let progress = reader.read(answer, keepsBody: transfer?.request.keepBody == true)
        // A whole answer is not copied.
        if progress == .complete {
            takenCount = answer.count
        } else {
            stream.clearAnswer()
        }
        return progress
    }

    func reset(keepsMemory: Bool) {
        stream.reset(keepsMemory: keepsMemory)
        transfer = nil
        reader.reset()
        firstByteAt = .zero
        receivedAt = .zero
        deadline = .distantFuture
        takenCount = 0
    }
}
