import Foundation
import TestSupport

/// The built `podswarm` under test: what `PODSWARM_TEST_EXECUTABLE` names, or the one beside the test bundle.
enum PodswarmExecutable {
    static func path() throws -> String {
        let named = ProcessInfo.processInfo.environment["PODSWARM_TEST_EXECUTABLE"]
        let path =
            named
            ?? URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "podswarm").path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Obstacle("no executable at \(path): build the product podswarm, or set PODSWARM_TEST_EXECUTABLE")
        }
        return path
    }

    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        limit: Duration = Patience.limit
    ) async throws -> ChildProcess.End {
        try await ChildProcess.run(try path(), arguments, environment: environment, limit: limit)
    }
}
