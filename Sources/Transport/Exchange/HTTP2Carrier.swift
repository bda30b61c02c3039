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
        (self.exchange, self.engine) = (exchange, engine)
        output = .allocate(byteCount: Self.outputCapacity, alignment: 64)
    }

    deinit { output.deallocate() }

    func carry(_ transfer: CarriedTransfer, to route: Route) {
        let owner = transfer.request.owner
        if let connection = connection(of: owner, to: route) {
            guard connection.waiting.isEmpty, connection.session.hasRoom else {
                connection.waiting.append(transfer)
                settleDeadline(connection)
                return
            }
            send(transfer, on: connection)
        } else if let opening = exchange.openingHTTP2(of: owner, to: route) {
            exchange.give(transfer, to: opening)
        } else {
            exchange.open(route, for: owner, transfer)
        }
    }

    /// nil where none takes requests.
    func connection(of owner: ConnectionOwner, to route: Route) -> HTTP2Connection? {
        owner.connection(to: route, where: { $0.pointee.http2?.session.isClosing == false })?.pointee.http2
    }

    func begin(_ socket: ConnectionPointer, after opening: Opening) {
        guard let session = HTTP2Session(engine) else {
            let connection = socket.pointee.answeredOn
            exchange.closeConnection(socket)
            for transfer in opening.waiting { exchange.end(transfer, .localResources, on: connection) }
            return
        }
        let connection = HTTP2Connection(session, over: socket, after: opening)
        socket.pointee.http2 = connection
        sendWaiting(connection)
        flush(connection)
        guard connection.socket != nil else { return }
        settleDeadline(connection)
        if connection.unwritten.isEmpty { exchange.watch(socket, .readable) }
    }

    private func sendWaiting(_ connection: HTTP2Connection) {
        while let socket = connection.socket, connection.session.hasRoom, var next = connection.waiting.popFirst() {
            // The wait for the handshake, or for room, is the server's; the first request counts it as handshake.
            if next.history.newConnections == 0 {
                let waited = MonotonicClock.now() &- max(next.history.startedAt, socket.pointee.since)
                next.history.awaitedMicroseconds = Int32(clamping: max(0, waited) / 1_000)
            }
            send(next, on: connection)
        }
        guard connection.session.isClosing else { return }
        for transfer in connection.takeWaiting() { exchange.carry(transfer, to: connection.route) }
    }

    private func send(_ transfer: consuming CarriedTransfer, on connection: HTTP2Connection) {
        let carried = warm.popLast() ?? cold.popLast() ?? CarriedStream(reader: exchange.freshReader)
        let now = MonotonicClock.now()
        let limits = transfer.request.limits
        let hop = transfer.hop
        guard connection.session.send(hop.fields(exchange.configuration), body: hop.body, on: carried.stream) else {
            // nghttp2 has no stream numbers left.
            putAway(carried)
            connection.session.close()
            exchange.carry(transfer, to: connection.route)
            return
        }
        transfer.history.sent(at: now)
        carried.reader.keepsBody = transfer.request.keepBody
        carried.reader.limitBody(to: limits.bodyBytes(atMost: exchange.configuration.maximumBodyBytes))
        let patience = limits.firstByte.nanoseconds(otherwise: exchange.firstByteTimeout)
        carried.deadline = min(now.later(by: patience), exchange.wholeDeadline(of: transfer))
        carried.transfer = consume transfer
        connection.streams.append(carried)
        flush(connection)
        settleDeadline(connection)
        guard exchange.life != nil, let socket = connection.socket, !exchange.isKept(socket, at: now) else { return }
        connection.session.close()
    }

    func ready(_ connection: HTTP2Connection, _ readiness: Readiness) {
        if readiness.contains(.readable) || readiness.contains(.failed) { read(connection) }
        guard connection.socket != nil, readiness.contains(.writable) else { return }
        settle(connection)
    }

    /// Writes may end streams, which may cause more writes.
    private func settle(_ connection: HTTP2Connection) {
        repeat {
            flush(connection)
            guard connection.socket != nil else { return }
            takeTouched(connection)
            guard connection.socket != nil else { return }
            sendWaiting(connection)
        } while connection.socket != nil && connection.session.hasTouched
        closeIfOver(connection)
        settleDeadline(connection)
    }

    private func read(_ connection: HTTP2Connection) {
        guard let socket = connection.socket else { return }
        socket.pointee.tls?.beginTurn()
        var stamp: Int64 = 0
        reading: repeat {
            switch socket.pointee.read(into: exchange.buffer, stamp: &stamp) {
            case .done(let count):
                connection.session.receive(
                    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(exchange.buffer)[..<count])
                )
                takeTouched(connection, stamp: stamp)
            // Half a record counts as pending, and epoll reports its rest.
            case .wantsRead: break reading
            case .wantsWrite:
                exchange.watch(socket, [.readable, .writable])
                break reading
            case .failed(let failure) where failure != .reset:
                endAll(of: connection, failure)
                lost(connection)
                return
            case .closed, .reset, .failed: return lost(connection)
            }
        } while connection.socket != nil && socket.pointee.tls?.hasPending == true
        guard connection.socket != nil else { return }
        settle(connection)
    }

    private func flush(_ connection: HTTP2Connection) {
        guard let socket = connection.socket else { return }
        if !connection.unwritten.isEmpty {
            let rest = connection.unwritten
            connection.unwritten = []
            guard rest.withUnsafeBytes({ write($0, connection, socket) }) else { return }
        }
        var count = 0
        while let bytes = connection.session.output() {
            UnsafeMutableRawBufferPointer(rebasing: output[count...]).copyMemory(from: bytes)
            count += bytes.count
            guard count + Self.frameCapacity > Self.outputCapacity else { continue }
            guard write(UnsafeRawBufferPointer(rebasing: output[..<count]), connection, socket) else { return }
            count = 0
        }
        guard count == 0 || write(UnsafeRawBufferPointer(rebasing: output[..<count]), connection, socket) else {
            return
        }
        exchange.watch(socket, .readable)
    }

    /// False where the socket has no room; the rest is kept.
    private func write(
        _ bytes: UnsafeRawBufferPointer,
        _ connection: HTTP2Connection,
        _ socket: ConnectionPointer
    ) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            switch socket.pointee.write(rest) {
            case .done(let count): rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            case .wantsWrite, .wantsRead:
                connection.unwritten = Array(rest)
                exchange.watch(socket, [.readable, .writable])
                return false
            case .closed, .reset, .failed:
                // The server may have answered before it closed.
                connection.session.close()
                exchange.watch(socket, .readable)
                return false
            }
        }
        return true
    }

    /// `stamp` is the kernel's; nil where no bytes were read.
    private func takeTouched(_ connection: HTTP2Connection, stamp: Int64? = nil) {
        let now = MonotonicClock.now()
        while let stream = connection.session.nextTouched() {
            // One put away may carry another connection's request.
            guard let carried = connection.streams.first(where: { $0.stream === stream }) else { continue }
            if let stamp, let transfer = carried.transfer {
                carried.receivedAt = exchange.loop.instant(ofStamp: stamp, from: transfer.history.sentAt, to: now)
            }
            if carried.firstByteAt == .zero, stream.hasBegun, let transfer = carried.transfer {
                carried.firstByteAt = carried.receivedAt == .zero ? now : carried.receivedAt
                carried.deadline = exchange.wholeDeadline(of: transfer)
            }
            take(carried, connection, at: now)
        }
    }

    private func take(_ carried: CarriedStream, _ connection: HTTP2Connection, at now: Instant) {
        var progress = carried.read()
        guard let end = carried.stream.end else {
            if case .failed(let failure) = progress {
                connection.session.cancel(carried.stream)
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
            connection.session.close()
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
        exchange.finish(carried, failure, at: now, on: connection.socket)
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

    private func lost(_ connection: HTTP2Connection) {
        guard connection.socket != nil else { return }
        connection.session.lose()
        takeTouched(connection)
        let waiting = connection.takeWaiting()
        if let socket = connection.socket { exchange.closeConnection(socket) }
        for transfer in waiting { exchange.carry(transfer, to: connection.route) }
    }

    private func closeIfOver(_ connection: HTTP2Connection) {
        let session = connection.session
        if connection.socket != nil, session.isOver, session.violation != 0 { endAll(of: connection, .protocolError) }
        guard let socket = connection.socket else { return }
        if session.isOver {
            lost(connection)
        } else if session.isClosing, connection.streams.isEmpty, connection.unwritten.isEmpty {
            exchange.closeConnection(socket)
        }
    }

    private func endAll(of connection: HTTP2Connection, _ failure: TransportFailure) {
        let now = MonotonicClock.now()
        for carried in connection.streams {
            // A stream put away may carry another request before this session is lost.
            connection.session.cancel(carried.stream)
            finish(carried, connection, failure, at: now)
        }
    }

    func abandon(_ connection: HTTP2Connection) -> [CarriedTransfer] {
        let transfers = connection.streams.compactMap(\.transfer) + connection.takeWaiting()
        for carried in connection.streams { drop(carried, of: connection) }
        return transfers
    }

    func expire(_ connection: HTTP2Connection, at now: Instant) {
        // An answer that lies in the socket came in time.
        read(connection)
        for carried in connection.streams where carried.deadline <= now {
            guard let transfer = carried.transfer, connection.streams.contains(where: { $0 === carried }) else {
                continue
            }
            let isWhole = exchange.wholeDeadline(of: transfer) <= now
            connection.session.cancel(carried.stream)
            let isSilent = carried.firstByteAt == .zero && !isWhole
            finish(carried, connection, isSilent ? .firstByteTimeout : .totalTimeout, at: now)
        }
        for transfer in connection.waiting.take(where: { exchange.wholeDeadline(of: $0) <= now }) {
            exchange.end(transfer, .totalTimeout)
        }
        guard connection.socket != nil else { return }
        sendWaiting(connection)
        settle(connection)
    }

    private func settleDeadline(_ connection: HTTP2Connection) {
        guard let socket = connection.socket else { return }
        var earliest = Instant.distantFuture
        for carried in connection.streams { earliest = min(earliest, carried.deadline) }
        for transfer in connection.waiting { earliest = min(earliest, exchange.wholeDeadline(of: transfer)) }
        exchange.deadlines.set(socket.pointee.descriptor, earliest)
        if earliest != .distantFuture { exchange.armSweep() }
    }
}

final class HTTP2Connection {
    let session: HTTP2Session
    let route: Route
    /// nil once it is closed.
    @exclusivity(unchecked) var socket: ConnectionPointer?
    /// As in `Connection`; the server may close an unused connection, too.
    @exclusivity(unchecked) var isReused: Bool
    @exclusivity(unchecked) var waiting: Deque<CarriedTransfer>
    @exclusivity(unchecked) var streams: ContiguousArray<CarriedStream> = []
    @exclusivity(unchecked) var unwritten: [UInt8] = []

    init(_ session: HTTP2Session, over socket: ConnectionPointer, after opening: Opening) {
        (self.session, self.socket, route) = (session, socket, opening.route)
        (waiting, isReused) = (opening.waiting, opening.waiting.isEmpty)
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
