import DequeModule
import Glibc
import Rules
import Values

// Name look-up, TCP to one address after the other, TLS; up to the configured number at once. An opening ends in `begin` or in a
// failed request, unless its connection is closed before.
extension ExchangeCarrier {
    private var hasRoom: Bool { inTheMaking < configuration.maximumHandshakes }

    /// In nanoseconds.
    private func timeToConnect(_ opening: Opening) -> Int64 {
        opening.limits.connect.nanoseconds(otherwise: connectTimeout)
    }

    private func latestEnd(of opening: Opening) -> Instant { opening.since.later(by: timeToConnect(opening)) }

    private func totalEnd(of opening: Opening) -> Instant { opening.waiting.first.map(wholeDeadline) ?? .distantFuture }

    private func hasTime(_ opening: Opening) -> Bool { MonotonicClock.now() < latestEnd(of: opening) }

    func openingHTTP2(of owner: ConnectionOwner, to route: Route) -> Opening? {
        let isMeant: (Opening) -> Bool = { $0.owner === owner && $0.route === route && $0.offersHTTP2 }
        let connecting = owner.connection(to: route, where: { $0.pointee.opening.map(isMeant) ?? false })
        return connecting?.pointee.opening ?? line.first(where: isMeant) ?? unresolved.first(where: isMeant)
    }

    /// Without a transfer, ahead of need.
    func open(_ route: Route, for owner: ConnectionOwner, _ transfer: CarriedTransfer? = nil) {
        let opening = Opening(owner: owner, route: route, offersHTTP2: http2 != nil && !route.takesHTTP1)
        if let transfer { opening.waiting.append(transfer) }
        opening.since = MonotonicClock.now()
        if curl.names.knows(route) { proceed(opening) } else { resolve(opening) }
    }

    private func proceed(_ opening: Opening) {
        guard !opening.route.addresses.isEmpty else { return end(opening, .dns) }
        guard hasRoom, line.isEmpty else {
            line.append(opening)
            armSweep()
            return
        }
        connect(opening)
    }

    /// Called when an opening has ended.
    func openWaiting() {
        while hasRoom, let opening = line.popFirst() {
            // Time in the queue is lateness of the generator.
            opening.since = MonotonicClock.now()
            if curl.names.knows(opening.route) { connect(opening) } else { resolve(opening) }
        }
    }

    func give(_ transfer: CarriedTransfer, to opening: Opening) {
        opening.waiting.append(transfer)
        guard let latest = opening.attempts.last else { return }
        setDeadline(opening, deadlines.deadline(of: latest.pointee.descriptor))
    }

    func drop(_ failure: TransportFailure, _ isMeant: (Opening) -> Bool) {
        for opening in line.take(where: isMeant) + unresolved.take(where: isMeant) { end(opening, failure) }
    }

    func dropOverdue(at now: Instant) {
        drop(.totalTimeout) { totalEnd(of: $0) <= now }
        for opening in unresolved.take(where: { latestEnd(of: $0) <= now }) { end(opening, .connectTimeout) }
    }

    /// Closes all its attempts.
    func abandon(_ opening: Opening, _ failure: TransportFailure) {
        let tried = opening.attempts.last?.pointee.answeredOn
        for attempt in opening.attempts { closeConnection(attempt) }
        end(opening, failure, on: tried)
    }

    private func end(_ opening: Opening, _ failure: TransportFailure, on connection: AnsweredOn? = nil) {
        let tried = connection ?? AnsweredOn(remote: opening.remote)
        for transfer in opening.waiting { end(transfer, failure, on: tried) }
    }

    private func resolve(_ opening: Opening) {
        unresolved.append(opening)
        armSweep()
        curl.names.lookUp(opening.route)
    }

    func resolved(_ route: Route) { for opening in unresolved.take(where: { $0.route === route }) { proceed(opening) } }

    /// Tries another address unless the total timeout has passed.
    func expireOpening(_ connection: ConnectionPointer, at now: Instant) {
        guard let opening = connection.pointee.opening else { return }
        let isWhole = totalEnd(of: opening) <= now
        guard connection.pointee.phase == .connecting, !isWhole else {
            return abandon(opening, isWhole ? .totalTimeout : .connectTimeout)
        }
        guard hasTime(opening), isRaced(opening) else { return retryElsewhere(connection, ETIMEDOUT) }
        deadlines.set(connection.pointee.descriptor, .distantFuture)
        opening.failed += 1
        connect(opening)
    }

    private func connect(_ opening: Opening) {
        if opening.connectingSince == .zero { opening.connectingSince = MonotonicClock.now() }
        guard let address = opening.route.addresses.address(after: opening.failed, chance: opening.owner.chance) else {
            // The name was asked again and has fewer or no addresses.
            if opening.failed == 0 { end(opening, .dns) } else { connectFailed(opening, 0) }
            return
        }
        let place = SocketAddress(address, port: opening.route.place.port)
        opening.remote = remotes.number(of: place.text)
        let descriptor: Int32
        switch ConnectingSocket.open(to: place, from: opening.owner.source.map { origins.sources[Int($0)] }) {
        case .underWay(let socket): descriptor = socket
        // Another address may be of the source's family.
        case .refused(let number): return connectFailed(opening, number)
        }
        let connection = connections.enter(descriptor, opening)
        opening.owner.connectionsOpened += 1
        inTheMaking += 1
        connection.pointee.answeredOn.remote = opening.remote
        connection.pointee.openedAt = opening.connectingSince
        opening.attempts.append(connection)
        watch(connection, .writable)
        setDeadline(opening, attemptEnd(opening))
    }

