import DequeModule
import Rules
import Values

/// An owner's requests to a route share one connection, and wait while it is being opened, as in browsers.
///
/// Confined to its loop.
final class HTTP2Carrier {
    /// Owns this carrier.
    unowned(unsafe) let exchange: ExchangeCarrier
    private let engine: HTTP2Engine
    private let output: UnsafeMutableRawBufferPointer
    /// The most recently used (warmest) are last; `warm` ones keep memory for an answer.
    @exclusivity(unchecked) private var warm: ContiguousArray<CarriedStream> = []
    @exclusivity(unchecked) private var cold: ContiguousArray<CarriedStream> = []

    private static let outputCapacity = 64 << 10
    /// One frame: nghttp2 makes none longer.
    private static let frameCapacity = (16 << 10) + 9
    private static let maximumIdle = 8192
    private static let maximumWarm = 64
    /// libcurl's limit of repeats of a refused request.
    private static let maximumRefusals = 5

    init?(_ exchange: ExchangeCarrier) {
        let maximumHeaderBytes = exchange.configuration.maximumHeaderBytes
        guard let engine = HTTP2Engine(maximumHeaderBytes: maximumHeaderBytes) else { return nil }
        self.exchange = exchange
        self.engine = engine
        output = .allocate(byteCount: Self.outputCapacity, alignment: 64)
    }

    deinit { output.deallocate() }

    func carry(_ transfer: CarriedTransfer, to route: Route) {
        let owner = transfer.request.owner
        guard let connection = connection(of: owner, to: route) else {
            let connection = HTTP2Connection(route: route)
            return exchange.open(Opening(owner: owner, route: route, transfer: transfer, http2: connection))
        }
        guard let session = connection.session, connection.waiting.isEmpty, session.hasRoom else {
            connection.waiting.append(transfer)
            settleDeadline(connection)
            return
        }
        send(transfer, on: connection)
    }

    /// Open or being opened; nil where a new one is needed.
    private func connection(of owner: ConnectionOwner, to route: Route) -> HTTP2Connection? {
        let standing = exchange.connections.first(
            of: owner,
            to: route,
            where: { $0.pointee.http2?.takesRequests == true || $0.pointee.opening?.http2 != nil }
        )
        guard let standing else { return exchange.openedHTTP2(of: owner, to: route) }
        let connection = exchange.connections[standing]
        return connection.pointee.http2 ?? connection.pointee.opening?.http2
    }

    func warm(_ owner: ConnectionOwner, to route: Route) {
        guard connection(of: owner, to: route) == nil else { return }
        let connection = HTTP2Connection(route: route)
        exchange.open(Opening(owner: owner, route: route, transfer: nil, http2: connection))
    }

    func begin(_ connection: HTTP2Connection, on descriptor: Int32, first: CarriedTransfer?) {
        connection.descriptor = descriptor
        // The server may close an unused connection, too.
        connection.isReused = first == nil
        if let first { connection.waiting.prepend(first) }
        guard let session = HTTP2Session(engine) else { return exchange.abandon(descriptor, .localResources) }
        connection.session = session
        sendWaiting(connection)
        flush(connection)
        guard connection.descriptor >= 0 else { return }
        settleDeadline(connection)
        if connection.unwritten.isEmpty { exchange.watch(descriptor, .readable) }
    }

    private func sendWaiting(_ connection: HTTP2Connection) {
        while let session = connection.session, session.hasRoom, var next = connection.waiting.popFirst() {
            // The wait for the handshake, or for room, is the server's; the first request counts it as handshake.
            if next.history.newConnections == 0 {
                let since = exchange.connections[connection.descriptor].pointee.since
                let waited = MonotonicClock.now() &- max(next.history.startedAt, since)
                next.history.awaitedMicroseconds = Int32(clamping: max(0, waited) / 1_000)
            }
            send(next, on: connection)
        }
        guard connection.session?.isClosing == true else { return }
        for transfer in connection.takeWaiting() { exchange.carry(transfer, to: connection.route) }
    }

