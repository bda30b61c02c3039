import Profile
import TestSupport
import Testing

@testable import Origin

/// Runs an origin on a free port for as long as a closure does, with a channel plan or planned faults in YAML.
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
    let server = try OriginServer(configuration: configuration)
    return try await LentServer.serving(run: server.run, stop: server.stop) { port in try await body(server, port) }
}

/// Sends bytes over one plain connection and returns what comes back until the server closes it.
struct RawClient {
    let port: Int

    func send(_ text: String) async throws -> String { try await RawConnection.answer(to: text, port: port).text }

    func get(_ path: String, viewer: Int = 1, fields: String = "") async throws -> String {
        try await send(
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nx-podswarm-viewer: \(viewer)\r\n\(fields)Connection: close\r\n\r\n"
        )
    }
}
