import Glibc

/// A numeric local address to connect from.
package struct SourceAddress: Sendable {
    private let address: SocketAddress

    package init(_ text: String) throws(TransportError) {
        var bytes = in6_addr()
        // The look-up also accepts addresses with fewer numbers.
        guard inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1,
            let address = SocketAddress(numeric: text, port: 0)
        else { throw .invalidSourceAddress(text) }
        self.address = address
    }

    /// Binds a socket; false with `errno` set when that is impossible.
    ///
    /// `IP_BIND_ADDRESS_NO_PORT` (ip(7)) leaves the choice of port to connect, so that only the pair of both ends has
    /// to be unique: libcurl's own `CURLOPT_INTERFACE` would use up one port per socket whatever the destination.
    package func bind(_ descriptor: Int32, family: Int32) -> Bool {
        guard family == address.family else {
            errno = EADDRNOTAVAIL
            return false
        }
        let addressBindNoPort: Int32 = 24
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_IP), addressBindNoPort, &on, socklen_t(MemoryLayout<Int32>.size))
        return address.bind(descriptor) == 0
    }
}
