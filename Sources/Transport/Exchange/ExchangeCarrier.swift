import DequeModule
import Glibc
import Rules
import Values

/// Connections of one owner each, confined to a loop.
///
/// A request to an idle connection is written within `start`; an end without the network's part is reported at the end of the
/// turn. An answer in one piece is handed on from the buffer it was read into.
final class ExchangeCarrier: TransferCarrier, ReadinessHandler {
    /// Continues transfers whose redirect only libcurl can carry.
    let curl: CurlCarrier
    let tls: TLSContext

    let connections: ConnectionTable
    /// Valid until the next read.
    let buffer: UnsafeMutableRawBufferPointer

    let life: ConnectionLife?

    /// nil where HTTP/2 is not configured.
    @exclusivity(unchecked) private(set) var http2: HTTP2Carrier?

    /// Connections being opened.
    var inTheMaking = 0
    var line: Deque<Opening> = []
    var unresolved: [Opening] = []
    @exclusivity(unchecked) private(set) var inFlight = 0
    /// The reported exchange's; nil once it is closed.
    @exclusivity(unchecked) private var reportedConnection: ConnectionPointer?

    /// Larger than any playlist: one read is one answer.
    private static let bufferCapacity = 256 << 10

    init(beside curl: CurlCarrier, _ tls: TLSContext) {
        (self.curl, self.tls) = (curl, tls)
        let configuration = curl.configuration
        connections = ConnectionTable(reader: curl.freshReader)
        life = configuration.connectionLife
        buffer = .allocate(byteCount: Self.bufferCapacity, alignment: 64)
        super.init(.exchange, loop: curl.loop, configuration: configuration, origins: curl.origins, beside: curl)
        if configuration.httpVersion != .http1 { http2 = HTTP2Carrier(self) }
        // Until `tearDown`: a weak reference would make every retain of the carrier a slow one.
        curl.names.whenAnswered.append { [unowned(unsafe) self] in resolved($0) }
    }

    deinit { buffer.deallocate() }

    var wantsTurn: Bool { !ended.isEmpty }

    /// nil when libcurl has to carry the request.
    @inline(__always)
    func route(for request: PreparedRequest) -> Route? {
        guard !request.needsCurl, let route = origins.route(of: request), route.proxy == nil else { return nil }
        return route
    }

    func start(_ request: TransferRequest, to route: Route) {
        var transfer = CarriedTransfer(request: request)
        transfer.history.startedAt = MonotonicClock.now()
        inFlight += 1
        if let least = request.limits.least { deadlines.notice(timeout: least) }
        guard !request.owner.isClosed else { return end(transfer, .abandoned) }
        carry(consume transfer, to: route)
    }

    func carry(_ transfer: consuming CarriedTransfer, to route: Route) {
        if let http2, !route.takesHTTP1 { return http2.carry(transfer, to: route) }
        let owner = transfer.request.owner
        if let idle = owner.connection(to: route, where: { $0.pointee.phase == .idle }) {
            send(transfer, on: idle)
            return
        }
        // An opening ahead of need goes to the first request.
        if let opening = owner.connection(to: route, where: { $0.pointee.awaitsRequest })?.pointee.opening {
            give(transfer, to: opening)
            return
        }
        open(route, for: owner, transfer)
    }

    func warm(_ owner: ConnectionOwner, to route: Route) {
        let isWarm =
            if let http2, !route.takesHTTP1 {
                http2.connection(of: owner, to: route) != nil || openingHTTP2(of: owner, to: route) != nil
            } else {
                owner.connection(to: route, where: { $0.pointee.awaitsRequest }) != nil
            }
        if !isWarm { open(route, for: owner) }
    }

    func close(_ owner: ConnectionOwner) {
        // First, because each closed connection lets the next opening in line begin.
        drop(.abandoned) { $0.owner === owner }
        while let connection = owner.firstConnection { abandon(connection, .abandoned) }
        owner.sessions.removeAll()
    }

    func stopAll(_ failure: TransportFailure) {
        drop(failure) { _ in true }
        // One attempt's end closes its rival too.
        for connection in connections.open where ![.none, .idle].contains(connection.pointee.phase) {
            abandon(connection, failure)
        }
    }

    func turnEnded() {
        inFlight -= ended.count
        reportedConnection = nil
        tellEnded()
    }

