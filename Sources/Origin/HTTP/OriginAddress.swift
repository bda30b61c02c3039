import Profile
import Synchronization

/// Absolute URIs in live playlists, which are shared: no request's authority can be repeated.
final class OriginAddress: Sendable {
    private let scheme: String
    private let host: String
    private let text: Mutex<String>

    init(_ configuration: OriginConfiguration) {
        scheme = configuration.usesTLS ? "https" : "http"
        switch configuration.host {
        // Clients cannot use wildcard addresses.
        case "0.0.0.0", "": host = "127.0.0.1"
        case "::": host = "[::1]"
        case let other: host = other.contains(":") ? "[\(other)]" : other
        }
        text = Mutex("\(scheme)://\(host):\(configuration.port)")
    }

    var base: String { text.withLock { $0 } }

    func listens(on port: Int) { text.withLock { $0 = "\(scheme)://\(host):\(port)" } }
}
