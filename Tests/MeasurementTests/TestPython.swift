import Foundation
import Programs
import Testing

/// The Python with the packages of `Tests/requirements.txt`; its absence is a failure, never a skip.
enum TestPython {
    struct Missing: Error, CustomStringConvertible {
        let path: String
        var description: String {
            "no Python at \(path): run 'python3 -m venv .venv-tests && .venv-tests/bin/pip install -r"
                + " Tests/requirements.txt' at the package's root, or set PODSWARM_TEST_PYTHON"
        }
    }

    struct Failed: Error, CustomStringConvertible {
        let status: Int32
        let output: String
        var description: String { "python ended with status \(status): \(output)" }
    }

    static var root: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }

    /// Runs a script with text on its standard input.
    static func run(_ script: String, arguments: [String] = [], input: Data) throws -> Data {
        let named = ProcessInfo.processInfo.environment["PODSWARM_TEST_PYTHON"]
        let path = named ?? root.appending(path: ".venv-tests/bin/python3").path
        guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing(path: path) }
        let file = FileManager.default.temporaryDirectory.appending(path: "podswarm-\(UUID().uuidString).json")
        try input.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let run = try ProgramOutput.of(path, ["-c", script, file.path] + arguments, mergesErrors: true)
        guard run.status == 0 else { throw Failed(status: run.status, output: run.text) }
        return run.output
    }
}
