import Profile
import Synchronization

/// Scheme and authority of absolute URIs in live playlists.
///
/// All clients share a live playlist, so that it cannot repeat the authority of a request. The port is known once the server
/// listens.
final class OriginAddress: Sendable {
    private let scheme: String
    private let host: String
    private let text: Mutex<String>

    init(_ configuration: OriginConfiguration) {
        scheme = configuration.usesTLS ? "https" : "http"
        switch configuration.host {
        // Wildcard addresses are no addresses for clients.
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
