import Foundation
import TestSupport

/// A server of `Tests/ForeignServers`, which prints its port.
enum PythonServer {
    /// Serves for as long as a body runs.
    ///
    /// - Parameters:
    ///   - name: Of the script, without its extension.
    ///   - arguments: Of the script.
    ///   - body: Is given the port, and what the server has printed once the body asks.
    /// - Returns: What the body returns.
    /// - Throws: Where the server does not start, and what the body throws.
    static func serving<Outcome: Sendable>(
        _ name: String,
        _ arguments: [String] = [],
        _ body: (_ port: Substring, _ printed: () -> String) async throws -> Outcome
    ) async throws -> Outcome {
        let script = PackageFolder.file("Tests/ForeignServers/\(name).py").path
        let server = try ChildProcess(try ExternalTool.python.path(), [script] + arguments)
        return try await server.stopped {
            try await server.wait(for: "port", within: .seconds(60)) { $0.output.contains("\n") }
            return try await body(server.output.prefix { $0.isNumber }) { server.output }
        }
    }
}
