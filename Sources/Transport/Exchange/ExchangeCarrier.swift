import DequeModule
import Glibc
import Rules
import Values

/// Connections of one owner each, confined to a loop.
///
/// A request to an idle connection is written within `start`; an end without the network's part is reported at the end of the
/// turn. An answer in one piece is handed on from the buffer it was read into.
final class ExchangeCarrier: TransferCarrier {
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
    private var isTornDown = false
    /// Held weakly in place of the carrier, whose every retain would be a slow one.
    private final class Lifetime {}
    private let lifetime = Lifetime()
    @exclusivity(unchecked) var carriedCount = 0

    /// Larger than any playlist: one read is one answer.
    private static let bufferCapacity = 256 << 10

    init(beside curl: CurlCarrier, _ tls: TLSContext) {
        self.curl = curl
        self.tls = tls
        let configuration = curl.configuration
        let reader = AnswerReader(configuration)
        connections = ConnectionTable(reader: reader)
        life = configuration.connectionLife
        buffer = .allocate(byteCount: Self.bufferCapacity, alignment: 64)
        super.init(
            .exchange,
            loop: curl.loop,
            configuration: configuration,
            sourceAddresses: curl.sourceAddresses,
            origins: curl.origins,
            remotes: curl.remotes,
            reader: reader
        )
        if configuration.httpVersion != .http1 { http2 = HTTP2Carrier(self) }
        curl.names.whenAnswered.append { [weak lifetime, unowned(unsafe) self] in
            if lifetime != nil, !isTornDown { resolved($0) }
        }
    }

    deinit { buffer.deallocate() }

