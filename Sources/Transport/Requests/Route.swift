import Synchronization
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
    @exclusivity(unchecked) var takesHTTP1 = false
    /// Empty until looked up, and where the name has none.
    var addresses = AddressList.none
    /// Later connections ask again.
    var addressesUntil = Instant.zero

    init(
        target: RequestTarget,
        leadsTo place: ConnectionPlace,
        takesOwnHeaders: Bool = true,
        through proxy: ProxyRoute? = nil
    ) {
        (self.target, self.place, self.proxy) = (target, place, proxy)
        isLiteral = IPAddress(place.host) != nil
        self.takesOwnHeaders = takesOwnHeaders
    }

    private static let mostAddresses = 8

    /// The place's addresses in an owner's order, in the form of `CURLOPT_RESOLVE`; nil where the place is an address, or has
    /// none.
    func resolveLine(for owner: ConnectionOwner) -> String? {
        guard !isLiteral, !addresses.isEmpty else { return nil }
        let texts = (0..<min(addresses.count, Self.mostAddresses)).compactMap {
            addresses.address(after: $0, chance: owner.chance)?.text
        }
        return "\(place.host):\(place.port):\(texts.joined(separator: ","))"
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
        (self.address, self.exceptions) = (address, exceptions)
        route = Route(target: target, leadsTo: (target.host, target.port))
    }

    /// Whether the proxy is told the names of targets, and looks them up itself.
    var looksUpNames: Bool { address.scheme != .socks5 }

    func isPassed(by target: RequestTarget) -> Bool { ProxyAddress.isPassed(by: target.host, exceptions: exceptions) }
}

/// One look-up per name for all requests of a loop; never blocks it.
///
/// `@unchecked Sendable`: used on the loop only, to which answers of other threads are handed over.
final class NameLookup: @unchecked Sendable {
    private let loop: EventLoop
    private let fixed: FixedPlaces
    private let names: NameTable
    /// Routes to names that are being looked up.
    private var waiting: [String: [Route]] = [:]
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
        return MonotonicClock.now() < route.addressesUntil
    }

    /// Does nothing while a look-up is under way.
    func lookUp(_ route: Route) {
        let host = route.place.host
        let others = waiting[host] ?? []
        guard !others.contains(where: { $0 === route }) else { return }
        waiting[host] = others + [route]
        guard others.isEmpty else { return }
        let take: @Sendable (KnownName) -> Void = { [self] name in loop.execute { self.answered(host, name) } }
        if let known = names.lookUp(host, take) { take(known) }
    }

    private func answered(_ host: String, _ name: KnownName) {
        for route in waiting.removeValue(forKey: host) ?? [] {
            route.addresses = AddressList(name.addresses)
            // However late the loop is, waiting requests go on with this answer.
            route.addressesUntil = max(name.until, MonotonicClock.now().later(by: .seconds(1)))
            for tell in whenAnswered { tell(route) }
        }
    }
}

/// Each origin is authorised and looked up once.
final class OriginTable {
    /// For `PreparedRequest.route(knownTo:)`.
    private static let nextIdentity = Atomic<UInt64>(1)

    let identity: UInt64
    private let authorisedHosts: AuthorisedHosts
    let places: FixedPlaces
    /// Addresses of this machine that connections start from.
    let sources: [IPAddress]
    /// Servers without TLS get HTTP/1.1, though others are offered HTTP/2.
    private let clearsToHTTP1: Bool
    private let proxy: ProxyRoute?
    private var routes: [String: Route] = [:]

    init(_ configuration: TransportConfiguration) throws(TransportError) {
        identity = Self.nextIdentity.wrappingAdd(1, ordering: .relaxed).oldValue
        authorisedHosts = configuration.authorisedHosts
        places = FixedPlaces(resolve: configuration.resolve, connectTo: configuration.connectTo)
        sources = try configuration.sourceAddresses.map { text throws(TransportError) in
            guard let address = IPAddress(text) else { throw .invalidSourceAddress(text) }
            return address
        }
        clearsToHTTP1 = configuration.httpVersion == .http2OrHTTP1
        proxy = try configuration.proxy.map { address throws(TransportError) in
            try ProxyRoute(address, exceptions: configuration.noProxy)
        }
    }

    /// nil when the request may not be sent, or has a body for another server; the request remembers its route, and drops
    /// headers that are not for that server.
    func route(of request: PreparedRequest) -> Route? {
        if let known = request.route(knownTo: identity) { return known }
        guard let target = request.target, authorisedHosts.permits(target) else { return nil }
        let route = route(to: target)
        guard route.takesOwnHeaders || request.body == nil else { return nil }
        request.remember(route, by: identity)
        return route
    }

    private func route(to target: RequestTarget) -> Route {
        let origin = target.origin
        if let known = routes[origin] { return known }
        let route = Route(
            target: target,
            leadsTo: places.place(of: target.host, port: target.port),
            takesOwnHeaders: authorisedHosts.areHeadersFor(target),
            through: proxy?.isPassed(by: target) == true ? nil : proxy
        )
        route.takesHTTP1 = clearsToHTTP1 && !route.isSecure
        routes[origin] = route
        return route
    }
}
