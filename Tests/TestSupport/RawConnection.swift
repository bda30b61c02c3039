import Foundation
import Glibc

/// One plain TCP connection to a loopback port, which sends exactly the bytes that a test gives it.
package final class RawConnection: Sendable {
    /// All that came up to the end of a connection.
    package struct Answer: Sendable {
        package let text: String
        /// Whether the connection was reset instead of closed.
        package let isReset: Bool

        /// The number of the status line, 0 without one.
        package var status: Int { text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) } ?? 0 }
        package var body: String { text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n") }
    }

    private let descriptor: Int32

    /// Connects, and sends a text; returns when the kernel has all of it, however late the server accepts.
    ///
    /// - Parameters:
    ///   - port: Of 127.0.0.1.
    ///   - text: May be empty.
    ///   - endsInput: Whether the server is told that nothing more comes.
    /// - Throws: `POSIXError` where nothing listens there.
    package init(port: Int, sending text: String, endsInput: Bool = false) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = in_port_t(port).bigEndian
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        let isConnected = withUnsafeMutableBytes(of: &name) { bytes in
            bytes.baseAddress.map {
                connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
            }
        }
        guard isConnected == true else { throw POSIXError(.ECONNREFUSED) }
        // A test that waits for what does not come fails instead of hanging.
        var patience = timeval(tv_sec: Int(Patience.limit.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            // A server that refuses closes before all is sent.
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            sent += count
        }
        if endsInput { shutdown(descriptor, Int32(SHUT_WR)) }
    }

    deinit { close(descriptor) }

    /// Reads to the end of the connection; a thread of its own waits, because servers answer on those of the pool.
    package func answer() async -> Answer {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var answer: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 65_536)
                var count = 0
                repeat {
                    count = recv(descriptor, &buffer, buffer.count, 0)
                    if count > 0 { answer += buffer.prefix(count) }
                } while count > 0
                let isReset = count < 0 && errno == ECONNRESET
                continuation.resume(returning: Answer(text: String(decoding: answer, as: UTF8.self), isReset: isReset))
            }
        }
    }

    /// Resets the connection (`tcp_disconnect` of Linux, which a connect to no address is).
    package func reset() {
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Sends a text over a connection of its own, and returns all that comes back.
    /// - Throws: `POSIXError` where nothing listens there.
    package static func answer(to text: String, port: Int, endsInput: Bool = false) async throws -> Answer {
        try await RawConnection(port: port, sending: text, endsInput: endsInput).answer()
    }
}
