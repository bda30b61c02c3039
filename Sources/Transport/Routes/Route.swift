import Dispatch

/// The scheme, host and port of requests (RFC 6454), and the state of that server.
final class Route {
    let target: RequestTarget
    /// Differs from the target's host and port where `connectTo` says so.
    let place: ConnectionPlace
    /// Whether the profile's headers are for this server.
    let takesOwnHeaders: Bool
    var isSecure: Bool { target.scheme == "https" }
    /// Over TLS it was offered HTTP/2 and chose HTTP/1.1, or it wanted a request over HTTP/1.1 (HTTP_1_1_REQUIRED).
    var choseHTTP1 = false
    /// Addresses of the host's name, in a fixed order that openings depend on; empty until looked up.
    var addresses: [SocketAddress] = []
    /// Index of the address that answered last: it is tried first.
    var preferredAddress: Int32 = 0
    var isResolving = false

    init(target: RequestTarget, leadsTo place: ConnectionPlace, takesOwnHeaders: Bool = true) {
        self.target = target
        self.place = place
        self.takesOwnHeaders = takesOwnHeaders
    }
}

/// Looks up the addresses of each origin once for all requests that wait for them; never blocks the loop.
///
/// Confined to its loop.
final class NameLookup {
    private let loop: EventLoop
    private let fixed: FixedPlaces

    init(loop: EventLoop, fixed: FixedPlaces) {
        self.loop = loop
        self.fixed = fixed
    }

    /// Sets the addresses of an origin with a fixed look-up or a numeric host; false where it needs a look-up.
    func knowsAtOnce(_ route: Route) -> Bool {
        route.addresses = fixed.addresses(of: route.place)
        return !route.addresses.isEmpty
    }

    /// Looks up an origin's addresses unless that is under way.
    ///
    /// The route's addresses stay empty where its name has none. `done` is called on the loop, once for each look-up begun.
    func lookUp(_ route: Route, _ done: @escaping () -> Void) {
        guard !route.isResolving else { return }
        route.isResolving = true
        let place = route.place
        let answer = LoopReturn<[SocketAddress]>(loop: loop) { addresses in
            route.isResolving = false
            route.addresses = addresses
            done()
        }
        DispatchQueue.global(qos: .userInitiated).async {
            answer.give(SocketAddress.lookUp(place.host, port: place.port))
        }
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
