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

    /// Handles a connect timeout: tries another address unless the total timeout has passed.
    func expire(_ descriptor: Int32, isWhole: Bool) {
        if exchange.connections[descriptor].pointee.phase == .connecting, !isWhole {
            retryElsewhere(descriptor, ETIMEDOUT)
        } else {
            exchange.abandon(descriptor, isWhole ? .totalTimeout : .connectTimeout)
        }
    }

    func connect(_ opening: PendingOpening) {
        var opening = opening
        let attempt = opening.attempt ?? AddressAttempt(first: opening.route.preferredAddress)
        opening.attempt = attempt
        if opening.connectingSince == .zero { opening.connectingSince = MonotonicClock.now() }
        guard let place = attempt.place(of: opening.route.addresses.count) else {
            end(opening, .connectFailed)
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
        guard let connection = exchange.connections.enter(descriptor, owner: opening.owner, route: opening.route) else {
            Glibc.close(descriptor)
            end(opening, .localResources)
            return
        }
        opening.owner.connectionsOpened += 1
        inTheMaking += 1
        connection.pointee.transfer = opening.transfer
        connection.pointee.http2 = opening.http2
        connection.pointee.attempt = attempt
        connection.pointee.since = opening.since
        connection.pointee.openedAt = opening.connectingSince
        exchange.watch(descriptor, .writable)
        exchange.setDeadline(descriptor, opening.since.later(by: attemptTimeout(opening)))
    }

    /// Several addresses share the time to connect, so that a silent one leaves some to the next.
    private func attemptTimeout(_ opening: PendingOpening) -> Int64 {
        let tried = Int64(opening.attempt?.failed ?? 0) + 1
        let count = Int64(max(opening.route.addresses.count, 1))
        let timeout = opening.limits.connectTimeout(otherwise: connectTimeout)
        return count == 1 ? timeout : timeout / count * tried
    }

    private func connectEnded(_ descriptor: Int32) {
        let number = ConnectingSocket.outcome(descriptor)
        guard number == 0 else {
            retryElsewhere(descriptor, number)
            return
        }
        let connection = exchange.connections[descriptor]
        let now = MonotonicClock.now()
        let took = max(1, (now &- connection.pointee.openedAt) / 1000)
        connection.pointee.transfer?.history.connectMicroseconds &+= took
        connection.pointee.transfer?.history.newConnections &+= 1
        connection.pointee.localPort = SocketAddress.localPort(of: descriptor)
        connection.pointee.remote = remotes.number(of: SocketAddress.remoteText(of: descriptor))
        guard let route = connection.pointee.route, route.isSecure else {
            stands(descriptor)
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
            exchange.abandon(descriptor, .localResources)
            return
        }
        connection.pointee.tls = secured
        connection.pointee.phase = .handshaking
        connection.pointee.openedAt = now
        // No other address is tried any more: the rest of the time belongs to the handshake.
        let limits = connection.pointee.transfer?.request.limits ?? .configured
        let patience = limits.connectTimeout(otherwise: connectTimeout)
        exchange.setDeadline(descriptor, connection.pointee.since.later(by: patience))
        handshake(descriptor)
    }

    private func handshake(_ descriptor: Int32) {
        let connection = exchange.connections[descriptor]
        guard let secured = connection.pointee.tls else { return }
        switch secured.handshake() {
        case .done:
            let took = max(1, (MonotonicClock.now() &- connection.pointee.openedAt) / 1000)
            connection.pointee.transfer?.history.tlsMicroseconds &+= took
            stands(descriptor)
        case .wantsRead: exchange.watch(descriptor, .readable)
        case .wantsWrite: exchange.watch(descriptor, .writable)
        // As in libcurl, anything that ends a handshake early is a failed handshake.
        case .closed, .reset, .failed: exchange.abandon(descriptor, .tls)
        }
    }

    /// Hands over a connection that is ready for its first request.
    private func stands(_ descriptor: Int32) {
        inTheMaking -= 1
        let connection = exchange.connections[descriptor]
        connection.pointee.phase = .idle
        prefer(connection.pointee.attempt, of: connection.pointee.route)
        exchange.begin(on: descriptor)
        openWaiting()
    }

    private func prefer(_ attempt: AddressAttempt, of route: Route?) {
        guard attempt.failed > 0, let route, let place = attempt.place(of: route.addresses.count) else { return }
        route.preferredAddress = Int32(clamping: place)
    }

    private func retryElsewhere(_ descriptor: Int32, _ number: Int32) {
        let connection = exchange.connections[descriptor]
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
        // It continues on another connection.
        connection.pointee.http2 = nil
        exchange.closeConnection(descriptor)
        connectFailed(opening, number)
    }

    private func connectFailed(_ opening: PendingOpening, _ number: Int32) {
        var attempt = opening.attempt ?? AddressAttempt()
        attempt.failed += 1
        guard attempt.place(of: opening.route.addresses.count) != nil else {
            end(opening, TransportFailure(connectError: number))
            return
        }
        var opening = opening
        opening.attempt = attempt
        connect(opening)
    }
}
