import Foundation
import Glibc

/// A TCP port of loopback that is kept for a server that takes no socket over and tells no port that the kernel chose.
///
/// Nobody listens to the socket, and it may be bound again (`SO_REUSEADDR`, socket(7)): a server that says so of its own,
/// as all that are run here do, listens there, and the kernel gives the port to nobody who asks for any.
final class ReservedPort: Sendable {
    let number: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var name = Self.loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = descriptor
        let isBound = Self.pointing(to: &name) { bind(socket, $0, size) == 0 && getsockname(socket, $0, &size) == 0 }
        guard isBound else {
            let code = errno
            close(descriptor)
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EADDRNOTAVAIL)
        }
        number = UInt16(bigEndian: name.sin_port)
    }

    deinit { close(descriptor) }

    /// Whether somebody listens there.
    var isServed: Bool {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        var name = Self.loopback(port: number)
        return Self.pointing(to: &name) { connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        return name
    }

    private static func pointing<Outcome>(
        to name: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>) -> Outcome
    ) -> Outcome {
        withUnsafeMutablePointer(to: &name) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
    }
}
