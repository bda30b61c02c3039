import Foundation
import Glibc
import TestSupport

/// Listens with a full accept queue: the kernel drops what else knocks.
final class FullListener: Sendable {
    private let listener: LoopbackPort
    private let callers: [Int32]

    init() throws {
        // The queue holds one connection more than the backlog.
        let listener = try LoopbackPort(backlog: 0)
        self.listener = listener
        var name = sockaddr_in()
        (name.sin_family, name.sin_port) = (sa_family_t(AF_INET), listener.number.bigEndian)
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

    func stop() { for caller in callers { close(caller) } }
}
