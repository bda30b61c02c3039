import DequeModule
import HTTP2
import Rulebook
import Time

/// A connection of one owner to one route that carries several requests at once, from the wish for it on.
///
/// While it is in the making, requests wait for it; where the server then chooses HTTP/1.1 it is nothing any more.
final class HTTP2Connection {
    let route: Route
    /// -1 while there is no socket.
    @exclusivity(unchecked) var descriptor: Int32 = -1
    /// When its opening began, after what stood in line before it; zero until it stands.
    @exclusivity(unchecked) var since = Instant.zero
    /// Nil until the connection stands.
    @exclusivity(unchecked) var session: HTTP2Session?
    /// Another request was answered on this connection before: an end without an answer may be a race.
    @exclusivity(unchecked) var isReused = false
    /// What waits for the session, or for room in it.
    @exclusivity(unchecked) var waiting: Deque<CarriedTransfer> = []
    @exclusivity(unchecked) var streams: ContiguousArray<CarriedStream> = []
    /// Output that the socket did not take yet; empty nearly always.
    @exclusivity(unchecked) var unwritten: [UInt8] = []

    init(route: Route) {
        self.route = route
    }

    /// Whether requests may be put on it, now or once it stands.
    var takesRequests: Bool { session?.isClosing != true }

    /// Notes that its socket is gone.
    func closed() {
        descriptor = -1
        session = nil
        unwritten = []
    }

    /// Puts the deadlines of its streams off.
    func postponeDeadlines(by nanoseconds: Int64) {
        for stream in streams { stream.deadline = stream.deadline.later(by: nanoseconds) }
    }

    /// Takes everything that waits.
    func takeWaiting() -> Deque<CarriedTransfer> {
        defer { waiting = [] }
        return waiting
    }
}

/// A request on a stream of its connection.
final class CarriedStream {
    let stream = HTTP2Stream()
    @exclusivity(unchecked) var transfer: CarriedTransfer?
    @exclusivity(unchecked) var reader: AnswerReader
    @exclusivity(unchecked) var firstByteAt = Instant.zero
    /// When the kernel received what was read last of the answer; zero where that is unknown.
    @exclusivity(unchecked) var receivedAt = Instant.zero
    @exclusivity(unchecked) var deadline = Instant.distantFuture
    /// Bytes of the stream's answer that the reader has taken and still looks at.
    @exclusivity(unchecked) var takenCount = 0

    init(reader: AnswerReader) {
        self.reader = reader
    }

    /// Reads what is new of the answer.
    func read() -> AnswerReader.Progress {
        let answer = stream.answer
        guard takenCount == 0 || takenCount == answer.count else { return .failed(.protocolError) }
        let progress = reader.read(answer, keepsBody: transfer?.request.keepBody == true)
        // What is whole is handed on from where it lies.
        if progress == .complete {
            takenCount = answer.count
        } else {
            stream.clearAnswer()
        }
        return progress
    }

    /// Makes ready for another request.
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
