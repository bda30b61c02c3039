import ArgumentParser

/// What carries the requests.
enum Scheme: String, Codable, CaseIterable, ExpressibleByArgument {
    case http
    case tls
    case http2

    var isSecure: Bool { self != .http }

    var name: String {
        switch self {
        case .http: "HTTP"
        case .tls: "TLS 1.3"
        case .http2: "HTTP/2"
        }
    }

    /// The generators that can give each viewer a connection of its own: wrk has no HTTP/2, hey has one connection.
    var peers: [Peer] {
        self == .http2 ? [.h2load] : Peer.allCases
    }
}
