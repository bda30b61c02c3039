import Destinations
import Sockets

/// Where requests of one scheme, host and port go (RFC 6454), and what is known about that server.
final class Route {
    let target: RequestTarget
    /// Whether the profile's headers are for this server.
    let takesOwnHeaders: Bool
    var isSecure: Bool { target.scheme == "https" }
    /// Over TLS it was offered HTTP/2 and chose HTTP/1.1, or it wanted a request over HTTP/1.1 (HTTP_1_1_REQUIRED).
    var choseHTTP1 = false
    /// Addresses that the host's name stands for; empty until looked up.
    ///
    /// Their order stays, because connections in the making count on it.
    var addresses: [SocketAddress] = []
    /// Index of the address that answered last: it is tried first.
    var preferredAddress: Int32 = 0
    var isResolving = false

    init(target: RequestTarget, takesOwnHeaders: Bool = true) {
        self.target = target
        self.takesOwnHeaders = takesOwnHeaders
    }
}
