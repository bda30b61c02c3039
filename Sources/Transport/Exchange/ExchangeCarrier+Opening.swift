import DequeModule
import Destinations
import EventLoop
import Glibc
import Rulebook
import Sockets
import Time

// How connections come to be: name look-up, TCP, TLS.

extension ExchangeCarrier {
    /// Opens a connection in its turn.
    func open(_ opening: PendingOpening) {
        var opening = opening
        if opening.since == .zero { opening.since = MonotonicClock.now() }
        guard !opening.route.addresses.isEmpty else {
            resolve(opening)
            return
        }
        guard openingCount < configuration.maximumHandshakes, openings.isLineEmpty else {
            openings.standInLine(opening)
            armSweep()
            return
        }
        connect(opening)
    }

    /// Opens what has waited, as far as the limit goes.
    func openWaiting() {
        while openingCount < configuration.maximumHandshakes, var opening = openings.next() {
            // The time to connect begins now; what went before is lateness of the generator.
            opening.since = MonotonicClock.now()
            connect(opening)
        }
    }

    /// Gives up the openings that `isMeant` names.
    func dropOpenings(_ failure: TransportFailure, _ isMeant: (PendingOpening) -> Bool) {
        for opening in openings.take(isMeant) { end(opening, failure) }
    }

    private func connect(_ opening: PendingOpening) {
        var opening = opening
        let attempt = opening.attempt ?? AddressAttempt(first: opening.route.preferredAddress)
        opening.attempt = attempt
        if opening.connectingSince == .zero { opening.connectingSince = MonotonicClock.now() }
        guard let place = attempt.place(of: opening.route.addresses.count) else {
            fail(opening, .connectFailed)
            return
        }
        let source = Int(opening.owner.sourceAddressIndex)
        let descriptor: Int32
        switch ConnectingSocket.open(
            to: opening.route.addresses[place],
            from: source >= 0 ? sourceAddresses[source] : nil
        ) {
        case .underWay(let socket): descriptor = socket
        case .refused(let number):
            // Also where it is not of the source's family: another address may be.
            connectFailed(opening, number)
            return
        }
        guard let connection = connections.enter(descriptor, owner: opening.owner, route: opening.route) else {
            Glibc.close(descriptor)
            fail(opening, .localResources, EMFILE)
            return
        }
        opening.owner.connectionsOpened += 1
        openingCount += 1
        connection.pointee.transfer = opening.transfer
        connection.pointee.http2 = opening.http2
        connection.pointee.attempt = attempt
        connection.pointee.since = opening.since
        connection.pointee.openedAt = opening.connectingSince
        watch(descriptor, .writable)
        setDeadline(
            descriptor,
            opening.since.later(by: attemptTimeout(opening)),
            startedAt: opening.transfer?.history.startedAt,
            opening.limits
        )
    }

    /// Several addresses share the time to connect: a silent one must leave some to the next.
    private func attemptTimeout(_ opening: PendingOpening) -> Int64 {
        let tried = Int64(opening.attempt?.failed ?? 0) + 1
        let count = Int64(max(opening.route.addresses.count, 1))
        let timeout = opening.limits.connectTimeout(otherwise: connectTimeout)
        return count == 1 ? timeout : timeout / count * tried
    }

    /// Says how a connect that was under way has ended.
    func connectEnded(_ descriptor: Int32) {
        let number = ConnectingSocket.outcome(descriptor)
        guard number == 0 else {
            retryElsewhere(descriptor, number)
            return
        }
        let connection = connections[descriptor]
        let now = MonotonicClock.now()
        let took = max(1, (now &- connection.pointee.openedAt) / 1000)
        connection.pointee.transfer?.history.connectMicroseconds &+= took
        connection.pointee.transfer?.history.newConnections &+= 1
        connection.pointee.localPort = SocketAddress.localPort(of: descriptor)
        connection.pointee.remote = remotes.number(of: SocketAddress.remoteText(of: descriptor))
        guard let route = connection.pointee.route, route.isSecure else {
            established(descriptor)
            return
        }
        let session = connection.pointee.owner?.sessions.first { $0.peer == ObjectIdentifier(route) }
        guard
            let secured = TLSConnection(
                tls,
                descriptor: descriptor,
                host: route.target.host,
                session: session,
                wantsHTTP2: connection.pointee.http2 != nil
            )
        else {
            opened(descriptor, failure: .localResources)
            return
        }
        connection.pointee.tls = secured
        connection.pointee.phase = .handshaking
        connection.pointee.openedAt = now
        // No other address is tried any more: what is left of the time belongs to the handshake.
        let limits = connection.pointee.transfer?.request.limits ?? .configured
        setDeadline(
            descriptor,
            connection.pointee.since.later(by: limits.connectTimeout(otherwise: connectTimeout)),
            startedAt: connection.pointee.transfer?.history.startedAt,
            limits
        )
        handshake(descriptor)
    }

