/// Scheme, host and port of a URL (RFC 6454 section 4).
package struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    package var scheme: String
    /// Lower case; an IPv6 address keeps its brackets.
    package var host: String
    /// The explicit port, or the scheme's.
    package var port: Int
    /// Whether the host is this machine's loopback, which needs no authorisation.
    package let isLoopback: Bool

    /// Nil for anything but an absolute http or https URL.
    package init?(of url: String) {
        guard let address = WebAddress(url) else { return nil }
        scheme = url.lowercased().hasPrefix("https:") ? "https" : "http"
        host = address.host
        port = address.port
        isLoopback = address.isLoopback
    }

    package var description: String {
        port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }
}
