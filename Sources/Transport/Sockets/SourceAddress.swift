import Glibc

/// A numeric local address to connect from.
package struct SourceAddress: Sendable {
    private let family: Int32
    private let address4: in_addr
    private let address6: in6_addr

    package init(_ text: String) throws(TransportError) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            family = AF_INET
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            family = AF_INET6
        } else {
            throw .invalidSourceAddress(text)
        }
        address4 = four
        address6 = six
    }

    /// Binds a socket; false with `errno` set when that is impossible.
    ///
    /// `IP_BIND_ADDRESS_NO_PORT` (ip(7)) leaves the choice of port to connect, so that only the pair of both ends has
    /// to be unique: libcurl's own `CURLOPT_INTERFACE` would use up one port per socket whatever the destination.
    package func bind(_ descriptor: Int32, family socketFamily: Int32) -> Bool {
        guard socketFamily == family else {
            errno = EADDRNOTAVAIL
            return false
        }
        let addressBindNoPort: Int32 = 24
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_IP), addressBindNoPort, &on, socklen_t(MemoryLayout<Int32>.size))
        if family == AF_INET {
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_addr = address4
            return Self.bind(descriptor, &name, MemoryLayout<sockaddr_in>.size)
        }
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_addr = address6
        return Self.bind(descriptor, &name, MemoryLayout<sockaddr_in6>.size)
    }

    private static func bind(_ descriptor: Int32, _ name: UnsafeRawPointer, _ size: Int) -> Bool {
        Glibc.bind(descriptor, name.assumingMemoryBound(to: sockaddr.self), socklen_t(size)) == 0
    }
}
