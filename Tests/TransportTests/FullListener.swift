import Glibc
import TestSupport

@testable import Transport

/// Listens with a full accept queue: the kernel drops what else knocks.
final class FullListener: Sendable {
    private let listener: LoopbackPort
    private let callers: [Int32]

    init(address: String = "127.0.0.1") throws {
        // The queue holds one connection more than the backlog.
        let listener = try LoopbackPort(address: address, backlog: 0)
        self.listener = listener
        let place = SocketAddress(numeric: address, port: listener.number)
        callers = (0..<4).compactMap { _ in
            guard let place, case .underWay(let caller) = ConnectingSocket.open(to: place, from: nil)
            else { return nil }
            return caller
        }
    }

    var port: UInt16 { listener.number }

    func stop() { for caller in callers { close(caller) } }
}
