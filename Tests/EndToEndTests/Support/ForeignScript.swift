import Foundation
import TestSupport

/// Servers and readers in Python and the frameworks of others, with the profile for a server beside it.
enum ForeignScript {
    /// Lends a server of `Tests/ForeignServers` to a closure with the port that it prints first, and stops it.
    static func serving<Outcome: Sendable>(
        _ name: String,
        _ arguments: [String] = [],
        _ body: (_ port: Substring, _ server: ChildProcess) async throws -> Outcome
    ) async throws -> Outcome {
        let script = PackageFolder.file("Tests/ForeignServers/\(name).py").path
        let server = try ChildProcess(try ExternalTool.python.path(), [script] + arguments)
        return try await server.stopped {
            try await server.wait(for: "port") { $0.output.contains("\n") }
            return try await body(server.output.prefix { $0.isNumber }, server)
        }
    }

    /// What a program of `Tests/ForeignReaders` prints of a file, which must have nothing against it.
    static func read(_ name: String, _ files: [String]) async throws -> Data {
        try await ExternalTool.script(name, files, in: "ForeignReaders")
    }

    /// The profile of that name, with `SERVER` for where the server is.
    static func profile(_ name: String, url: String) throws -> String {
        try String(contentsOf: PackageFolder.file("Tests/ForeignServers/\(name).yaml"), encoding: .utf8)
            .replacing("SERVER", with: url)
    }
}
