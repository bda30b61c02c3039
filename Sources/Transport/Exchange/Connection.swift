import Values

struct Connection {
    enum Phase: UInt8 {
        case none
        case connecting
        case handshaking
        case idle
        case sending
        case awaiting
        /// Speaks HTTP/2, idle or not.
        case http2
    }

    // The fields that a send in a burst touches come first and fill two cache lines: with thousands of connections every line
    // is cold when its turn comes.

    /// nil while idle, and for a connection that was opened ahead of need.
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
    /// The HTTP/2 state, from the request to open on; nil for HTTP/1.1.
    var http2: HTTP2Connection?

    var reader: AnswerReader
    var owner: ConnectionOwner?
    /// Neighbours in the owner's list of connections, by descriptor.
    var previousOfOwner: Int32 = -1
    var nextOfOwner: Int32 = -1
    var registration: Registration?
    var localPort: UInt16 = 0
    /// Number of the peer's address in `RemoteAddresses`.
    var remote = RemoteAddresses.none
    /// The handler's note, see `TransferResult.noteConnection`.
    var note: UInt16 = 0
    var attempt = AddressAttempt()
    /// Start of its opening, which the time to connect counts from.
    var since = Instant.zero
    /// Start of the present step of opening.
    var openedAt = Instant.zero
    /// When the kernel received what was read last; zero where that is unknown.
    var receivedAt = Instant.zero

    var awaitsRequest: Bool { transfer == nil && http2 == nil }

    @inline(__always)
    var answeredOn: AnsweredOn { AnsweredOn(localPort: localPort, remote: remote, note: note) }

    /// Ends TLS in order, and keeps the session for the owner's next connection to the same origin.
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

/// The place of an opening in a route's list of addresses; each is tried once, round the list.
struct AddressAttempt {
    var first: Int32 = 0
    /// Addresses tried before this one.
    var failed: Int32 = 0

    /// Index of the address to try; nil when all addresses were tried.
    func place(of count: Int) -> Int? { Int(failed) < count ? (Int(first) + Int(failed)) % count : nil }
}
