// Depending on the build, the socket headers belong to one of these modules.
import CCurl
import CLinux
import Glibc
package import Values

package struct SocketAddress {
    let address: IPAddress
    private let port: UInt16

    package init(_ address: IPAddress, port: UInt16) { (self.address, self.port) = (address, port) }

    /// nil for a family other than IPv4 and IPv6.
    init?(_ place: UnsafePointer<sockaddr>, size: socklen_t) {
        let bytes = UnsafeRawBufferPointer(start: place, count: Int(size))
        switch Int32(place.pointee.sa_family) {
        case AF_INET where bytes.count >= 16: address = IPAddress(bytes: bytes[4..<8])
        case AF_INET6 where bytes.count >= 28: address = IPAddress(bytes: bytes[8..<24])
        default: return nil
        }
        // At the same offset in both families.
        port = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
    }

    var family: Int32 { address.isVersion6 ? AF_INET6 : AF_INET }

    var text: String { address.text.authority(port: port) }

    /// 0 or the error number.
    func pass(to call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32) -> Int32 {
        var bytes = withUnsafeBytes(of: sa_family_t(family)) { Array($0) }
        bytes += [UInt8(port >> 8), UInt8(truncatingIfNeeded: port)]
        // IPv6 has its flow here, and its scope behind the address, where IPv4 is filled up.
        if address.isVersion6 { bytes += [0, 0, 0, 0] }
        bytes += address.bytes
        bytes += Array(repeating: 0, count: address.isVersion6 ? 4 : 8)
        return bytes.withUnsafeBytes { bytes in
            guard let place = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return EINVAL }
            return call(descriptor, place, socklen_t(bytes.count)) == 0 ? 0 : errno
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

    /// Binds a socket of any family to an address of this machine; 0 or the error number.
    ///
    /// `IP_BIND_ADDRESS_NO_PORT` (ip(7)) leaves the port to connect, so that only the pair of both ends has to be unique:
    /// libcurl's `CURLOPT_INTERFACE` would use up one port per socket.
    static func bind(_ descriptor: Int32, family: Int32, to source: IPAddress) -> Int32 {
        let place = SocketAddress(source, port: 0)
        guard family == place.family else { return EADDRNOTAVAIL }
        let addressBindNoPort: Int32 = 24
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_IP), addressBindNoPort, &on, socklen_t(MemoryLayout<Int32>.size))
        return place.pass(to: Glibc.bind, descriptor)
    }
}

/// A socket whose connect was begun.
package enum ConnectingSocket {
    case underWay(Int32)
    /// The error number; the socket is closed.
    case refused(Int32)

    /// Begins to connect without waiting; the caller owns the descriptor.
    package static func open(to place: SocketAddress, from source: IPAddress?) -> ConnectingSocket {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(place.family, kind, Int32(IPPROTO_TCP))
        guard descriptor >= 0 else { return .refused(errno) }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        // If the kernel refuses, answers have no stamps.
        _ = podswarm_stamp_receipts(descriptor)
        var number = source.map { SocketAddress.bind(descriptor, family: place.family, to: $0) } ?? 0
        if number == 0 { number = place.pass(to: connect, descriptor) }
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