    /// Goes on with a TLS handshake.
    func handshake(_ descriptor: Int32) {
        let connection = connections[descriptor]
        guard let secured = connection.pointee.tls else { return }
        switch secured.handshake() {
        case .done:
            let took = max(1, (MonotonicClock.now() &- connection.pointee.openedAt) / 1000)
            connection.pointee.transfer?.history.tlsMicroseconds &+= took
            established(descriptor)
        case .wantsRead: watch(descriptor, .readable)
        case .wantsWrite: watch(descriptor, .writable)
        // As in libcurl, anything that ends a handshake early is a failed handshake.
        case .closed, .reset: opened(descriptor, failure: .tls, explanation: "the peer closed during the handshake")
        case .failed: opened(descriptor, failure: .tls, explanation: secured.explanation())
        }
    }

    /// A connection is ready for its first request.
    private func established(_ descriptor: Int32) {
        openingCount -= 1
        let connection = connections[descriptor]
        connection.pointee.phase = .idle
        prefer(connection.pointee.attempt, of: connection.pointee.route)
        var others: Deque<CarriedTransfer> = []
        if let wanted = connection.pointee.http2 {
            guard connection.pointee.tls?.choseHTTP2 == false else {
                connection.pointee.phase = .http2
                http2?.begin(wanted, on: descriptor, first: connection.pointee.transfer.take())
                openWaiting()
                return
            }
            wanted.route.choseHTTP1 = true
            wanted.closed()
            connection.pointee.http2 = nil
            others = wanted.takeWaiting()
        }
        if let transfer = connection.pointee.transfer {
            send(transfer, on: descriptor)
        } else {
            // It waits for its first request as a used one waits for its next, and may be closed meanwhile alike.
            connection.pointee.isReused = true
            deadlines.set(descriptor, .distantFuture)
            watch(descriptor, .readable)
        }
        if let route = connection.pointee.route { for other in others { carry(other, to: route) } }
        openWaiting()
    }

    /// The address that answered is tried first from now on.
    private func prefer(_ attempt: AddressAttempt, of route: Route?) {
        guard attempt.failed > 0, let route, let place = attempt.place(of: route.addresses.count) else { return }
        route.preferredAddress = Int32(clamping: place)
    }

    /// A connection could not be opened.
    func opened(_ descriptor: Int32, failure: TransportFailure, explanation: String = "") {
        abandon(descriptor, failure, explanation: explanation)
    }

    /// Gives up an address, and tries the next one of the same name if there is one.
    func retryElsewhere(_ descriptor: Int32, _ number: Int32) {
        let connection = connections[descriptor]
        guard let owner = connection.pointee.owner, let route = connection.pointee.route else { return }
        let opening = PendingOpening(
            owner: owner,
            route: route,
            transfer: connection.pointee.transfer,
            http2: connection.pointee.http2,
            attempt: connection.pointee.attempt,
            since: connection.pointee.since,
            connectingSince: connection.pointee.openedAt
        )
        // It goes on with another connection.
        connection.pointee.http2 = nil
        closeConnection(descriptor)
        connectFailed(opening, number)
    }

    private func connectFailed(_ opening: PendingOpening, _ number: Int32) {
        var attempt = opening.attempt ?? AddressAttempt()
        attempt.failed += 1
        guard attempt.place(of: opening.route.addresses.count) != nil else {
            fail(opening, TransportFailure(connectError: number), number)
            return
        }
        var opening = opening
        opening.attempt = attempt
        connect(opening)
    }

    private func fail(_ opening: PendingOpening, _ failure: TransportFailure, _ number: Int32 = 0) {
        end(opening, failure, explanation: number == 0 ? "" : String(cString: strerror(number)))
    }

    /// Ends what an opening was for.
    private func end(_ opening: PendingOpening, _ failure: TransportFailure, explanation: String = "") {
        if let transfer = opening.transfer { end(transfer, failure, explanation: explanation) }
        guard let connection = opening.http2 else { return }
        for transfer in connection.takeWaiting() { end(transfer, failure, explanation: explanation) }
    }
}

// MARK: - Names

extension ExchangeCarrier {
    private func resolve(_ opening: PendingOpening) {
        let route = opening.route
        guard !names.knowsAtOnce(route) else {
            open(opening)
            return
        }
        openings.awaitAddress(opening)
        armSweep()
        names.lookUp(route) { [weak self] in self?.resolved(route) }
    }

    private func resolved(_ route: Route) {
        guard !isTornDown else { return }
        for opening in openings.takeAwaiting(route) {
            guard route.addresses.isEmpty else {
                open(opening)
                continue
            }
            end(opening, .dns, explanation: "the name has no address")
        }
    }
}
