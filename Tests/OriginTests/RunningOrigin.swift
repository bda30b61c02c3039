import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Programs
import Testing

@testable import Origin

/// Starts an origin on a free port for as long as a closure runs.
func withOrigin<Outcome: Sendable>(
    _ configuration: OriginConfiguration = OriginConfiguration(),
    _ body: @Sendable (OriginServer, Int) async throws -> Outcome
) async throws -> Outcome {
    let server = try OriginServer(configuration: configuration)
    let (ports, announce) = AsyncStream.makeStream(of: Int.self)
    let running = Task {
        defer { announce.finish() }
        try await server.run { announce.yield($0) }
    }
    var iterator = ports.makeAsyncIterator()
    guard let port = await iterator.next() else {
        try await running.value
        throw ClipError(description: "the origin ended without having started")
    }
    let outcome: Result<Outcome, any Error>
    do {
        outcome = .success(try await body(server, port))
    } catch {
        outcome = .failure(error)
    }
    server.stop()
    try await running.value
    return try outcome.get()
}

/// Sends bytes over one connection and returns what comes back until the server closes it.
struct RawClient {
    let port: Int
    /// PEM of the certificate to trust; nil for a plain connection.
    var trusted: String?

    func send(_ text: String) async throws -> String {
        let context = try trusted.map { pem in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)))
            return try NIOSSLContext(configuration: configuration)
        }
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        let tls = try NIOSSLClientHandler(context: context, serverHostname: "localhost")
                        try channel.pipeline.syncOperations.addHandler(tls)
                    }
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var answer = ByteBuffer()
            for try await part in inbound { answer.writeImmutableBuffer(part) }
            return String(buffer: answer)
        }
    }

    /// A GET after which the server is to close the connection.
    func get(_ path: String, viewer: Int = 1, fields: String = "") async throws -> String {
        try await send(
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nx-podswarm-viewer: \(viewer)\r\n\(fields)Connection: close\r\n\r\n"
        )
    }
}

/// A program of the system; a missing one is an error, never a skipped test.
struct Tool {
    let path: String

    func run(_ arguments: [String]) async throws -> ProgramOutput {
        try await ProgramOutput.whileOthersRun(path, arguments)
    }
}