    /// The handler may have closed the reported exchange's connection meanwhile.
    override func noteConnection(_ note: UInt16) {
        guard let connection = reportedConnection, connection.pointee.phase != .none else { return }
        connection.pointee.answeredOn.note = note
    }

    /// No transfer may be in flight.
    func tearDown() {
        loop.cancel(sweepTimer)
        curl.names.whenAnswered.removeAll()
        for connection in connections.open where connection.pointee.phase != .none { closeConnection(connection) }
    }

    override func sweep(at now: Instant) {
        for descriptor in deadlines.takeExpired(at: now) where !deadlines.isSet(descriptor) {
            // The descriptor may have been closed and opened anew meanwhile.
            expire(connections[descriptor], at: now)
        }
        dropOverdue(at: now)
        if inFlight > 0 || inTheMaking > 0 { armSweep() }
    }

    override func postponeDeadlines(by delay: Int64) {
        super.postponeDeadlines(by: delay)
        for connection in connections.open {
            switch connection.pointee.phase {
            case .connecting, .handshaking:
                connection.pointee.openedAt = connection.pointee.openedAt.later(by: delay)
                guard let opening = connection.pointee.opening, opening.attempts.last == connection else { continue }
                opening.since = opening.since.later(by: delay)
                opening.connectingSince = opening.connectingSince.later(by: delay)
            case .http2:
                for stream in connection.pointee.http2?.streams ?? [] {
                    stream.deadline = stream.deadline.later(by: delay)
                }
            case .none, .idle, .sending, .awaiting: break
            }
        }
    }

    /// The connection stands, for the requests that wait for it.
    func begin(_ connection: ConnectionPointer, after opening: Opening) {
        if opening.offersHTTP2 {
            guard connection.pointee.tls?.choseHTTP2 == false else {
                connection.pointee.phase = .http2
                http2?.begin(connection, after: opening)
                return
            }
            opening.route.takesHTTP1 = true
        }
        connection.pointee.phase = .idle
        if let transfer = opening.waiting.popFirst() {
            send(transfer, on: connection)
        } else {
            // The server may close an unused connection while it waits, too.
            connection.pointee.isReused = true
            deadlines.set(connection.pointee.descriptor, .distantFuture)
            watch(connection, .readable)
        }
        for other in opening.waiting { carry(other, to: opening.route) }
    }

    func send(_ transfer: consuming CarriedTransfer, on connection: ConnectionPointer) {
        let now = MonotonicClock.now()
        transfer.history.sent(at: now)
        let limits = transfer.request.limits
        connection.pointee.reader.keepsBody = transfer.request.keepBody
        connection.pointee.transfer = consume transfer
        connection.pointee.firstByteAt = .zero
        connection.pointee.receivedAt = .zero
        connection.pointee.written = 0
        connection.pointee.phase = .sending
        connection.pointee.reader.limitBody(to: limits.bodyBytes(atMost: configuration.maximumBodyBytes))
        setDeadline(connection, now.later(by: limits.firstByte.nanoseconds(otherwise: firstByteTimeout)))
        write(connection)
    }

