import Synchronization

/// The scheme and authority that absolute URIs in live playlists begin with.
///
/// Live playlists are made once for all who ask, so they cannot repeat the authority that each asked for. The port is
/// known once it is listened on.
final class OriginAddress: Sendable {
    private let scheme: String
    private let host: String
    private let text: Mutex<String>

    init(_ configuration: OriginConfiguration) {
        scheme = configuration.useTLS ? "https" : "http"
        switch configuration.host {
        // Who listens on every address has none to give away.
        case "0.0.0.0", "": host = "127.0.0.1"
        case "::": host = "[::1]"
        case let other: host = other.contains(":") ? "[\(other)]" : other
        }
        text = Mutex("\(scheme)://\(host):\(configuration.port)")
    }

    var base: String { text.withLock { $0 } }

    func listens(on port: Int) {
        text.withLock { $0 = "\(scheme)://\(host):\(port)" }
    }
}
