import Values

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
