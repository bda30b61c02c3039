import Values

/// The scheme, host and port of requests (RFC 6454), and the state of that server.
final class Route {
    let target: RequestTarget
    /// Differs from the target's host and port where `connectTo` says so.
    let place: ConnectionPlace
    /// Whether the profile's headers are for this server.
    let takesOwnHeaders: Bool
    /// Whether the place is an address and no name.
    let isLiteral: Bool
    var isSecure: Bool { target.scheme == "https" }
    /// Whether HTTP/2 is not for it: over TLS it was offered HTTP/2 and chose HTTP/1.1, it wanted a request over HTTP/1.1
    /// (HTTP_1_1_REQUIRED), or HTTP/2 is spoken over TLS only.
    var takesHTTP1 = false
    /// Addresses of the place; empty until looked up, and where its name has none.
    var addresses = AddressList.none
    /// The end of the addresses' life: connections that are opened later ask again.
    var addressesUntil = Instant.zero
    var isResolving = false

    init(target: RequestTarget, leadsTo place: ConnectionPlace, takesOwnHeaders: Bool = true) {
        self.target = target
        self.place = place
        isLiteral = SocketAddress.isNumeric(place.host)
        self.takesOwnHeaders = takesOwnHeaders
    }
}

/// Looks up the addresses of each origin once for all requests of a loop that wait for them; never blocks it.
///
/// Confined to its loop.
final class NameLookup {
    private let loop: EventLoop
    private let fixed: FixedPlaces
    private let names: NameTable
    /// Called on the loop with each origin that was looked up, never from within `lookUp`.
    var whenAnswered: [(Route) -> Void] = []

    init(loop: EventLoop, fixed: FixedPlaces, names: NameTable) {
        (self.loop, self.fixed, self.names) = (loop, fixed, names)
    }

    /// Whether the origin's addresses are known and live: fixed ones, numeric hosts, and those looked up not long ago.
    func knows(_ route: Route) -> Bool {
        if route.addressesUntil == .distantFuture { return true }
        if route.addressesUntil == .zero {
            let addresses = fixed.addresses(of: route.place)
            guard addresses.isEmpty else {
                (route.addresses, route.addressesUntil) = (AddressList(addresses), .distantFuture)
                return true
            }
        }
        return !route.isResolving && MonotonicClock.now() < route.addressesUntil
    }

    /// Looks up an origin's addresses unless that is under way.
    ///
    /// The route's addresses are empty where its name has none.
    func lookUp(_ route: Route) {
        guard !route.isResolving else { return }
        route.isResolving = true
        let answer = LoopReturn<KnownName>(loop: loop) { [self] name in
            route.isResolving = false
            route.addresses = AddressList(name.addresses.map { $0.at(port: route.place.port) })
            // However late the loop is, what waited for the answer goes on with it, and does not ask again.
            route.addressesUntil = max(name.until, MonotonicClock.now().later(by: .seconds(1)))
            for tell in whenAnswered { tell(route) }
        }
        if let known = names.lookUp(route.place.host, { answer.give($0) }) { answer.give(known) }
    }
}

/// Brings another thread's result back to the loop.
///
/// `@unchecked Sendable`: the closure is called and released on the loop only.
private final class LoopReturn<Value: Sendable>: @unchecked Sendable {
    private let loop: EventLoop
    private var take: ((Value) -> Void)?

    init(loop: EventLoop, _ take: @escaping (Value) -> Void) {
        self.loop = loop
        self.take = take
    }

    func give(_ value: Value) {
        loop.execute { [self] in
            take?(value)
            take = nil
        }
    }
}
