import Foundation
import Glibc
import Rendezvous
import RendezvousClient
import RendezvousServing
import Synchronization
import TestSupport
import Testing

/// A rendezvous on a free loopback port, for as long as a closure runs.
struct RunningRendezvous: Sendable {
    static let token = "Hush-4f1c9d27e8-whispered/now=="
    static let runID = "nightly-17_3.a"

    let port: Int
    let url: String

    /// Serves a folder, and stops whatever becomes of the body.
    static func serving<Outcome>(
        _ folder: String,
        token: String? = nil,
        _ body: (RunningRendezvous) async throws -> Outcome
    ) async throws -> Outcome {
        let server = try await RendezvousServer(.init(host: "127.0.0.1", port: 0, folder: folder, token: token))
        let outcome: Result<Outcome, any Error>
        do {
            outcome = .success(try await body(RunningRendezvous(port: server.port, url: server.url)))
        } catch {
            outcome = .failure(error)
        }
        await server.stop()
        return try outcome.get()
    }

    /// Lends the place as shards see it.
    func asking<Outcome>(
        token: String? = nil,
        _ body: (any RendezvousPlace) async throws -> Outcome
    ) async throws -> Outcome {
        let http = try await RendezvousHTTP(
            url: url,
            runID: Self.runID,
            token: token,
            patience: Patience.limit
        )
        return try await OpenRendezvous(place: http, close: { await http.shutDown() }).closed(after: body)
    }

    /// What comes back for exactly these bytes, up to the end of the connection.
    func raw(_ request: String) async throws -> String {
        let port = self.port
        // A thread of its own waits: the server answers on those of the pool.
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try Self.raw(request, port: port) }) }
        }
    }

    private static func raw(_ request: String, port: Int) throws -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
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
        let bytes = Array(request.utf8)
        // A server that refuses closes before all is sent.
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        shutdown(descriptor, Int32(SHUT_WR))
        return text(of: descriptor)
    }

    static func text(of descriptor: Int32, until isEnough: (String) -> Bool = { _ in false }) -> String {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(String(decoding: answer, as: UTF8.self)) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            answer += buffer.prefix(count)
        }
        return String(decoding: answer, as: UTF8.self)
    }

    /// The status line's number, and the whole answer.
    func ask(_ method: String, _ path: String, _ fields: [String] = []) async throws -> (status: Int, text: String) {
        let own = fields.contains { $0.lowercased().hasPrefix("host:") } ? [] : ["Host: 127.0.0.1:\(port)"]
        let lines = ["\(method) \(path) HTTP/1.1"] + own + ["Connection: close"] + fields
        let text = try await raw(lines.joined(separator: "\r\n") + "\r\n\r\n")
        let status = text.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) }
        return (try #require(status, "\(text)"), text)
    }
}

/// A server that answers whatever is asked with what a closure makes of it, one connection after the other.
final class ForeignRendezvous: Sendable {
    private let port: LoopbackPort

    var url: String { "http://127.0.0.1:\(port.number)" }

    /// - Parameter answer: The status line's end and the body, for the text of a request.
    /// - Throws: `POSIXError` where the system gives no port.
    init(_ answer: @escaping @Sendable (String) -> (status: String, body: String)) throws {
        let port = try LoopbackPort()
        self.port = port
        Thread.detachNewThread {
            while let connection = port.accept() {
                let request = RunningRendezvous.text(of: connection) { $0.contains("\r\n\r\n") }
                let (status, body) = answer(request)
                let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"]
                let bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
                _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                close(connection)
            }
        }
    }

    deinit { port.shutDown() }
}
