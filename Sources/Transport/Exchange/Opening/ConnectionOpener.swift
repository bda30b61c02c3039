import DequeModule
import EventLoop
import Rulebook
import Sockets
import Time

/// Brings about the connections that its exchange asks for: name look-up, TCP to one address after the other, TLS.
///
/// At most as many as configured are in the making at once; the others wait their turn, first come first served. Each
/// opening has one end: its connection stands, and the exchange takes it over by `begin`, or what it was for has failed.
/// A connection that the exchange closes meanwhile is no opening any more. Confined to its loop.
final class ConnectionOpener {
    /// It owns this opener.
    unowned(unsafe) let exchange: ExchangeCarrier
    let tls: TLSContext
    let remotes: RemoteAddresses
    let sourceAddresses: [SourceAddress]
    let connectTimeout: Int64
    var inTheMaking = 0
    private let maximumHandshakes: Int
    private let names: NameLookup
    private var waiting = OpeningQueue()
    private var isTornDown = false

    init(for exchange: ExchangeCarrier) {
        self.exchange = exchange
        tls = exchange.tls
        remotes = exchange.remotes
        sourceAddresses = exchange.sourceAddresses
        connectTimeout = exchange.connectTimeout
        maximumHandshakes = exchange.configuration.maximumHandshakes
        names = NameLookup(loop: exchange.loop, overrides: exchange.configuration.resolveOverrides)
    }

    /// Whether time may run out for one of its connections.
    var isAtWork: Bool { inTheMaking > 0 }

    /// What an owner's requests to a route wait for here; nil where it waits for none.
    func http2(of owner: ConnectionOwner, to route: Route) -> HTTP2Connection? { waiting.http2(of: owner, to: route) }

    /// Opens a connection in its turn.
    func open(_ opening: PendingOpening) {
        var opening = opening
        if opening.since == .zero { opening.since = MonotonicClock.now() }
        guard !opening.route.addresses.isEmpty else {
            resolve(opening)
            return
        }
        guard inTheMaking < maximumHandshakes, waiting.isLineEmpty else {
            waiting.standInLine(opening)
            exchange.armSweep()
            return
        }
        connect(opening)
    }

    /// Opens what has waited, as far as the limit goes; called when a connection that was in the making is no more.
    func openWaiting() {
        while inTheMaking < maximumHandshakes, var opening = waiting.next() {
            // The time to connect begins now; what went before is lateness of the generator.
            opening.since = MonotonicClock.now()
            connect(opening)
        }
    }

    /// Notes that a connection was closed before it stood; `openWaiting` is called once it is out of the way.
    func closedInTheMaking() { inTheMaking -= 1 }

    /// Gives up the openings that wait, and that `isMeant` names.
    func drop(_ failure: TransportFailure, _ isMeant: (PendingOpening) -> Bool) {
        for opening in waiting.take(isMeant) { end(opening, failure) }
    }

    /// Gives up what has waited too long.
    func dropOverdue(at now: Instant) {
        drop(.totalTimeout) { [totalTimeout = exchange.totalTimeout] opening in
            guard let startedAt = opening.transfer?.history.startedAt else { return false }
            return startedAt.later(by: opening.limits.totalTimeout(otherwise: totalTimeout)) <= now
        }
        drop(.connectTimeout) { [connectTimeout] opening in
            opening.route.isResolving
                && opening.since.later(by: opening.limits.connectTimeout(otherwise: connectTimeout)) <= now
        }
    }

    /// Opens nothing any more, whatever a look-up still finds.
    func tearDown() { isTornDown = true }

    /// Ends what an opening was for.
    func end(_ opening: PendingOpening, _ failure: TransportFailure, explanation: String = "") {
        if let transfer = opening.transfer { exchange.end(transfer, failure, explanation: explanation) }
        guard let connection = opening.http2 else { return }
        for transfer in connection.takeWaiting() { exchange.end(transfer, failure, explanation: explanation) }
    }

    // MARK: Names

    private func resolve(_ opening: PendingOpening) {
        let route = opening.route
        guard !names.knowsAtOnce(route) else {
            open(opening)
            return
        }
        waiting.awaitAddress(opening)
        exchange.armSweep()
        names.lookUp(route) { [weak self] in self?.resolved(route) }
    }

    private func resolved(_ route: Route) {
        guard !isTornDown else { return }
        for opening in waiting.takeAwaiting(route) {
            guard route.addresses.isEmpty else {
                open(opening)
                continue
            }
            end(opening, .dns, explanation: "the name has no address")
        }
    }
}
