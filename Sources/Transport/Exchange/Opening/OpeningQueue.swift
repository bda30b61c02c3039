import DequeModule
import Time

/// A connection that is to be opened, for a transfer or ahead of need.
struct PendingOpening {
    let owner: ConnectionOwner
    let route: Route
    let transfer: CarriedTransfer?
    /// What waits for the connection besides; nil for HTTP/1.1.
    var http2: HTTP2Connection?
    /// The address to try; nil before the first.
    var attempt: AddressAttempt?
    /// When the name look-up began, which belongs to the time to connect.
    var since = Instant.zero
    /// When the first address was tried, zero before that.
    var connectingSince = Instant.zero

    /// How long what it is for may take.
    var limits: TransferLimits { transfer?.request.limits ?? .configured }
}

/// The openings that wait: in line for a free handshake, or for an address of their origin.
///
/// Confined to its loop.
struct OpeningQueue {
    private var line: Deque<PendingOpening> = []
    private var unresolved: [PendingOpening] = []

    /// Whether nobody stands in line.
    var isLineEmpty: Bool { line.isEmpty }

    mutating func standInLine(_ opening: PendingOpening) { line.append(opening) }

    /// Who stood in line longest; nil when nobody does.
    mutating func next() -> PendingOpening? { line.popFirst() }

    /// What an owner's requests to a route wait for here; nil where it waits for none.
    func http2(of owner: ConnectionOwner, to route: Route) -> HTTP2Connection? {
        let isMeant: (PendingOpening) -> Bool = { $0.owner === owner && $0.route === route }
        return (line.first(where: isMeant) ?? unresolved.first(where: isMeant))?.http2
    }

    mutating func awaitAddress(_ opening: PendingOpening) { unresolved.append(opening) }

    /// Takes those out that waited for an address of this origin.
    mutating func takeAwaiting(_ route: Route) -> [PendingOpening] {
        let found = unresolved.filter { $0.route === route }
        unresolved.removeAll { $0.route === route }
        return found
    }

    /// Takes those out that `isMeant` names, wherever they wait.
    mutating func take(_ isMeant: (PendingOpening) -> Bool) -> [PendingOpening] {
        guard !line.isEmpty || !unresolved.isEmpty else { return [] }
        let found = Array(line.filter(isMeant)) + unresolved.filter(isMeant)
        guard !found.isEmpty else { return [] }
        line.removeAll(where: isMeant)
        unresolved.removeAll(where: isMeant)
        return found
    }
}
