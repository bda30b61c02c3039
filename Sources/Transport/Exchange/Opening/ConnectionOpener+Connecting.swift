import Glibc
import Rules
import Values

extension ConnectionOpener {
    func goOn(_ descriptor: Int32) {
        if exchange.connections[descriptor].pointee.phase == .connecting {
            connectEnded(descriptor)
        } else {
            handshake(descriptor)
        }
    }

    /// Tries another address unless the total timeout has passed.
    func expire(_ descriptor: Int32, isWhole: Bool) {
        guard exchange.connections[descriptor].pointee.phase == .connecting, !isWhole else {
            exchange.abandon(descriptor, isWhole ? .totalTimeout : .connectTimeout)
            return
        }
        guard let opening = self.opening(of: descriptor), hasTime(opening), isRaced(opening) else {
            retryElsewhere(descriptor, ETIMEDOUT)
            return
        }
        race(opening, against: descriptor)
    }

    func connect(_ opening: PendingOpening) {
        var opening = opening
        let tried = Int(opening.attempt.failed)
        if opening.connectingSince == .zero { opening.connectingSince = MonotonicClock.now() }
        guard let address = opening.route.addresses.address(after: tried, chance: opening.owner.chance) else {
            // The name was asked again and has fewer or no addresses.
            if tried == 0 { end(opening, .dns) } else { connectFailed(opening, 0) }
            return
        }
        opening.remote = exchange.remotes.number(of: address.text)
        let source = Int(opening.owner.sourceAddressIndex)
        let descriptor: Int32
        switch ConnectingSocket.open(to: address, from: source >= 0 ? exchange.sourceAddresses[source] : nil) {
        case .underWay(let socket): descriptor = socket
        case .refused(let number):
            // Another address may be of the source's family.
            connectFailed(opening, number)
            return
        }
        guard let connection = exchange.connections.enter(descriptor, owner: opening.owner, route: opening.route) else {
            Glibc.close(descriptor)
            connectFailed(opening, EMFILE)
            return
        }
        opening.owner.connectionsOpened += 1
        inTheMaking += 1
        connection.pointee.transfer = opening.transfer
        connection.pointee.http2 = opening.http2
        connection.pointee.attempt = opening.attempt
        connection.pointee.remote = opening.remote
        connection.pointee.since = opening.since
        connection.pointee.openedAt = opening.connectingSince
        if opening.attempt.rival >= 0 {
            exchange.connections[opening.attempt.rival].pointee.attempt.rival = descriptor
        }
        exchange.watch(descriptor, .writable)
        exchange.setDeadline(descriptor, attemptEnd(opening))
    }

    // MARK: Races

    /// Nanoseconds until the other family is tried (RFC 8305 section 8).
    private static let raceDelay: Int64 = 250_000_000

    private func isRaced(_ opening: PendingOpening) -> Bool {
        opening.attempt.rival < 0
            && opening.route.addresses.changesFamily(
                after: Int(opening.attempt.failed) + 1,
                chance: opening.owner.chance
            )
    }

    private func race(_ opening: PendingOpening, against descriptor: Int32) {
        let spare = exchange.connections[descriptor]
        spare.pointee.attempt.isSpare = true
        spare.pointee.transfer = nil
        spare.pointee.http2 = nil
        exchange.deadlines.set(descriptor, .distantFuture)
        var opening = opening
        opening.attempt.failed += 1
        opening.attempt.rival = descriptor
        connect(opening)
    }

    /// The faster attempt takes what the slower one carries.
    private func win(_ descriptor: Int32) {
        let connection = exchange.connections[descriptor]
        let rival = connection.pointee.attempt.rival
        guard rival >= 0 else { return }
        let other = exchange.connections[rival]
        connection.pointee.attempt.rival = -1
        other.pointee.attempt.rival = -1
        if connection.pointee.attempt.isSpare {
            connection.pointee.attempt.isSpare = false
            connection.pointee.transfer = other.pointee.transfer.take()
            connection.pointee.http2 = other.pointee.http2.take()
        }
        exchange.closeConnection(rival)
    }

    /// All other addresses of the opening have failed.
    private func handBack(_ opening: PendingOpening, to descriptor: Int32) {
        let connection = exchange.connections[descriptor]
        connection.pointee.attempt = AddressAttempt(failed: opening.attempt.failed)
        connection.pointee.transfer = opening.transfer
        connection.pointee.http2 = opening.http2
        exchange.setDeadline(descriptor, latestEnd(of: opening))
    }

