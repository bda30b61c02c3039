import Synchronization
import Values

/// Each origin is authorised and looked up once.
final class OriginTable {
    /// For `PreparedRequest.routedBy`.
    private static let nextIdentity = Atomic<UInt64>(1)

    private let identity: UInt64
    private let authorisedHosts: AuthorisedHosts
    let places: FixedPlaces
    /// Servers without TLS get HTTP/1.1, though others are offered HTTP/2.
    private let clearsToHTTP1: Bool
    private let proxy: ProxyRoute?
    private var routes: [String: Route] = [:]

    init(_ configuration: TransportConfiguration) throws(TransportError) {
        identity = Self.nextIdentity.wrappingAdd(1, ordering: .relaxed).oldValue
        authorisedHosts = configuration.authorisedHosts
        places = FixedPlaces(resolve: configuration.resolve, connectTo: configuration.connectTo)
        clearsToHTTP1 = configuration.httpVersion == .http2OrHTTP1
        if let address = configuration.proxy {
            proxy = try ProxyRoute(address, exceptions: configuration.noProxy)
        } else {
            proxy = nil
        }
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