    var inFlight: Int { carriedCount }
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
        carriedCount += 1
        if let least = request.limits.least { deadlines.notice(timeout: least) }
        guard !request.owner.isClosed else { return end(transfer, .abandoned) }
        carry(consume transfer, to: route)
    }

    func carry(_ transfer: consuming CarriedTransfer, to route: Route) {
        if let http2, !route.takesHTTP1 { return http2.carry(transfer, to: route) }
        let owner = transfer.request.owner
        if let descriptor = connections.first(of: owner, to: route, where: { $0.pointee.phase == .idle }) {
            send(transfer, on: descriptor)
            return
        }
        // An opening ahead of need goes to the first request.
        let awaiting = connections.first(of: owner, to: route, where: { $0.pointee.awaitsRequest })
        if let awaiting, let opening = connections[awaiting].pointee.opening {
            give(transfer, to: opening)
            return
        }
        open(Opening(owner: owner, route: route, transfer: transfer))
    }

    func warm(_ owner: ConnectionOwner, to route: Route) {
        if let http2, !route.takesHTTP1 { return http2.warm(owner, to: route) }
        guard connections.first(of: owner, to: route, where: { $0.pointee.awaitsRequest }) == nil else { return }
        open(Opening(owner: owner, route: route, transfer: nil))
    }

    func close(_ owner: ConnectionOwner) {
        // First, because each closed connection lets the next opening in line begin.
        drop(.abandoned) { $0.owner === owner }
        while owner.firstConnection >= 0 { abandon(owner.firstConnection, .abandoned) }
        owner.sessions.removeAll()
    }

    func stopAll(_ failure: TransportFailure) {
        drop(failure) { _ in true }
        for descriptor in connections.open {
            switch connections[descriptor].pointee.phase {
            // One attempt's end closes its rival too.
            case .none, .idle: break
            case .connecting, .handshaking, .sending, .awaiting, .http2: abandon(descriptor, failure)
            }
        }
    }

    func turnEnded() {
        carriedCount -= ended.count
        tellEnded()
    }

    /// The handler may have closed the reported exchange's connection meanwhile.
    override func noteConnection(_ note: UInt16) {
        guard reportedDescriptor >= 0, connections[reportedDescriptor].pointee.phase != .none else { return }
        connections[reportedDescriptor].pointee.note = note
    }

    /// No transfer may be in flight.
    func tearDown() {
        loop.cancel(sweepTimer)
        isTornDown = true
        for descriptor in connections.open where connections[descriptor].pointee.phase != .none {
            closeConnection(descriptor)
        }
    }

    func begin(on descriptor: Int32) {
        let connection = connections[descriptor]
        var others: Deque<CarriedTransfer> = []
        if let wanted = connection.pointee.http2 {
            guard connection.pointee.tls?.choseHTTP2 == false else {
                connection.pointee.phase = .http2
                http2?.begin(wanted, on: descriptor, first: connection.pointee.transfer.take())
                return
            }
            wanted.route.takesHTTP1 = true
            wanted.closed()
            connection.pointee.http2 = nil
            others = wanted.takeWaiting()
        }
        if let transfer = connection.pointee.transfer {
            send(transfer, on: descriptor)
        } else {
            // The server may close an unused connection while it waits, too.
            connection.pointee.isReused = true
            deadlines.set(descriptor, .distantFuture)
            watch(descriptor, .readable)
        }
        if let route = connection.pointee.route { for other in others { carry(other, to: route) } }
    }

    func send(_ transfer: consuming CarriedTransfer, on descriptor: Int32) {
        let connection = connections[descriptor]
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
        setDeadline(descriptor, now.later(by: limits.firstByteTimeout(otherwise: firstByteTimeout)))
        write(descriptor)
    }

    func write(_ descriptor: Int32) {
        let connection = connections[descriptor]
        guard let hop = connection.pointee.transfer?.hop else { return }
        let bytes = hop.wireBytes(configuration)
        while Int(connection.pointee.written) < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[Int(connection.pointee.written)...])
            switch SocketIO.write(rest, to: descriptor, connection.pointee.tls) {
            case .done(let count): connection.pointee.written += Int32(clamping: count)
            case .wantsWrite: return watch(descriptor, [.readable, .writable])
            case .wantsRead: return watch(descriptor, .readable)
            case .closed, .reset, .failed: return broken(descriptor, .reset)
            }
        }
        connection.pointee.phase = .awaiting
        if connection.pointee.interest != .readable { watch(descriptor, .readable) }
    }

    func read(_ descriptor: Int32) {
        let connection = connections[descriptor]
        connection.pointee.tls?.beginTurn()
        var stamp: Int64 = 0
        repeat {
            switch SocketIO.read(from: descriptor, connection.pointee.tls, into: buffer, stamp: &stamp) {
            case .done(let count):
                guard connection.pointee.transfer != nil else { return closeConnection(descriptor) }
                let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
                guard take(bytes, stamp: stamp, on: descriptor) else { return }
            case .wantsRead:
                if connection.pointee.phase != .sending { watch(descriptor, .readable) }
                return
            case .wantsWrite: return watch(descriptor, [.readable, .writable])
            case .closed: return closedByPeer(descriptor)
            case .reset: return broken(descriptor, .reset)
            case .failed(let failure): return broken(descriptor, failure)
            }
            // epoll does not see what waits in the TLS layer.
        } while connection.pointee.tls?.hasPending == true
    }

    /// False at the answer's end.
    private func take(_ bytes: UnsafeRawBufferPointer, stamp: Int64, on descriptor: Int32) -> Bool {
        let connection = connections[descriptor]
        let now = MonotonicClock.now()
        let sentAt = connection.pointee.transfer?.history.sentAt ?? now
        let receivedAt = loop.instant(ofStamp: stamp, from: sentAt, to: now)
        connection.pointee.receivedAt = receivedAt
        let isFirst = connection.pointee.firstByteAt == .zero
        // The stamp is the last byte's: the first came then or before.
        if isFirst { connection.pointee.firstByteAt = receivedAt == .zero ? now : receivedAt }
        switch connection.pointee.reader.read(bytes) {
        case .incomplete:
            if isFirst { setDeadline(descriptor, .distantFuture) }
            return true
        case .complete:
            finish(descriptor, nil, at: now)
        case .failed(let failure):
            finish(descriptor, failure, at: now)
        }
        return false
    }

    private func closedByPeer(_ descriptor: Int32) {
        let connection = connections[descriptor]
        guard connection.pointee.transfer != nil, connection.pointee.firstByteAt != .zero else {
            return broken(descriptor, .reset)
        }
        let now = MonotonicClock.now()
        let progress = connection.pointee.reader.ended(isAnnounced: connection.pointee.tls?.isClosedByPeer ?? true)
        finish(descriptor, progress.failureAtEnd, at: now)
    }

    /// A request without a byte of an answer is repeated, if its connection was used before (RFC 9112 section 9.3.1).
    private func broken(_ descriptor: Int32, _ failure: TransportFailure) {
        let connection = connections[descriptor]
        guard let transfer = connection.pointee.transfer else { return closeConnection(descriptor) }
        guard connection.pointee.firstByteAt == .zero else {
            finish(descriptor, failure, at: MonotonicClock.now())
            return
        }
        let isRace = connection.pointee.isReused
        let route = connection.pointee.route
        let answeredOn = connection.pointee.answeredOn
        closeConnection(descriptor)
        guard isRace, let route, !transfer.request.owner.isClosed else {
            end(transfer, failure, on: answeredOn)
            return
        }
        open(Opening(owner: transfer.request.owner, route: route, transfer: transfer))
    }
}

