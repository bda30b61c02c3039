import DequeModule
import Values

struct PendingOpening {
    let owner: ConnectionOwner
    let route: Route
    let transfer: CarriedTransfer?
    /// The connection that further requests wait for; nil for HTTP/1.1.
    var http2: HTTP2Connection?
    var attempt: AddressAttempt?
    /// Start of the name look-up, which belongs to the time to connect.
    var since = Instant.zero
    /// When the first address was tried, zero before that.
    var connectingSince = Instant.zero

    var limits: TransferLimits { transfer?.request.limits ?? .configured }
}

/// The openings that wait: in line for a free handshake, or for an address of their origin; confined to its loop.
struct OpeningQueue {
    private var line: Deque<PendingOpening> = []
    private var unresolved: [PendingOpening] = []

    var isLineEmpty: Bool { line.isEmpty }

    mutating func standInLine(_ opening: PendingOpening) { line.append(opening) }

    mutating func next() -> PendingOpening? { line.popFirst() }

    /// The connection that an owner's requests to a route wait for here.
    func http2(of owner: ConnectionOwner, to route: Route) -> HTTP2Connection? {
        let isMeant: (PendingOpening) -> Bool = { $0.owner === owner && $0.route === route }
        return (line.first(where: isMeant) ?? unresolved.first(where: isMeant))?.http2
    }

    mutating func awaitAddress(_ opening: PendingOpening) { unresolved.append(opening) }

    mutating func takeAwaiting(_ route: Route) -> [PendingOpening] {
        let found = unresolved.filter { $0.route === route }
        unresolved.removeAll { $0.route === route }
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