    /// Up to four addresses share the time: a share of hundreds would end before a distant server can answer.
    private func attemptEnd(_ opening: PendingOpening) -> Instant {
        let shares = Int64(min(max(opening.route.addresses.count, 1), 4))
        let tried = min(Int64(opening.attempt.failed) + 1, shares)
        let end = opening.since.later(by: timeToConnect(opening) / shares * tried)
        guard isRaced(opening) else { return end }
        exchange.deadlines.notice(timeout: Self.raceDelay)
        return min(end, MonotonicClock.now().later(by: Self.raceDelay))
    }

    private func connectEnded(_ descriptor: Int32) {
        let number = ConnectingSocket.outcome(descriptor)
        guard number == 0 else { return retryElsewhere(descriptor, number) }
        win(descriptor)
        let connection = exchange.connections[descriptor]
        let now = MonotonicClock.now()
        let took = max(1, (now &- connection.pointee.openedAt) / 1000)
        connection.pointee.transfer?.history.connectMicroseconds &+= took
        connection.pointee.transfer?.history.newConnections &+= 1
        connection.pointee.localPort = SocketAddress.localPort(of: descriptor)
        guard let route = connection.pointee.route, route.isSecure else { return stands(descriptor) }
        let session = connection.pointee.owner?.sessions.first { $0.peer == ObjectIdentifier(route) }
        guard
            let secured = TLSConnection(
                exchange.tls,
                descriptor: descriptor,
                host: route.target.host,
                session: session,
                wantsHTTP2: connection.pointee.http2 != nil
            )
        else { return exchange.abandon(descriptor, .localResources) }
        connection.pointee.tls = secured
        connection.pointee.phase = .handshaking
        connection.pointee.openedAt = now
        // The rest of the time belongs to the handshake.
        if let opening = opening(of: descriptor) { exchange.setDeadline(descriptor, latestEnd(of: opening)) }
        handshake(descriptor)
    }

    private func handshake(_ descriptor: Int32) {
        let connection = exchange.connections[descriptor]
        guard let secured = connection.pointee.tls else { return }
        secured.beginTurn()
        switch secured.handshake() {
        case .done:
            let took = max(1, (MonotonicClock.now() &- connection.pointee.openedAt) / 1000)
            connection.pointee.transfer?.history.tlsMicroseconds &+= took
            stands(descriptor)
        case .wantsRead: exchange.watch(descriptor, .readable)
        case .wantsWrite: exchange.watch(descriptor, .writable)
        // As in libcurl, an early end is a failed handshake.
        case .closed, .reset, .failed: exchange.abandon(descriptor, .tls)
        }
    }

    private func stands(_ descriptor: Int32) {
        inTheMaking -= 1
        exchange.connections[descriptor].pointee.phase = .idle
        exchange.begin(on: descriptor)
        openWaiting()
    }

    private func opening(of descriptor: Int32) -> PendingOpening? {
        let connection = exchange.connections[descriptor]
        guard let owner = connection.pointee.owner, let route = connection.pointee.route else { return nil }
        return PendingOpening(
            owner: owner,
            route: route,
            transfer: connection.pointee.transfer,
            http2: connection.pointee.http2,
            attempt: connection.pointee.attempt,
            since: connection.pointee.since,
            connectingSince: connection.pointee.openedAt,
            remote: connection.pointee.remote
        )
    }

    private func retryElsewhere(_ descriptor: Int32, _ number: Int32) {
        guard let opening = self.opening(of: descriptor) else { return }
        let connection = exchange.connections[descriptor]
        // The opening continues on another connection; its rival is under way.
        connection.pointee.http2 = nil
        connection.pointee.attempt.rival = -1
        if opening.attempt.rival >= 0 { exchange.connections[opening.attempt.rival].pointee.attempt.rival = -1 }
        exchange.closeConnection(descriptor)
        if opening.attempt.isSpare { tellFailed(opening, number) } else { connectFailed(opening, number) }
    }

    /// Leaves out failures of this machine: no ports, or no route of that family.
    private func tellFailed(_ opening: PendingOpening, _ number: Int32) {
        guard number != 0, number != ENETUNREACH, number != EAFNOSUPPORT,
            TransportFailure(connectError: number) != .localResources
        else { return }
        exchange.handler?.connectFailed(at: exchange.remotes.text(opening.remote))
    }

    private func hasTime(_ opening: PendingOpening) -> Bool { MonotonicClock.now() < latestEnd(of: opening) }

    private func connectFailed(_ opening: PendingOpening, _ number: Int32) {
        tellFailed(opening, number)
        if hasTime(opening), Int(opening.attempt.failed) + 1 < opening.route.addresses.count {
            var opening = opening
            opening.attempt.failed += 1
            connect(opening)
        } else if opening.attempt.rival >= 0 {
            handBack(opening, to: opening.attempt.rival)
        } else {
            end(opening, TransportFailure(connectError: number))
        }
    }
}