    /// No later than the end of the request.
    private func setDeadline(_ opening: Opening, _ end: Instant) {
        guard let latest = opening.attempts.last else { return }
        deadlines.set(latest.pointee.descriptor, min(end, totalEnd(of: opening)))
        armSweep()
    }

    /// Nanoseconds until the other family is tried (RFC 8305 section 8).
    private static let raceDelay: Int64 = 250_000_000

    private func isRaced(_ opening: Opening) -> Bool {
        let addresses = opening.route.addresses
        return opening.attempts.count == 1
            && addresses.changesFamily(after: opening.failed + 1, chance: opening.owner.chance)
    }

    /// Up to four addresses share the time: a share of hundreds would end before a distant server can answer.
    private func attemptEnd(_ opening: Opening) -> Instant {
        let shares = Int64(min(max(opening.route.addresses.count, 1), 4))
        let tried = min(Int64(opening.failed) + 1, shares)
        let end = opening.since.later(by: timeToConnect(opening) / shares * tried)
        guard isRaced(opening) else { return end }
        deadlines.notice(timeout: Self.raceDelay)
        return min(end, MonotonicClock.now().later(by: Self.raceDelay))
    }

    func connectEnded(_ connection: ConnectionPointer) {
        let descriptor = connection.pointee.descriptor
        let number = ConnectingSocket.outcome(descriptor)
        guard number == 0 else { return retryElsewhere(connection, number) }
        guard let opening = connection.pointee.opening else { return }
        for slower in opening.attempts where slower != connection { closeConnection(slower) }
        let now = MonotonicClock.now()
        opening.note {
            $0.connectMicroseconds &+= max(1, (now &- connection.pointee.openedAt) / 1000)
            $0.newConnections &+= 1
        }
        connection.pointee.answeredOn.localPort = SocketAddress.localPort(of: descriptor)
        let route = opening.route
        guard route.isSecure else { return stands(connection) }
        let session = opening.owner.sessions.first { $0.peer == ObjectIdentifier(route) }
        guard
            let secured = TLSConnection(
                tls,
                descriptor: descriptor,
                host: route.target.host,
                session: session,
                wantsHTTP2: opening.offersHTTP2
            )
        else { return abandon(opening, .localResources) }
        connection.pointee.tls = secured
        connection.pointee.phase = .handshaking
        connection.pointee.openedAt = now
        // The rest of the time belongs to the handshake.
        setDeadline(opening, latestEnd(of: opening))
        handshake(connection)
    }

    func handshake(_ connection: ConnectionPointer) {
        guard let secured = connection.pointee.tls else { return }
        secured.beginTurn()
        switch secured.handshake() {
        case .done:
            let took = max(1, (MonotonicClock.now() &- connection.pointee.openedAt) / 1000)
            connection.pointee.opening?.note { $0.tlsMicroseconds &+= took }
            stands(connection)
        case .wantsRead: watch(connection, .readable)
        case .wantsWrite: watch(connection, .writable)
        // As in libcurl, an early end is a failed handshake.
        case .closed, .reset, .failed: abandon(connection, .tls)
        }
    }

    private func stands(_ connection: ConnectionPointer) {
        guard let opening = connection.pointee.opening.take() else { return }
        inTheMaking -= 1
        connection.pointee.since = opening.since
        begin(connection, after: opening)
        openWaiting()
    }

    private func retryElsewhere(_ connection: ConnectionPointer, _ number: Int32) {
        guard let opening = connection.pointee.opening else { return }
        let (remote, isLatest) = (connection.pointee.answeredOn.remote, opening.attempts.last == connection)
        closeConnection(connection)
        if isLatest { connectFailed(opening, number) } else { tellFailed(remote, number) }
    }

    private func connectFailed(_ opening: Opening, _ number: Int32) {
        tellFailed(opening.remote, number)
        if hasTime(opening), opening.failed + 1 < opening.route.addresses.count {
            opening.failed += 1
            connect(opening)
        } else if let rival = opening.attempts.last {
            // All other addresses have failed.
            opening.remote = rival.pointee.answeredOn.remote
            setDeadline(opening, latestEnd(of: opening))
        } else {
            end(opening, TransportFailure(connectError: number))
        }
    }

    /// Leaves out failures of this machine: no ports, or no route of that family.
    private func tellFailed(_ remote: UInt16, _ number: Int32) {
        guard number != 0, number != ENETUNREACH, number != EAFNOSUPPORT,
            TransportFailure(connectError: number) != .localResources
        else { return }
        handler?.connectFailed(at: remotes.text(remote))
    }
}

/// A connection from the request for it until it stands.
final class Opening {
    let owner: ConnectionOwner
    let route: Route
    let offersHTTP2: Bool
    /// One request at most, unless HTTP/2 is offered; none ahead of need.
    var waiting: Deque<CarriedTransfer> = []
    /// Place in the owner's order of the route's addresses, each of which is tried once.
    var failed = 0
    /// Includes the name look-up.
    var since = Instant.zero
    /// Zero before the first address is tried.
    var connectingSince = Instant.zero
    /// Number in `RemoteAddresses` of the address tried last.
    var remote = RemoteAddresses.none
    /// The last one has the deadline, and races an earlier one (RFC 8305 section 5).
    var attempts: [ConnectionPointer] = []

    init(owner: ConnectionOwner, route: Route, offersHTTP2: Bool) {
        (self.owner, self.route, self.offersHTTP2) = (owner, route, offersHTTP2)
    }

    /// The first request's, whose opening this is.
    var limits: TransferLimits { waiting.first?.request.limits ?? .configured }

    func note(_ change: (inout TransferHistory) -> Void) { if !waiting.isEmpty { change(&waiting[0].history) } }
}
