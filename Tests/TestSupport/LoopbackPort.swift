import Foundation
import Glibc

/// A TCP port of a loopback address that the kernel chose, nobody else's as long as this value lives.
///
/// A program that inherits the descriptor serves there: no port is lost between choosing and using it, and who connects
/// before the program is ready waits in the kernel's queue.
package final class LoopbackPort: Sendable {
    package let number: UInt16
    package let descriptor: Int32

    /// Binds a socket, and listens if `backlog` is not nil.
    ///
    /// A port without a listener refuses every connection. One that may be bound again (`SO_REUSEADDR`, socket(7)) is kept for
    /// a server that takes no socket over and tells no port that the kernel chose: the kernel gives it to no other program. A
    /// `wanted` port is one that this process has on another address; 0 leaves the choice to the kernel.
    package init(
        address: String = "127.0.0.1",
        number wanted: UInt16 = 0,
        backlog: Int32? = 4096,
        mayBeBoundAgain: Bool = false
    ) throws {
        let isVersion6 = address.contains(":")
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(isVersion6 ? AF_INET6 : AF_INET, kind, 0)
        var yes: Int32 = 1
        if mayBeBoundAgain { setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4) }
        var name = sockaddr_in()
        (name.sin_family, name.sin_port) = (sa_family_t(AF_INET), wanted.bigEndian)
        name.sin_addr.s_addr = inet_addr(address)
        var name6 = sockaddr_in6()
        (name6.sin6_family, name6.sin6_port) = (sa_family_t(AF_INET6), wanted.bigEndian)
        inet_pton(AF_INET6, address, &name6.sin6_addr)
        let port =
            isVersion6
            ? Self.open(descriptor, as: &name6, port: \.sin6_port, backlog: backlog)
            : Self.open(descriptor, as: &name, port: \.sin_port, backlog: backlog)
        guard let port else {
            let code = errno
            Glibc.close(descriptor)
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EADDRNOTAVAIL)
        }
        number = port
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// The port that it got, nil where the system refused.
    private static func open<Name>(
        _ descriptor: Int32,
        as name: inout Name,
        port: KeyPath<Name, in_port_t>,
        backlog: Int32?
    ) -> UInt16? {
        var size = socklen_t(MemoryLayout<Name>.size)
        let isOpen = withUnsafeMutableBytes(of: &name) { bytes -> Bool in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return bind(descriptor, base, size) == 0 && (backlog.map { listen(descriptor, $0) == 0 } ?? true)
                && getsockname(descriptor, base, &size) == 0
        }
        return isOpen ? UInt16(bigEndian: name[keyPath: port]) : nil
    }

    /// The value of the variable `NGINX` by which nginx takes over sockets that it inherits as descriptor 3 and on
    /// (`ngx_add_inherited_sockets` of its `src/core/nginx.c`).
    package static func nginxVariable(count: Int) -> String { (3..<3 + count).map { "\($0);" }.joined() }

    /// Whether a program listens there.
    package var isServed: Bool { (try? RawConnection(port: Int(number), sending: "")) != nil }

    /// Takes one connection that waits, or waits for one; nil once it was shut down.
    package func accept() -> Int32? {
        let connection = Glibc.accept(descriptor, nil, nil)
        return connection >= 0 ? connection : nil
    }

    /// Lets whoever waits in ``accept()`` go, and takes no connection any more.
    package func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Open sockets of this process that are connected to it; what other tests open meanwhile does not count.
    package func connectionsFromThisProcess() -> Int {
        (0..<4096).count { descriptor in
            var name = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isConnected = withUnsafeMutableBytes(of: &name) { bytes -> Bool in
                guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
                return getpeername(Int32(descriptor), base, &size) == 0
            }
            return isConnected && name.sin_family == sa_family_t(AF_INET)
                && UInt16(bigEndian: name.sin_port) == number
        }
    }
}
