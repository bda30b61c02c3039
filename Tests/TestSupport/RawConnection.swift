import Foundation
import Glibc

/// One plain TCP connection to a port of this machine, which sends exactly the bytes that a test gives it.
package final class RawConnection: Sendable {
    package struct Answer: Sendable {
        package let text: String
        /// Whether the connection was reset instead of closed.
        package let isReset: Bool

        /// The number of the status line, 0 without one.
        package var status: Int { text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) } ?? 0 }
        package var body: String { text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n") }
    }

    enum Failure: Error { case reset, other }

    private let descriptor: Int32

    /// Connects, and sends a text; returns when the kernel has all of it, however late the server accepts.
    ///
    /// - Throws: `POSIXError` where nothing listens there.
    package init(host: String = "127.0.0.1", port: Int, sending text: String, endsInput: Bool = false) throws {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found?.pointee else {
            throw POSIXError(.EADDRNOTAVAIL)
        }
        defer { freeaddrinfo(found) }
        descriptor = socket(address.ai_family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 else { throw POSIXError(.ECONNREFUSED) }
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

    package func answer() async -> Answer {
        await Self.onThread { [self] in
            var answer: [UInt8] = []
            var last = read()
            while case .success(let bytes) = last, !bytes.isEmpty {
                answer += bytes
                last = read()
            }
            return Answer(text: String(decoding: answer, as: UTF8.self), isReset: last == .failure(.reset))
        }
    }

    /// Bytes that come next; nothing at the end of the connection.
    func read() -> Result<[UInt8], Failure> {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { return .failure(errno == ECONNRESET ? .reset : .other) }
        return .success(Array(buffer.prefix(count)))
    }

    /// A read blocks its thread, which is none of the pool: the server that answers may need that.
    static func onThread<Outcome: Sendable>(_ body: @escaping @Sendable () -> Outcome) async -> Outcome {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }

    /// Resets the connection (`tcp_disconnect` of Linux, which a connect to no address is).
    package func reset() {
        var nowhere = sockaddr()
        nowhere.sa_family = sa_family_t(AF_UNSPEC)
        connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Sends a text over a connection of its own, and returns all that comes back.
    package static func answer(to text: String, port: Int, endsInput: Bool = false) async throws -> Answer {
        try await RawConnection(port: port, sending: text, endsInput: endsInput).answer()
    }
}
