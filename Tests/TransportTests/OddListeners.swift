import Foundation
import Glibc
import TestSupport

/// Accepts and talks first, whatever the peer says.
final class GreetingServer: Sendable {
    private let listener: LoopbackPort

    init(_ greeting: String) throws {
        let listener = try LoopbackPort()
        self.listener = listener
        let bytes = Array(greeting.utf8)
        Thread.detachNewThread {
            while let connection = listener.accept() {
                send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                var rest = [UInt8](repeating: 0, count: 4096)
                while read(connection, &rest, rest.count) > 0 {}
                close(connection)
            }
        }
    }

    var port: UInt16 { listener.number }

    func stop() { listener.shutDown() }
}

/// Listens with a full accept queue: the kernel drops what else knocks.
final class FullListener: Sendable {
    private let listener: LoopbackPort
    private let callers: [Int32]

    init() throws {
        // The queue holds one connection more than the backlog.
        let listener = try LoopbackPort(backlog: 0)
        self.listener = listener
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = listener.number.bigEndian
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        callers = (0..<4).map { _ in
            let caller = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            withUnsafeBytes(of: &name) { bytes in
                if let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) {
                    _ = connect(caller, base, socklen_t(bytes.count))
                }
            }
            return caller
        }
    }

    var port: UInt16 { listener.number }

    func stop() {
        for caller in callers { close(caller) }
    }
}
