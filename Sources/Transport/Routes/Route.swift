/// The scheme, host and port of requests (RFC 6454), and the state of that server.
final class Route {
    let target: RequestTarget
    /// Whether the profile's headers are for this server.
    let takesOwnHeaders: Bool
    var isSecure: Bool { target.scheme == "https" }
    /// Over TLS it was offered HTTP/2 and chose HTTP/1.1, or it wanted a request over HTTP/1.1 (HTTP_1_1_REQUIRED).
    var choseHTTP1 = false
    /// Addresses of the host's name, in a fixed order that openings depend on; empty until looked up.
    var addresses: [SocketAddress] = []
    /// Index of the address that answered last: it is tried first.
    var preferredAddress: Int32 = 0
    var isResolving = false

    init(target: RequestTarget, takesOwnHeaders: Bool = true) {
        self.target = target
        self.takesOwnHeaders = takesOwnHeaders
    }
}
