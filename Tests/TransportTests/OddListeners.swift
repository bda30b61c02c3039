import Foundation
import Glibc

/// Accepts and talks first, whatever the peer says.
final class GreetingServer: Sendable {
    let port: UInt16
    private let listener: Int32

    init(_ greeting: String) throws {
        let (descriptor, port) = try listeningSocket()
        listener = descriptor
        self.port = port
        let bytes = Array(greeting.utf8)
        Thread.detachNewThread {
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                var rest = [UInt8](repeating: 0, count: 4096)
                while read(connection, &rest, rest.count) > 0 {}
                close(connection)
            }
        }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}

/// Listens with a full accept queue: the kernel drops what else knocks.
final class FullListener: Sendable {
    let port: UInt16
    private let listener: Int32
    private let callers: [Int32]

    init() throws {
        let (descriptor, port) = try listeningSocket()
        // listen again shrinks the queue: one connection more than the backlog fits.
        listen(descriptor, 0)
        listener = descriptor
        self.port = port
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
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

    func stop() {
        for caller in callers { close(caller) }
        close(listener)
    }
}