    func write(_ connection: ConnectionPointer) {
        guard let hop = connection.pointee.transfer?.hop else { return }
        let bytes = hop.wireBytes(configuration)
        while Int(connection.pointee.written) < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[Int(connection.pointee.written)...])
            switch connection.pointee.write(rest) {
            case .done(let count): connection.pointee.written += Int32(clamping: count)
            case .wantsWrite: return watch(connection, [.readable, .writable])
            case .wantsRead: return watch(connection, .readable)
            case .closed, .reset, .failed: return broken(connection, .reset)
            }
        }
        connection.pointee.phase = .awaiting
        if connection.pointee.interest != .readable { watch(connection, .readable) }
    }

    func read(_ connection: ConnectionPointer) {
        connection.pointee.tls?.beginTurn()
        var stamp: Int64 = 0
        repeat {
            switch connection.pointee.read(into: buffer, stamp: &stamp) {
            case .done(let count):
                guard connection.pointee.transfer != nil else { return closeConnection(connection) }
                let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
                guard take(bytes, stamp: stamp, on: connection) else { return }
            case .wantsRead:
                if connection.pointee.phase != .sending { watch(connection, .readable) }
                return
            case .wantsWrite: return watch(connection, [.readable, .writable])
            case .closed: return closedByPeer(connection)
            case .reset: return broken(connection, .reset)
            case .failed(let failure): return broken(connection, failure)
            }
            // epoll does not see what waits in the TLS layer.
        } while connection.pointee.tls?.hasPending == true
    }

    /// False at the answer's end.
    private func take(_ bytes: UnsafeRawBufferPointer, stamp: Int64, on connection: ConnectionPointer) -> Bool {
        let now = MonotonicClock.now()
        let sentAt = connection.pointee.transfer?.history.sentAt ?? now
        let receivedAt = loop.instant(ofStamp: stamp, from: sentAt, to: now)
        connection.pointee.receivedAt = receivedAt
        let isFirst = connection.pointee.firstByteAt == .zero
        // The stamp is the last byte's: the first came then or before.
        if isFirst { connection.pointee.firstByteAt = receivedAt == .zero ? now : receivedAt }
        switch connection.pointee.reader.read(bytes) {
        case .incomplete:
            if isFirst { setDeadline(connection, .distantFuture) }
            return true
        case .complete:
            finish(connection, nil, at: now)
        case .failed(let failure):
            finish(connection, failure, at: now)
        }
        return false
    }

    private func closedByPeer(_ connection: ConnectionPointer) {
        guard connection.pointee.transfer != nil, connection.pointee.firstByteAt != .zero else {
            return broken(connection, .reset)
        }
        let now = MonotonicClock.now()
        let progress = connection.pointee.reader.ended(isAnnounced: connection.pointee.tls?.isClosedByPeer ?? true)
        finish(connection, progress.failureAtEnd, at: now)
    }

    /// A request without a byte of an answer is repeated, if its connection was used before (RFC 9112 section 9.3.1).
    private func broken(_ connection: ConnectionPointer, _ failure: TransportFailure) {
        guard let transfer = connection.pointee.transfer else { return closeConnection(connection) }
        guard connection.pointee.firstByteAt == .zero else {
            finish(connection, failure, at: MonotonicClock.now())
            return
        }
        let isRace = connection.pointee.isReused
        let route = connection.pointee.route
        let answeredOn = connection.pointee.answeredOn
        closeConnection(connection)
        guard isRace, let route, !transfer.request.owner.isClosed else {
            end(transfer, failure, on: answeredOn)
            return
        }
        open(route, for: transfer.request.owner, transfer)
    }

    func descriptorReady(_ descriptor: Int32, _ readiness: Readiness) {
        let connection = connections[descriptor]
        switch connection.pointee.phase {
        case .none: break
        case .connecting: connectEnded(connection)
        case .handshaking: handshake(connection)
        case .sending:
            if readiness.contains(.readable) || readiness.contains(.failed) { read(connection) }
            if connection.pointee.phase == .sending { write(connection) }
        case .idle, .awaiting: read(connection)
        case .http2: if let standing = connection.pointee.http2 { http2?.ready(standing, readiness) }
        }
    }

    func watch(_ connection: ConnectionPointer, _ interest: Readiness) {
        guard connection.pointee.interest != interest else { return }
        do {
            try loop.watch(connection.pointee.descriptor, for: interest, self)
            connection.pointee.interest = interest
        } catch {
            abandon(connection, .localResources)
        }
    }

    func setDeadline(_ connection: ConnectionPointer, _ phaseEnd: Instant) {
        let limits = connection.pointee.transfer?.request.limits ?? .configured
        let startedAt = connection.pointee.transfer?.history.startedAt
        let whole = startedAt?.later(by: limits.total.nanoseconds(otherwise: totalTimeout)) ?? .distantFuture
        deadlines.set(connection.pointee.descriptor, min(phaseEnd, whole))
        if sweepTimer == .none { armSweep() }
    }

    private func expire(_ connection: ConnectionPointer, at now: Instant) {
        switch connection.pointee.phase {
        case .none, .idle: break
        case .http2: if let standing = connection.pointee.http2 { http2?.expire(standing, at: now) }
        case .connecting, .handshaking: expireOpening(connection, at: now)
        case .sending, .awaiting:
            // An answer that lies in the socket came in time.
            read(connection)
            guard !deadlines.isSet(connection.pointee.descriptor), let transfer = connection.pointee.transfer else {
                return
            }
            let isWhole = wholeDeadline(of: transfer) <= now
            let isSilent = connection.pointee.firstByteAt == .zero && !isWhole
            finish(connection, isSilent ? .firstByteTimeout : .totalTimeout, at: now)
        }
    }

    func abandon(_ connection: ConnectionPointer, _ failure: TransportFailure) {
        if let opening = connection.pointee.opening { return abandon(opening, failure) }
        let transfer = connection.pointee.transfer
        let others = connection.pointee.http2.flatMap { http2?.abandon($0) } ?? []
        let tried = connection.pointee.answeredOn
        closeConnection(connection)
        if let transfer { end(transfer, failure, on: tried) }
        for other in others { end(other, failure, on: tried) }
    }

    func finish(_ connection: ConnectionPointer, _ failure: TransportFailure?, at now: Instant) {
        guard connection.pointee.transfer != nil else { return closeConnection(connection) }
        swap(&connection.pointee.reader, &reportedAnswer)
        swap(&connection.pointee.transfer, &reportedTransfer)
        let times = times(connection.pointee.firstByteAt, connection.pointee.receivedAt, now, connection)
        let answeredOn = connection.pointee.answeredOn
        // An answer before the request is written in full ends the connection.
        if reportedAnswer.keepsConnection, connection.pointee.phase == .awaiting,
            connection.pointee.tls?.hasMore != true, life == nil || isKept(connection, at: now)
        {
            connection.pointee.phase = .idle
            connection.pointee.isReused = true
            deadlines.set(connection.pointee.descriptor, .distantFuture)
            reportedConnection = connection
        } else {
            closeConnection(connection)
            reportedConnection = nil
        }
        conclude(failure, times, on: answeredOn)
    }

    /// Whether the connection's life goes on after one more answer, or request over HTTP/2.
    func isKept(_ connection: UnsafeMutablePointer<Connection>, at now: Instant) -> Bool {
        guard let life else { return true }
        if connection.pointee.answers < .max { connection.pointee.answers += 1 }
        return !life.isOver(since: connection.pointee.since, connection.pointee.answers, at: now)
    }

    func finish(
        _ carried: CarriedStream,
        _ failure: TransportFailure?,
        at now: Instant,
        on connection: ConnectionPointer?
    ) {
        swap(&carried.reader, &reportedAnswer)
        swap(&carried.transfer, &reportedTransfer)
        reportedConnection = connection
        let times = times(carried.firstByteAt, carried.receivedAt, now, connection)
        conclude(failure, times, on: connection?.pointee.answeredOn ?? .nothing)
    }

    @inline(__always)
    private func times(
        _ first: Instant,
        _ received: Instant,
        _ now: Instant,
        _ connection: ConnectionPointer?
    ) -> AnswerTimes {
        let bytes = reportedAnswer.wireBodyBytes
        var outgrew = false
        if bytes > Self.leastBuffer, let connection {
            outgrew = bytes > ConnectingSocket.receiveBuffer(of: connection.pointee.descriptor)
        }
        return AnswerTimes(firstByteAt: first, receivedAt: received, doneAt: now, outgrewBuffer: outgrew)
    }

    /// Bytes; no socket's buffer is smaller with the system's defaults.
    private static let leastBuffer = 32 << 10

    private func conclude(_ failure: TransportFailure?, _ times: AnswerTimes, on answeredOn: AnsweredOn) {
        var failure = failure
        if failure == nil, RedirectStatus(reportedAnswer.status) != nil {
            do {
                if let next = try redirection(times, on: answeredOn) {
                    if isHeld(next) { inFlight -= 1 } else { follow(next) }
                    return clearReported()
                }
            } catch {
                failure = error
            }
        }
        inFlight -= 1
        report(failure, times, on: answeredOn)
    }

    private func follow(_ next: CarriedTransfer) {
        if let route = route(for: next.hop) {
            carry(next, to: route)
        } else {
            inFlight -= 1
            curl.start(next)
        }
    }

    func resume(_ held: CarriedTransfer) {
        inFlight += 1
        held.request.owner.isClosed ? end(held, .abandoned) : follow(held)
    }

    func closeConnection(_ connection: ConnectionPointer) {
        if let opening = connection.pointee.opening {
            inTheMaking -= 1
            opening.attempts.removeAll { $0 == connection }
        }
        connection.pointee.http2?.socket = nil
        connection.pointee.endTLS()
        let descriptor = connection.pointee.descriptor
        loop.unwatch(descriptor)
        deadlines.set(descriptor, .distantFuture)
        connection.pointee.reader.reset()
        connections.remove(connection)
        Glibc.close(descriptor)
        openWaiting()
    }
}
