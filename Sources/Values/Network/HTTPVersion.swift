/// Protocol that requests are sent over, as profiles name it.
package enum HTTPVersion: String, Sendable, CaseIterable {
    case http1
    /// HTTP/2 by ALPN over TLS (HTTP/1.1 where the server offers no other) and by prior knowledge without TLS.
    case http2
    /// As `http2` over TLS, HTTP/1.1 without.
    case http2OrHTTP1 = "http2-or-http1"

    package var name: String {
        switch self {
        case .http1: "http/1.1"
        case .http2: "h2"
        case .http2OrHTTP1: "h2 or http/1.1"
        }
    }
}

package enum CarrierChoice: String, Sendable, CaseIterable {
    /// HTTP/1.1 and HTTP/2 on podswarm's own exchange, the rest on libcurl.
    case auto
    case curl
}
