import EventLoop
import Sockets
import Time

/// One connection of one owner: its socket, and the request that it carries at the moment.
struct Connection {
    enum Phase: UInt8 {
        /// There is no connection at this descriptor.
        case none
        case connecting
        case handshaking
        case idle
        /// The request is not written in full.
        case sending
        /// The request is written; the answer has not come in full.
        case awaiting
        /// It speaks HTTP/2, whatever it carries.
        case http2
    }

    // The fields that a send in a burst touches come first and fill two cache lines: with thousands of connections
    // every line is cold when its turn comes.

    /// What is carried; nil while idle, and for a connection that was opened ahead of need.
    var transfer: CarriedTransfer?
    var phase = Phase.none
    /// Another request was answered on this connection before: a close without an answer may be a race.
    var isReused = false
    var interest: Readiness = []
    /// Bytes of the request that are written.
    var written: Int32 = 0
    var firstByteAt = Instant.zero
    var route: Route?
    var tls: TLSConnection?
    /// What it carries over HTTP/2, or is to; nil for HTTP/1.1.
    var http2: HTTP2Connection?

    var reader: AnswerReader
    var owner: ConnectionOwner?
    /// Neighbours in the owner's list of connections, by descriptor.
    var previousOfOwner: Int32 = -1
    var nextOfOwner: Int32 = -1
    var registration: Registration?
    var localPort: UInt16 = 0
    /// The number of the address at its other end.
    var remote = RemoteAddresses.none
    /// What the handler noted of it.
    var note: UInt16 = 0
    /// The addresses tried for it.
    var attempt = AddressAttempt()
    /// When its opening began, which the time to connect counts from.
    var since = Instant.zero
    /// When this step of opening began.
    var openedAt = Instant.zero
    /// When the kernel received what was read last; zero where that is unknown.
    var receivedAt = Instant.zero

    init(reader: AnswerReader) {
        self.reader = reader
    }

    /// Whether it takes a request of HTTP/1.1, now or once it stands.
    var awaitsRequest: Bool { transfer == nil && http2 == nil }

    /// What a result says of it.
    @inline(__always)
    var answeredOn: AnsweredOn { AnsweredOn(localPort: localPort, remote: remote, note: note) }

    /// Ends TLS in order, and keeps what the session is worth for the owner's next connection to the same origin.
    func endTLS() {
        guard let tls else { return }
        if phase.rawValue >= Phase.idle.rawValue {
            if let owner, let route, !owner.isClosed, let session = tls.takeSession(of: ObjectIdentifier(route)) {
                owner.sessions.removeAll { $0.peer == session.peer }
                owner.sessions.append(session)
            }
            tls.sayGoodbye()
        }
        tls.free()
    }
}

/// Which of a route's addresses an opening has come to; each is tried once, round the list.
struct AddressAttempt {
    /// Index of the address that was tried first.
    var first: Int32 = 0
    /// Addresses tried before this one.
    var failed: Int32 = 0

    /// Index of the address to try; nil when all addresses were tried.
    func place(of count: Int) -> Int? { Int(failed) < count ? (Int(first) + Int(failed)) % count : nil }
}