    private func send(_ transfer: consuming CarriedTransfer, on connection: HTTP2Connection) {
        let carried = warm.popLast() ?? cold.popLast() ?? CarriedStream(reader: exchange.freshReader)
        let now = MonotonicClock.now()
        let limits = transfer.request.limits
        let hop = transfer.hop
        guard
            connection.session?.send(hop.fields(exchange.configuration), body: hop.body, on: carried.stream) == true
        else {
            // nghttp2 has no stream numbers left.
            putAway(carried)
            connection.session?.close()
            exchange.carry(transfer, to: connection.route)
            return
        }
        transfer.history.sent(at: now)
        carried.reader.keepsBody = transfer.request.keepBody
        carried.reader.limitBody(to: limits.bodyBytes(atMost: exchange.configuration.maximumBodyBytes))
        let patience = limits.firstByteTimeout(otherwise: exchange.firstByteTimeout)
        carried.deadline = min(now.later(by: patience), wholeDeadline(transfer))
        carried.transfer = consume transfer
        connection.streams.append(carried)
        flush(connection)
        settleDeadline(connection)
        guard exchange.life != nil, connection.descriptor >= 0,
            !exchange.isKept(exchange.connections[connection.descriptor], at: now)
        else { return }
        connection.session?.close()
    }

    // MARK: The wire

    func ready(_ connection: HTTP2Connection, _ readiness: Readiness) {
        if readiness.contains(.readable) || readiness.contains(.failed) { read(connection) }
        guard connection.descriptor >= 0, readiness.contains(.writable) else { return }
        settle(connection)
    }

    /// Writes may end streams, which may cause more writes.
    private func settle(_ connection: HTTP2Connection) {
        repeat {
            flush(connection)
            guard connection.descriptor >= 0, let session = connection.session else { return }
            takeTouched(of: session, connection)
            guard connection.descriptor >= 0 else { return }
            sendWaiting(connection)
        } while connection.descriptor >= 0 && connection.session?.hasTouched == true
        closeIfOver(connection)
        settleDeadline(connection)
    }

