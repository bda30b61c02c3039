import Foundation
import Glibc
import Results
import TestSupport
import Transport
import Values

@testable import Rehearsal

/// A rendezvous on a free loopback port, for as long as a closure runs.
struct RunningRendezvous: Sendable {
    static let token = "Hush-4f1c9d27e8-whispered/now=="
    static let runID = "nightly-17_3.a"

    let port: Int
    var url: String { "http://127.0.0.1:\(port)" }

    /// Serves a folder, or one that is there only meanwhile, and stops whatever becomes of the body.
    static func serving<Outcome>(
        _ path: String? = nil,
        token: String? = nil,
        _ body: (RunningRendezvous) async throws -> Outcome
    ) async throws -> Outcome {
        let own = try TemporaryFolder()
        let address = ListeningAddress(host: "127.0.0.1", port: 0)
        let server = try await RendezvousServer.listen(at: address, folder: path ?? own.path, token: token)
        defer { withExtendedLifetime(own) {} }
        return try await ending(
            { await server.stop() },
            after: { try await body(RunningRendezvous(port: server.port)) }
        )
    }

    func asking<Outcome>(
        token: String? = nil,
        _ body: (any RendezvousPlace) async throws -> Outcome
    ) async throws -> Outcome {
        let http = try await RendezvousHTTP(url: url, runID: Self.runID, token: token, patience: Patience.limit)
        return try await http.closed(after: body)
    }

    /// What comes back for exactly these bytes, up to the end of the connection.
    func raw(_ request: String) async throws -> RawConnection.Answer {
        try await RawConnection.answer(to: request, port: port, endsInput: true)
    }

    func ask(_ method: String, _ path: String, _ fields: [String] = []) async throws -> RawConnection.Answer {
        let own = fields.contains { $0.lowercased().hasPrefix("host:") } ? [] : ["Host: 127.0.0.1:\(port)"]
        let lines = ["\(method) \(path) HTTP/1.1"] + own + ["Connection: close"] + fields
        return try await raw(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }
}

/// A server that answers whatever is asked with what a closure makes of it, one connection after the other.
final class ForeignRendezvous: Sendable {
    private let port: LoopbackPort

    var url: String { "http://127.0.0.1:\(port.number)" }

    init(_ answer: @escaping @Sendable (String) -> (status: String, body: String)) throws {
        let port = try LoopbackPort()
        self.port = port
        Thread.detachNewThread {
            while let connection = port.accept() {
                var request: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while request.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
                    let count = recv(connection, &buffer, buffer.count, 0)
                    guard count > 0 else { break }
                    request += buffer.prefix(count)
                }
                let (status, body) = answer(String(decoding: request, as: UTF8.self))
                let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)", "Connection: close"]
                let bytes = Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
                _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                close(connection)
            }
        }
    }

    deinit { port.shutDown() }
}
