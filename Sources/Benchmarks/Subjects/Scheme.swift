import ArgumentParser

enum Scheme: String, Codable, CaseIterable, ExpressibleByArgument {
    case http
    case tls
    case http2
    /// HTTP/2 by prior knowledge (RFC 9113 section 3.3).
    case h2c

    var isSecure: Bool { self == .tls || self == .http2 }
    var isHTTP2: Bool { self == .http2 || self == .h2c }

    var name: String {
        switch self {
        case .http: "HTTP"
        case .tls: "TLS 1.3"
        case .http2: "HTTP/2"
        case .h2c: "HTTP/2 in the clear"
        }
    }

    /// The generators that can give each viewer a connection of its own: wrk has no HTTP/2, hey has one connection.
    var peers: [Peer] {
        isHTTP2 ? [.h2load] : Peer.allCases
    }
}
