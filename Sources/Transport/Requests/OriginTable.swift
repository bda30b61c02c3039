import Synchronization
import Values

/// Each origin is authorised and looked up once.
final class OriginTable {
    private struct Origin: Hashable {
        let scheme: String
        let host: String
        let port: UInt16
    }

    /// For `PreparedRequest.routedBy`.
    private static let nextIdentity = Atomic<UInt64>(1)

    private let identity: UInt64
    private let authorisedHosts: AuthorisedHosts
    let places: FixedPlaces
    /// Servers without TLS get HTTP/1.1, though others are offered HTTP/2.
    private let clearsToHTTP1: Bool
    private let proxy: ProxyRoute?
    private var routes: [Origin: Route] = [:]

    init(
        authorisedHosts: AuthorisedHosts,
        places: FixedPlaces = FixedPlaces(resolve: [], connectTo: []),
        version: HTTPVersion = .http1,
        proxy: ProxyRoute? = nil
    ) {
        identity = Self.nextIdentity.wrappingAdd(1, ordering: .relaxed).oldValue
        self.authorisedHosts = authorisedHosts
        self.places = places
        clearsToHTTP1 = version == .http2OrHTTP1
        self.proxy = proxy
    }

    /// nil when the request may not be sent, or has a body for another server; the request remembers its route, and drops
    /// headers that are not for that server.
    func route(of request: PreparedRequest) -> Route? {
        if request.routedBy == identity { return request.route }
        guard let target = request.target, authorisedHosts.permits(target) else { return nil }
        let route = route(to: target)
        guard route.takesOwnHeaders || request.body == nil else { return nil }
        request.remember(route, by: identity)
        return route
    }

    private func route(to target: RequestTarget) -> Route {
        let origin = Origin(scheme: target.scheme, host: target.host, port: target.port)
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