extension ExchangeCarrier: ReadinessHandler {
    func descriptorReady(_ descriptor: Int32, _ readiness: Readiness) {
        switch connections[descriptor].pointee.phase {
        case .none: break
        case .connecting, .handshaking: goOn(descriptor)
        case .sending:
            if readiness.contains(.readable) || readiness.contains(.failed) { read(descriptor) }
            if connections[descriptor].pointee.phase == .sending { write(descriptor) }
        case .idle, .awaiting: read(descriptor)
        case .http2:
            if let connection = connections[descriptor].pointee.http2 { http2?.ready(connection, readiness) }
        }
    }

    func watch(_ descriptor: Int32, _ interest: Readiness) {
        let connection = connections[descriptor]
        guard connection.pointee.interest != interest else { return }
        do {
            if let registration = connection.pointee.registration {
                try loop.update(registration, interest: interest)
            } else {
                connection.pointee.registration = try loop.register(
                    descriptor: descriptor,
                    interest: interest,
                    handler: self
                )
            }
            connection.pointee.interest = interest
        } catch {
            abandon(descriptor, .localResources)
        }
    }
}

// MARK: - Time

extension ExchangeCarrier: TimerHandler {
    func setDeadline(_ descriptor: Int32, _ phaseEnd: Instant) {
        let connection = connections[descriptor]
        let limits = connection.pointee.transfer?.request.limits ?? .configured
        let startedAt = connection.pointee.transfer?.history.startedAt
        let whole = startedAt?.later(by: limits.totalTimeout(otherwise: totalTimeout)) ?? .distantFuture
        deadlines.set(descriptor, min(phaseEnd, whole))
        if sweepTimer == .none { armSweep() }
    }

    func armSweep() {
        guard sweepTimer == .none else { return }
        sweepTimer = loop.schedule(at: MonotonicClock.now() &+ deadlines.interval, token: 0, handler: self)
    }

    func timerFired(token: UInt64, deadline: Instant) {
        sweepTimer = .none
        let now = MonotonicClock.now()
        if now &- deadline > DeadlineTable.ownDelay { postponeDeadlines(by: now &- deadline) }
        for descriptor in deadlines.takeExpired(at: now) where !deadlines.isSet(descriptor) {
            // The descriptor may have been closed and opened anew meanwhile.
            expire(descriptor, at: now)
        }
        dropOverdue(at: now)
        if carriedCount > 0 || inTheMaking > 0 { armSweep() }
    }

    /// Stalls of the loop do not count as time of the target.
    private func postponeDeadlines(by delay: Int64) {
        deadlines.postpone(by: delay)
        for descriptor in connections.open {
            let connection = connections[descriptor]
            switch connection.pointee.phase {
            case .connecting, .handshaking:
                connection.pointee.openedAt = connection.pointee.openedAt.later(by: delay)
                guard let opening = connection.pointee.opening, opening.sockets.last == descriptor else { continue }
                opening.since = opening.since.later(by: delay)
                opening.connectingSince = opening.connectingSince.later(by: delay)
            case .http2: connection.pointee.http2?.postponeDeadlines(by: delay)
            case .none, .idle, .sending, .awaiting: break
            }
        }
    }

    /// An answer that lies in the socket came in time.
    private func expire(_ descriptor: Int32, at now: Instant) {
        let connection = connections[descriptor]
        switch connection.pointee.phase {
        case .sending, .awaiting:
            read(descriptor)
            guard !deadlines.isSet(descriptor) else { return }
        case .none, .connecting, .handshaking, .idle, .http2: break
        }
        switch connection.pointee.phase {
        case .none, .idle: break
        case .http2: if let standing = connection.pointee.http2 { http2?.expire(standing, at: now) }
        case .connecting, .handshaking: expireOpening(descriptor, at: now)
        case .sending, .awaiting:
            let startedAt = connection.pointee.transfer?.history.startedAt ?? now
            let limits = connection.pointee.transfer?.request.limits ?? .configured
            let isWhole = now &- startedAt >= limits.totalTimeout(otherwise: totalTimeout)
            let isSilent = connection.pointee.firstByteAt == .zero && !isWhole
            finish(descriptor, isSilent ? .firstByteTimeout : .totalTimeout, at: now)
        }
    }

