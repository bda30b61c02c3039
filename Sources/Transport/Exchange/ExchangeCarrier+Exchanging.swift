import DequeModule
import Rules
import Values

extension ExchangeCarrier {
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
        let keepsBody = connection.pointee.transfer?.request.keepBody == true
        switch connection.pointee.reader.read(bytes, keepsBody: keepsBody) {
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
            broken(descriptor, .reset)
            return
        }
        let now = MonotonicClock.now()
        switch connection.pointee.reader.ended() {
        case .complete: finish(descriptor, nil, at: now)
        case .failed(let failure): finish(descriptor, failure, at: now)
        case .incomplete: finish(descriptor, .truncated, at: now)
        }
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
        opener.open(PendingOpening(owner: transfer.request.owner, route: route, transfer: transfer))
    }
}

extension ExchangeCarrier: ReadinessHandler {
    func descriptorReady(_ descriptor: Int32, _ readiness: Readiness) {
        switch connections[descriptor].pointee.phase {
        case .none: break
        case .connecting, .handshaking: opener.goOn(descriptor)
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
        opener.dropOverdue(at: now)
        if carriedCount > 0 || opener.inTheMaking > 0 { armSweep() }
    }

    /// Stalls of the loop do not count as time of the target.
    private func postponeDeadlines(by delay: Int64) {
        deadlines.postpone(by: delay)
        for descriptor in connections.open {
            let connection = connections[descriptor]
            switch connection.pointee.phase {
            case .connecting, .handshaking:
                connection.pointee.since = connection.pointee.since.later(by: delay)
                connection.pointee.openedAt = connection.pointee.openedAt.later(by: delay)
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
        let startedAt = connection.pointee.transfer?.history.startedAt ?? now
        let limits = connection.pointee.transfer?.request.limits ?? .configured
        let isWhole = now &- startedAt >= limits.totalTimeout(otherwise: totalTimeout)
        switch connection.pointee.phase {
        case .none, .idle: break
        case .http2: if let standing = connection.pointee.http2 { http2?.expire(standing, at: now) }
        case .connecting, .handshaking: opener.expire(descriptor, isWhole: isWhole)
        case .sending, .awaiting:
            let isSilent = connection.pointee.firstByteAt == .zero && !isWhole
            finish(descriptor, isSilent ? .firstByteTimeout : .totalTimeout, at: now)
        }
    }
}
