import DequeModule
import Rules
import Values

/// Name look-up, TCP to one address after the other, TLS; up to the configured number at once.
///
/// An opening ends in the exchange's `begin` or in a failed request, unless the exchange closes its connection before. Confined
/// to its loop.
final class ConnectionOpener {
    /// Owns this opener.
    unowned(unsafe) let exchange: ExchangeCarrier
    var inTheMaking = 0
    private var waiting = OpeningQueue()
    private var isTornDown = false

    init(for exchange: ExchangeCarrier) {
        self.exchange = exchange
        names.whenAnswered.append { [weak self] in self?.resolved($0) }
    }

    var isAtWork: Bool { inTheMaking > 0 }

    private var hasRoom: Bool { inTheMaking < exchange.configuration.maximumHandshakes }

    private var names: NameLookup { exchange.curl.names }

    /// In nanoseconds.
    func timeToConnect(_ limits: TransferLimits) -> Int64 { limits.connectTimeout(otherwise: exchange.connectTimeout) }

    func http2(of owner: ConnectionOwner, to route: Route) -> HTTP2Connection? { waiting.http2(of: owner, to: route) }

    func open(_ opening: PendingOpening) {
        var opening = opening
        if opening.since == .zero { opening.since = MonotonicClock.now() }
        guard names.knows(opening.route) else {
            resolve(opening)
            return
        }
        proceed(opening)
    }

    private func proceed(_ opening: PendingOpening) {
        guard !opening.route.addresses.isEmpty else {
            end(opening, .dns)
            return
        }
        guard hasRoom, waiting.isLineEmpty else {
            waiting.standInLine(opening)
            exchange.armSweep()
            return
        }
        connect(opening)
    }

    /// Called when an opening has ended.
    func openWaiting() {
        while hasRoom, var opening = waiting.next() {
            // Time in the queue is lateness of the generator.
            opening.since = MonotonicClock.now()
            if names.knows(opening.route) { connect(opening) } else { resolve(opening) }
        }
    }

    func closedInTheMaking() { inTheMaking -= 1 }

    func drop(_ failure: TransportFailure, _ isMeant: (PendingOpening) -> Bool) {
        for opening in waiting.take(isMeant) { end(opening, failure) }
    }

    func dropOverdue(at now: Instant) {
        drop(.totalTimeout) { [totalTimeout = exchange.totalTimeout] opening in
            guard let startedAt = opening.transfer?.history.startedAt else { return false }
            return startedAt.later(by: opening.limits.totalTimeout(otherwise: totalTimeout)) <= now
        }
        let overdue = waiting.takeAwaiting { $0.since.later(by: timeToConnect($0.limits)) <= now }
        for opening in overdue { end(opening, .connectTimeout) }
    }

    func tearDown() { isTornDown = true }

    func end(_ opening: PendingOpening, _ failure: TransportFailure) {
        let tried = AnsweredOn(remote: opening.remote)
        if let transfer = opening.transfer { exchange.end(transfer, failure, on: tried) }
        guard let connection = opening.http2 else { return }
        for transfer in connection.takeWaiting() { exchange.end(transfer, failure, on: tried) }
    }

    // MARK: Names

    private func resolve(_ opening: PendingOpening) {
        let route = opening.route
        waiting.awaitAddress(opening)
        exchange.armSweep()
        names.lookUp(route)
    }

    private func resolved(_ route: Route) {
        guard !isTornDown else { return }
        for opening in waiting.takeAwaiting({ $0.route === route }) { proceed(opening) }
    }
}

struct PendingOpening {
    let owner: ConnectionOwner
    let route: Route
    let transfer: CarriedTransfer?
    /// nil for HTTP/1.1.
    var http2: HTTP2Connection?
    var attempt = AddressAttempt()
    /// Includes the name look-up.
    var since = Instant.zero
    /// Zero before the first address is tried.
    var connectingSince = Instant.zero
    /// Number in `RemoteAddresses` of the address tried last.
    var remote = RemoteAddresses.none

    var limits: TransferLimits { transfer?.request.limits ?? .configured }
}

struct OpeningQueue {
    private var line: Deque<PendingOpening> = []
    private var unresolved: [PendingOpening] = []

    var isLineEmpty: Bool { line.isEmpty }

    mutating func standInLine(_ opening: PendingOpening) { line.append(opening) }

    mutating func next() -> PendingOpening? { line.popFirst() }

    func http2(of owner: ConnectionOwner, to route: Route) -> HTTP2Connection? {
        let isMeant: (PendingOpening) -> Bool = { $0.owner === owner && $0.route === route }
        return (line.first(where: isMeant) ?? unresolved.first(where: isMeant))?.http2
    }

    mutating func awaitAddress(_ opening: PendingOpening) { unresolved.append(opening) }

    mutating func takeAwaiting(_ isMeant: (PendingOpening) -> Bool) -> [PendingOpening] {
        let found = unresolved.filter(isMeant)
        if !found.isEmpty { unresolved.removeAll(where: isMeant) }
        return found
    }

    mutating func take(_ isMeant: (PendingOpening) -> Bool) -> [PendingOpening] {
        guard !line.isEmpty || !unresolved.isEmpty else { return [] }
        let found = Array(line.filter(isMeant)) + unresolved.filter(isMeant)
        guard !found.isEmpty else { return [] }
        line.removeAll(where: isMeant)
        unresolved.removeAll(where: isMeant)
        return found
    }
}
