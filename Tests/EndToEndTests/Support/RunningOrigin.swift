import Foundation
import TestSupport

/// A `podswarm origin` on a free port, stopped when the test is done with it.
struct RunningOrigin: Sendable {
    /// Scheme, host and port.
    let url: String
    let process: Int32

    /// Starts an origin, hands it to `body`, and stops it whatever happens.
    static func serving<Result: Sendable>(
        _ arguments: [String] = [],
        _ body: (RunningOrigin) async throws -> Result
    ) async throws -> Result {
        let child = try ChildProcess(
            try PodswarmExecutable.path(),
            ["origin", "--announce-ready", "--port", "0"] + arguments
        )
        return try await child.stopped {
            try await child.wait(for: "announcement") { $0.output.contains("\n") }
            let url = String(child.output.prefix { $0 != "\n" })
            return try await body(RunningOrigin(url: url, process: child.identifier))
        }
    }

    /// The origin's own counts as it says them.
    func truthDocument() async throws -> Data {
        Data(try await PageClient(base: url).get("/origin/truth.json").body.utf8)
    }
}

extension URL {
    static func parsed(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw Obstacle("no URL: \(text)") }
        return url
    }
}
