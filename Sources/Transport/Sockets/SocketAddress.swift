// Depending on the build, the socket headers belong to one of these modules.
import CCurl
import CLinux
import Glibc
import Values

package struct SocketAddress: Equatable, Sendable {
    package let family: Int32
    private var bytes: InlineArray<28, UInt8>
    private let size: socklen_t

    package static func == (left: SocketAddress, right: SocketAddress) -> Bool {
        left.size == right.size && left.bytes.span.indices.allSatisfy { left.bytes[$0] == right.bytes[$0] }
    }

    /// nil for a family other than IPv4 and IPv6.
    init?(_ address: UnsafePointer<sockaddr>, size: socklen_t) {
        guard Int(size) <= 28 else { return nil }
        family = Int32(address.pointee.sa_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        self.size = size
        let source = UnsafeRawBufferPointer(start: address, count: Int(size))
        bytes = InlineArray { index in index < source.count ? source[index] : 0 }
    }

    /// nil for a name.
    package init?(numeric text: String, port: UInt16) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(text, String(port), &hints, &list) == 0, let list else { return nil }
        defer { freeaddrinfo(list) }
        guard let address = list.pointee.ai_addr else { return nil }
        self.init(address, size: list.pointee.ai_addrlen)
    }

    package static func isNumeric(_ text: String) -> Bool { SocketAddress(numeric: text, port: 0) != nil }

    func at(port: UInt16) -> SocketAddress {
        var other = self
        (other.bytes[2], other.bytes[3]) = (UInt8(port >> 8), UInt8(truncatingIfNeeded: port))
        return other
    }

    var isVersion6: Bool { family == AF_INET6 }

    /// IPv6 before IPv4, and then by bytes.
    static func precedes(_ left: SocketAddress, _ right: SocketAddress) -> Bool {
        guard left.family == right.family else { return left.isVersion6 }
        let difference = left.bytes.span.indices.first { left.bytes[$0] != right.bytes[$0] }
        return difference.map { left.bytes[$0] < right.bytes[$0] } ?? false
    }

    /// Without the port; equal on every machine and in every release.
    var hash: UInt64 {
        var hash = FNV1a()
        for index in 4..<28 { hash.add(UInt64(bytes[index])) }
        return hash.value
    }

    /// 0 or the error number.
    package func connect(_ descriptor: Int32) -> Int32 { pass(to: Glibc.connect, descriptor) }

    private func pass(to call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32) -> Int32 {
        withUnsafeBytes(of: bytes) { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return EINVAL }
            return call(descriptor, start, size) == 0 ? 0 : errno
        }
    }

    /// 0 where it is unknown.
    package static func localPort(of descriptor: Int32) -> UInt16 {
        var name = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &name) { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                getsockname(descriptor, start, &size) == 0
            else { return 0 }
            return SocketAddress(start, size: size)?.port ?? 0
        }
    }

    /// As in a URL.
    var text: String { host.authority(port: port) }

    private var port: UInt16 {
        // At the same offset in both families.
        UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    }

    /// Without the port (RFC 5952).
    var host: String { IPAddress(bytes: (isVersion6 ? 8..<24 : 4..<8).map { bytes[$0] }).text }

    // Addresses of this machine that connections start from.

    init(source text: String) throws(TransportError) {
        // The look-up also accepts addresses with fewer numbers.
        guard IPAddress(text) != nil, let address = SocketAddress(numeric: text, port: 0) else {
            throw .invalidSourceAddress(text)
        }
        self = address
    }

    /// False with `errno` set.
    ///
    /// `IP_BIND_ADDRESS_NO_PORT` (ip(7)) leaves the port to connect, so that only the pair of both ends has to be unique:
    /// libcurl's `CURLOPT_INTERFACE` would use up one port per socket.
    func bind(_ descriptor: Int32, family: Int32) -> Bool {
        guard family == self.family else {
            errno = EADDRNOTAVAIL
            return false
        }
        let addressBindNoPort: Int32 = 24
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_IP), addressBindNoPort, &on, socklen_t(MemoryLayout<Int32>.size))
        return pass(to: Glibc.bind, descriptor) == 0
    }
}

/// A socket whose connect was begun.
package enum ConnectingSocket {
    case underWay(Int32)
    /// The error number; the socket is closed.
    case refused(Int32)

    /// Begins to connect without waiting; the caller owns the descriptor.
    package static func open(to address: SocketAddress, from source: SocketAddress?) -> ConnectingSocket {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, kind, Int32(IPPROTO_TCP))
        guard descriptor >= 0 else { return .refused(errno) }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        // If the kernel refuses, answers have no stamps.
        _ = podswarm_stamp_receipts(descriptor)
        let number: Int32 =
            if let source, !source.bind(descriptor, family: address.family) {
                errno
            } else {
                address.connect(descriptor)
            }
        guard number == 0 || number == EINPROGRESS else {
            Glibc.close(descriptor)
            return .refused(number)
        }
        return .underWay(descriptor)
    }

    /// Bytes of payload, half of the kernel's buffer (SO_RCVBUF in socket(7)).
    package static func receiveBuffer(of descriptor: Int32) -> Int {
        var bytes: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, &size) == 0 ? Int(bytes) / 2 : 0
    }

    /// 0 or the error number.
    package static func outcome(_ descriptor: Int32) -> Int32 {
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size) == 0 ? number : errno
    }
}

/// The text of each peer address of a transport is made once; confined to its loop.
package final class RemoteAddresses {
    /// Also when all numbers are given.
    package static let none: UInt16 = 0

    private var texts = [""]
    private var numbers: [String: UInt16] = [:]

    package init() {}

    /// In the form of `SocketAddress.text`; 0 for none.
    package func number(of text: String) -> UInt16 {
        guard !text.isEmpty else { return Self.none }
        if let known = numbers[text] { return known }
        guard let next = UInt16(exactly: texts.count) else { return Self.none }
        texts.append(text)
        numbers[text] = next
        return next
    }

    /// Empty for none.
    package func text(_ number: UInt16) -> String { Int(number) < texts.count ? texts[Int(number)] : "" }
}
