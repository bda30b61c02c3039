import Foundation
import TestSupport

/// A server of `Tests/ForeignServers`, in Python and the frameworks of others, with the profile for it that lies beside it.
enum ForeignScript {
    /// Lends one to a closure with the port that it prints first, and stops it.
    static func serving<Outcome: Sendable>(
        _ name: String,
        _ arguments: [String],
        _ body: (_ port: Substring, _ server: ChildProcess) async throws -> Outcome
    ) async throws -> Outcome {
        let script = PackageFolder.file("Tests/ForeignServers/\(name).py").path
        let server = try ChildProcess(try ExternalTool.python.path(), [script] + arguments)
        return try await server.stopped {
            try await server.wait(for: "port", within: .seconds(60)) { $0.output.contains("\n") }
            return try await body(server.output.prefix { $0.isNumber }, server)
        }
    }

    /// The profile of that name, with `SERVER` for where the server is.
    static func profile(_ name: String, url: String) throws -> String {
        try String(contentsOf: PackageFolder.file("Tests/ForeignServers/\(name).yaml"), encoding: .utf8)
            .replacing("SERVER", with: url)
    }
}
