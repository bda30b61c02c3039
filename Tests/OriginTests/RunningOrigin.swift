import Foundation
import NIOCore
import NIOPosix
import OriginServing
import TestSupport
import Testing

@testable import Origin

/// Starts an origin on a free port for as long as a closure runs.
func withOrigin<Outcome: Sendable>(
    _ configuration: OriginConfiguration = OriginConfiguration(),
    _ body: @Sendable (OriginServer, Int) async throws -> Outcome
) async throws -> Outcome {
    let server = try OriginServer(configuration: configuration)
    return try await LentServer.serving(run: server.run, stop: server.stop) { port in
        try await body(server, port)
    }
}

/// The same with a channel plan, or planned faults, in YAML.
func withOrigin<Outcome: Sendable>(
    channel: String? = nil,
    faults: String? = nil,
    _ configuration: OriginConfiguration = OriginConfiguration(),
    _ body: @Sendable (OriginServer, Int) async throws -> Outcome
) async throws -> Outcome {
    let folder = try TemporaryFolder()
    var configuration = configuration
    configuration.channelPlanPath = try channel.map { try folder.write($0, to: "channel.yaml") }
    configuration.faultPlanPath = try faults.map { try folder.write($0, to: "faults.yaml") }
    return try await withOrigin(configuration, body)
}

/// Sends bytes over one plain connection and returns what comes back until the server closes it.
struct RawClient {
    let port: Int

    func send(_ text: String) async throws -> String {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
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
