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
    private var line: Deque<PendingOpening> = []
    private var unresolved: [PendingOpening] = []
    var isTornDown = false

    init(for exchange: ExchangeCarrier) {
        self.exchange = exchange
        names.whenAnswered.append { [weak self] in self?.resolved($0) }
    }

    private var hasRoom: Bool { inTheMaking < exchange.configuration.maximumHandshakes }

    private var names: NameLookup { exchange.curl.names }

    /// In nanoseconds.
    func timeToConnect(_ opening: PendingOpening) -> Int64 {
        opening.limits.connectTimeout(otherwise: exchange.connectTimeout)
    }

    func latestEnd(of opening: PendingOpening) -> Instant { opening.since.later(by: timeToConnect(opening)) }

    func http2(of owner: ConnectionOwner, to route: Route) -> HTTP2Connection? {
        let isMeant: (PendingOpening) -> Bool = { $0.owner === owner && $0.route === route }
        return (line.first(where: isMeant) ?? unresolved.first(where: isMeant))?.http2
    }

    func open(_ opening: PendingOpening) {
        var opening = opening
        if opening.since == .zero { opening.since = MonotonicClock.now() }
        guard names.knows(opening.route) else { return resolve(opening) }
        proceed(opening)
    }

    private func proceed(_ opening: PendingOpening) {
        guard !opening.route.addresses.isEmpty else { return end(opening, .dns) }
        guard hasRoom, line.isEmpty else {
            line.append(opening)
            exchange.armSweep()
            return
        }
        connect(opening)
    }

    /// Called when an opening has ended.
    func openWaiting() {
        while hasRoom, var opening = line.popFirst() {
            // Time in the queue is lateness of the generator.
            opening.since = MonotonicClock.now()
            if names.knows(opening.route) { connect(opening) } else { resolve(opening) }
        }
    }

    func drop(_ failure: TransportFailure, _ isMeant: (PendingOpening) -> Bool) {
        for opening in line.take(where: isMeant) + unresolved.take(where: isMeant) { end(opening, failure) }
    }

    func dropOverdue(at now: Instant) {
        drop(.totalTimeout) { [totalTimeout = exchange.totalTimeout] opening in
            guard let startedAt = opening.transfer?.history.startedAt else { return false }
            return startedAt.later(by: opening.limits.totalTimeout(otherwise: totalTimeout)) <= now
        }
        let overdue = unresolved.take { latestEnd(of: $0) <= now }
        for opening in overdue { end(opening, .connectTimeout) }
    }

    func end(_ opening: PendingOpening, _ failure: TransportFailure) {
        let tried = AnsweredOn(remote: opening.remote)
        if let transfer = opening.transfer { exchange.end(transfer, failure, on: tried) }
        guard let connection = opening.http2 else { return }
        for transfer in connection.takeWaiting() { exchange.end(transfer, failure, on: tried) }
    }

    // MARK: Names

    private func resolve(_ opening: PendingOpening) {
        let route = opening.route
        unresolved.append(opening)
        exchange.armSweep()
        names.lookUp(route)
    }

    private func resolved(_ route: Route) {
        guard !isTornDown else { return }
        for opening in unresolved.take(where: { $0.route === route }) { proceed(opening) }
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