    func abandon(_ descriptor: Int32, _ failure: TransportFailure) {
        if let opening = connections[descriptor].pointee.opening { return abandon(opening, failure) }
        let transfer = connections[descriptor].pointee.transfer
        let others = connections[descriptor].pointee.http2.flatMap { http2?.abandon($0) } ?? []
        let connection = connections[descriptor].pointee.answeredOn
        closeConnection(descriptor)
        if let transfer { end(transfer, failure, on: connection) }
        for other in others { end(other, failure, on: connection) }
    }

    func finish(_ descriptor: Int32, _ failure: TransportFailure?, at now: Instant) {
        let connection = connections[descriptor]
        guard connection.pointee.transfer != nil else { return closeConnection(descriptor) }
        swap(&connection.pointee.reader, &reportedAnswer)
        swap(&connection.pointee.transfer, &reportedTransfer)
        let times = times(connection.pointee.firstByteAt, connection.pointee.receivedAt, now, descriptor)
        let answeredOn = connection.pointee.answeredOn
        // An answer before the request is written in full ends the connection.
        if reportedAnswer.keepsConnection, connection.pointee.phase == .awaiting,
            connection.pointee.tls?.hasMore != true, life == nil || isKept(connection, at: now)
        {
            connection.pointee.phase = .idle
            connection.pointee.isReused = true
            deadlines.set(descriptor, .distantFuture)
            reportedDescriptor = descriptor
        } else {
            closeConnection(descriptor)
            reportedDescriptor = -1
        }
        conclude(failure, times, on: answeredOn)
    }

    /// Whether the connection's life goes on after one more answer, or request over HTTP/2.
    func isKept(_ connection: UnsafeMutablePointer<Connection>, at now: Instant) -> Bool {
        guard let life else { return true }
        if connection.pointee.answers < .max { connection.pointee.answers += 1 }
        return !life.isOver(since: connection.pointee.since, connection.pointee.answers, at: now)
    }

    func finish(_ carried: CarriedStream, _ failure: TransportFailure?, at now: Instant, on descriptor: Int32) {
        swap(&carried.reader, &reportedAnswer)
        swap(&carried.transfer, &reportedTransfer)
        reportedDescriptor = descriptor
        let answeredOn: AnsweredOn = descriptor >= 0 ? connections[descriptor].pointee.answeredOn : .nothing
        conclude(failure, times(carried.firstByteAt, carried.receivedAt, now, descriptor), on: answeredOn)
    }

    @inline(__always)
    private func times(_ first: Instant, _ received: Instant, _ now: Instant, _ descriptor: Int32) -> AnswerTimes {
        let outgrew = Self.outgrows(reportedAnswer.wireBodyBytes, descriptor)
        return AnswerTimes(firstByteAt: first, receivedAt: received, doneAt: now, outgrewBuffer: outgrew)
    }

    /// Bytes; no socket's buffer is smaller with the system's defaults.
    private static let leastBuffer = 32 << 10

    private static func outgrows(_ bytes: Int, _ descriptor: Int32) -> Bool {
        bytes > leastBuffer && descriptor >= 0 && bytes > ConnectingSocket.receiveBuffer(of: descriptor)
    }

    private func conclude(_ failure: TransportFailure?, _ times: AnswerTimes, on answeredOn: AnsweredOn) {
        var failure = failure
        if failure == nil, RedirectStatus(reportedAnswer.status) != nil {
            do {
                if let next = try redirection(times, on: answeredOn) { return follow(next) }
            } catch {
                failure = error
            }
        }
        carriedCount -= 1
        report(failure, times, on: answeredOn)
    }

    private func follow(_ next: CarriedTransfer) {
        if let route = route(for: next.hop) {
            carry(next, to: route)
        } else {
            carriedCount -= 1
            curl.start(next)
        }
        clearReported()
    }

    func closeConnection(_ descriptor: Int32) {
        let connection = connections[descriptor]
        if let opening = connection.pointee.opening {
            inTheMaking -= 1
            opening.sockets.removeAll { $0 == descriptor }
        }
        connection.pointee.http2?.closed()
        connection.pointee.endTLS()
        if let registration = connection.pointee.registration { loop.deregister(registration) }
        deadlines.set(descriptor, .distantFuture)
        connection.pointee.reader.reset()
        connections.remove(descriptor)
        Glibc.close(descriptor)
        openWaiting()
    }
}