    private func read(_ connection: HTTP2Connection) {
        let descriptor = connection.descriptor
        let tls = exchange.connections[descriptor].pointee.tls
        tls?.beginTurn()
        var stamp: Int64 = 0
        reading: repeat {
            switch SocketIO.read(from: descriptor, tls, into: exchange.buffer, stamp: &stamp) {
            case .done(let count):
                guard let session = connection.session else { return }
                let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(exchange.buffer)[..<count])
                session.receive(bytes)
                takeTouched(of: session, connection, stamp: stamp)
            // Half a record counts as pending, and epoll reports its rest.
            case .wantsRead: break reading
            case .wantsWrite:
                exchange.watch(descriptor, [.readable, .writable])
                break reading
            case .failed(let failure) where failure != .reset:
                endAll(of: connection, failure)
                lost(connection)
                return
            case .closed, .reset, .failed: return lost(connection)
            }
        } while connection.descriptor >= 0 && tls?.hasPending == true
        guard connection.descriptor >= 0 else { return }
        settle(connection)
    }

    private func flush(_ connection: HTTP2Connection) {
        let descriptor = connection.descriptor
        guard descriptor >= 0, let session = connection.session else { return }
        if !connection.unwritten.isEmpty {
            let rest = connection.unwritten
            connection.unwritten = []
            guard rest.withUnsafeBytes({ write($0, connection) }) else { return }
        }
        var count = 0
        while let bytes = session.output() {
            UnsafeMutableRawBufferPointer(rebasing: output[count...]).copyMemory(from: bytes)
            count += bytes.count
            guard count + Self.frameCapacity > Self.outputCapacity else { continue }
            guard write(UnsafeRawBufferPointer(rebasing: output[..<count]), connection) else { return }
            count = 0
        }
        guard count == 0 || write(UnsafeRawBufferPointer(rebasing: output[..<count]), connection) else { return }
        if exchange.connections[descriptor].pointee.interest != .readable { exchange.watch(descriptor, .readable) }
    }

    /// False where the socket has no room; the rest is kept.
    private func write(_ bytes: UnsafeRawBufferPointer, _ connection: HTTP2Connection) -> Bool {
        let tls = exchange.connections[connection.descriptor].pointee.tls
        var rest = bytes
        while !rest.isEmpty {
            switch SocketIO.write(rest, to: connection.descriptor, tls) {
            case .done(let count): rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            case .wantsWrite, .wantsRead:
                connection.unwritten = Array(rest)
                exchange.watch(connection.descriptor, [.readable, .writable])
                return false
            case .closed, .reset, .failed:
                // The server may have answered before it closed.
                connection.session?.close()
                exchange.watch(connection.descriptor, .readable)
                return false
            }
        }
        return true
    }

    // MARK: Answers

    /// `stamp` is the kernel's; nil where no bytes were read.
    private func takeTouched(of session: HTTP2Session, _ connection: HTTP2Connection, stamp: Int64? = nil) {
        let now = MonotonicClock.now()
        while let stream = session.nextTouched() {
            guard let carried = connection.streams.first(where: { $0.stream === stream }) else { continue }
            if let stamp, let transfer = carried.transfer {
                carried.receivedAt = exchange.loop.instant(ofStamp: stamp, from: transfer.history.sentAt, to: now)
            }
            if carried.firstByteAt == .zero, stream.hasBegun, let transfer = carried.transfer {
                carried.firstByteAt = carried.receivedAt == .zero ? now : carried.receivedAt
                carried.deadline = wholeDeadline(transfer)
            }
            take(carried, connection, at: now)
        }
    }

    private func take(_ carried: CarriedStream, _ connection: HTTP2Connection, at now: Instant) {
        var progress = carried.read()
        guard let end = carried.stream.end else {
            if case .failed(let failure) = progress {
                connection.session?.cancel(carried.stream)
                finish(carried, connection, failure, at: now)
            }
            return
        }
        switch end {
        case .complete:
            if progress == .incomplete { progress = carried.reader.ended() }
            finish(carried, connection, progress.failureAtEnd, at: now)
        case .refused: sendAgain(carried, connection, isCounted: true, otherwise: .reset, at: now)
        case .wantsHTTP1:
            connection.route.takesHTTP1 = true
            connection.session?.close()
            sendAgain(carried, connection, isCounted: true, otherwise: .protocolError, at: now)
        case .reset(let code): finish(carried, connection, TransportFailure(streamError: code), at: now)
        case .connectionLost:
            if connection.isReused, !carried.stream.hasBegun {
                sendAgain(carried, connection, isCounted: false, otherwise: .reset, at: now)
            } else {
                finish(carried, connection, .reset, at: now)
            }
        }
    }

    /// The server has not processed the request (RFC 9113 section 8.7).
    private func sendAgain(
        _ carried: CarriedStream,
        _ connection: HTTP2Connection,
        isCounted: Bool,
        otherwise failure: TransportFailure,
        at now: Instant
    ) {
        guard var transfer = carried.transfer, !transfer.request.owner.isClosed,
            !isCounted || transfer.history.refusals < Self.maximumRefusals
        else { return finish(carried, connection, failure, at: now) }
        if isCounted { transfer.history.refusals += 1 }
        drop(carried, of: connection)
        exchange.carry(transfer, to: connection.route)
    }

    private func finish(
        _ carried: CarriedStream,
        _ connection: HTTP2Connection,
        _ failure: TransportFailure?,
        at now: Instant
    ) {
        guard let place = connection.streams.firstIndex(where: { $0 === carried }) else { return }
        connection.streams.remove(at: place)
        if failure == nil { connection.isReused = true }
        exchange.finish(carried, failure, at: now, on: connection.descriptor)
        putAway(carried)
    }

    private func putAway(_ carried: CarriedStream) {
        let isWarm = warm.count < Self.maximumWarm
        carried.reset(keepsMemory: isWarm)
        if isWarm {
            warm.append(carried)
        } else if cold.count < Self.maximumIdle {
            cold.append(carried)
        }
    }

    private func drop(_ carried: CarriedStream, of connection: HTTP2Connection) {
        connection.streams.removeAll { $0 === carried }
        putAway(carried)
    }

    // MARK: The end

    private func lost(_ connection: HTTP2Connection) {
        guard let session = connection.session else { return }
        session.lose()
        takeTouched(of: session, connection)
        let waiting = connection.takeWaiting()
        if connection.descriptor >= 0 { exchange.closeConnection(connection.descriptor) }
        for transfer in waiting { exchange.carry(transfer, to: connection.route) }
    }

    private func closeIfOver(_ connection: HTTP2Connection) {
        guard connection.descriptor >= 0, let session = connection.session else { return }
        if session.isOver, session.violation != 0 { endAll(of: connection, .protocolError) }
        guard connection.descriptor >= 0 else { return }
        if session.isOver {
            lost(connection)
        } else if session.isClosing, connection.streams.isEmpty, connection.unwritten.isEmpty {
            exchange.closeConnection(connection.descriptor)
        }
    }

    private func endAll(of connection: HTTP2Connection, _ failure: TransportFailure) {
        let now = MonotonicClock.now()
        for carried in connection.streams {
            // A stream put away may carry another request before this session is lost.
            connection.session?.cancel(carried.stream)
            finish(carried, connection, failure, at: now)
        }
    }

    func abandon(_ connection: HTTP2Connection) -> [CarriedTransfer] {
        let transfers = connection.streams.compactMap(\.transfer) + connection.takeWaiting()
        for carried in connection.streams { drop(carried, of: connection) }
        return transfers
    }

    // MARK: Time

    func expire(_ connection: HTTP2Connection, at now: Instant) {
        // An answer that lies in the socket came in time.
        read(connection)
        for carried in connection.streams where carried.deadline <= now {
            guard let transfer = carried.transfer, connection.streams.contains(where: { $0 === carried }) else {
                continue
            }
            let isWhole = wholeDeadline(transfer) <= now
            connection.session?.cancel(carried.stream)
            let isSilent = carried.firstByteAt == .zero && !isWhole
            finish(carried, connection, isSilent ? .firstByteTimeout : .totalTimeout, at: now)
        }
        for transfer in connection.waiting where wholeDeadline(transfer) <= now {
            exchange.end(transfer, .totalTimeout)
        }
        connection.waiting.removeAll { wholeDeadline($0) <= now }
        guard connection.descriptor >= 0 else { return }
        sendWaiting(connection)
        settle(connection)
    }

    private func wholeDeadline(_ transfer: CarriedTransfer) -> Instant {
        transfer.history.startedAt.later(by: transfer.request.limits.totalTimeout(otherwise: exchange.totalTimeout))
    }

    private func settleDeadline(_ connection: HTTP2Connection) {
        guard connection.descriptor >= 0, connection.session != nil else { return }
        var earliest = Instant.distantFuture
        for carried in connection.streams { earliest = min(earliest, carried.deadline) }
        for transfer in connection.waiting { earliest = min(earliest, wholeDeadline(transfer)) }
        exchange.deadlines.set(connection.descriptor, earliest)
        if earliest != .distantFuture { exchange.armSweep() }
    }
}

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
        let progress = reader.read(answer)
        // The reader refers to the bytes of a whole answer, and to the head of one that failed.
        if progress == .incomplete { stream.clearAnswer() } else { takenCount = answer.count }
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
