import Glibc

/// A TCP port of the loopback address that nothing listens on, kept from others as long as this value lives.
final class LocalPort: Sendable {
    struct Refused: Error {
        let call: String
        let code: Int32
    }

    let number: Int
    private let socket: Int32

    init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { throw Refused(call: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = socket
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw Refused(call: "bind", code: errno)
        }
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit {
        close(socket)
    }
}
