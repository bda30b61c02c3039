import Values

/// An origin (RFC 6454), and the state of its server.
final class Route {
    let target: RequestTarget
    /// Differs from the target where `connectTo` says so.
    let place: ConnectionPlace
    /// The profile's headers are for this server.
    let takesOwnHeaders: Bool
    /// nil where connections lead to the place itself.
    let proxy: ProxyRoute?
    /// Whether the place is an address and no name.
    let isLiteral: Bool
    var isSecure: Bool { target.scheme == "https" }
    /// HTTP/2 was offered and not chosen, the server answered HTTP_1_1_REQUIRED, or HTTP/2 is spoken over TLS only.
    var takesHTTP1 = false
    /// Empty until looked up, and where the name has none.
    var addresses = AddressList.none
    /// Later connections ask again.
    var addressesUntil = Instant.zero
    var isResolving = false

    init(
        target: RequestTarget,
        leadsTo place: ConnectionPlace,
        takesOwnHeaders: Bool = true,
        through proxy: ProxyRoute? = nil
    ) {
        self.target = target
        self.place = place
        self.proxy = proxy
        isLiteral = SocketAddress.isNumeric(place.host)
        self.takesOwnHeaders = takesOwnHeaders
    }
}

/// The proxy of a transport, shared by the routes that lead through it.
final class ProxyRoute {
    let address: ProxyAddress
    /// The way to the proxy itself.
    let route: Route
    private let exceptions: [String]

    /// Throws for an address that libcurl cannot parse: without its proxy no request may be sent.
    init(_ address: ProxyAddress, exceptions: [String]) throws(TransportError) {
        guard let target = RequestTarget(url: "http://\(address.host.authority(port: address.port))/") else {
            throw .library(call: "curl_url_set", message: "\(address) is not the address of a proxy")
        }
        self.address = address
        self.exceptions = exceptions
        route = Route(target: target, leadsTo: ConnectionPlace(host: target.host, port: target.port))
    }

    /// Whether the proxy is told the names of targets, and looks them up itself.
    var looksUpNames: Bool { address.scheme != .socks5 }

    func isPassed(by target: RequestTarget) -> Bool { ProxyAddress.isPassed(by: target.host, exceptions: exceptions) }
}

/// One look-up per origin for all requests of a loop, to which it is confined; never blocks it.
final class NameLookup {
    private let loop: EventLoop
    private let fixed: FixedPlaces
    private let names: NameTable
    /// Called on the loop, never from within `lookUp`.
    var whenAnswered: [(Route) -> Void] = []

    init(loop: EventLoop, fixed: FixedPlaces, names: NameTable) {
        (self.loop, self.fixed, self.names) = (loop, fixed, names)
    }

    /// Known and live: fixed ones, numeric hosts, and recent answers.
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

    /// Does nothing while a look-up is under way.
    func lookUp(_ route: Route) {
        guard !route.isResolving else { return }
        route.isResolving = true
        let answer = LoopReturn<KnownName>(loop: loop) { [self] name in
            route.isResolving = false
            route.addresses = AddressList(name.addresses.map { $0.at(port: route.place.port) })
            // However late the loop is, waiting requests go on with this answer.
            route.addressesUntil = max(name.until, MonotonicClock.now().later(by: .seconds(1)))
            for tell in whenAnswered { tell(route) }
        }
        if let known = names.lookUp(route.place.host, { answer.give($0) }) { answer.give(known) }
    }
}

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
