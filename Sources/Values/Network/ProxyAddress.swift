/// A proxy that requests go through, with the credentials that it wants.
package struct ProxyAddress: Equatable, Sendable, CustomStringConvertible {
    package enum Scheme: String, CaseIterable, Sendable {
        case http, https
        /// SOCKS 5 (RFC 1928); names are looked up before.
        case socks5
        /// SOCKS 5; the proxy looks names up.
        case socks5h

        package var isSOCKS: Bool { self == .socks5 || self == .socks5h }
    }

    package let scheme: Scheme
    /// In lower case, without brackets.
    package let host: String
    package let port: Int
    package let user: String?
    package let password: String?

    package init(scheme: Scheme, host: String, port: Int, user: String? = nil, password: String? = nil) {
        (self.scheme, self.host, self.port) = (scheme, host, port)
        (self.user, self.password) = (user, password)
    }

    /// The URL without credentials, as results and messages show it.
    package var description: String { "\(scheme.rawValue)://\(host.authority(port: port))" }

    /// Whether requests to a host go past every proxy.
    ///
    /// Each exception is in the form of `CURLOPT_NOPROXY`: `*`, a host that stands for those below it too, an address, or a
    /// network such as `192.0.2.0/24`. `host` is in lower case, without brackets or a final dot.
    package static func isPassed(by host: String, exceptions: [String]) -> Bool {
        let address = IPAddress(host)
        return exceptions.contains { exception in
            if exception == "*" { return true }
            if let address { return IPNetwork(exception)?.contains(address) == true }
            var name = exception.lowercased()[...]
            if name.hasPrefix(".") { name = name.dropFirst() }
            if name.hasSuffix(".") { name = name.dropLast() }
            return host == name || host.hasSuffix(".\(name)")
        }
    }
}
