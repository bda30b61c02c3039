import Foundation

/// A program that podswarm does not come with; its absence is a failure, never a skip.
enum ExternalTool: String {
    case ffmpeg
    case ffprobe
    case nginx
    case bash
    case chromium
    case prometheus
    case promtool
    /// The Python of the virtual environment with the packages of `Tests/requirements.txt`.
    case python

    struct Missing: Error, CustomStringConvertible {
        let tool: ExternalTool
        var description: String {
            switch tool {
            case .python:
                "no Python in .venv-tests: run '.ci/setup test' at the package's root, or set PODSWARM_TEST_PYTHON"
            case .nginx: "nginx is not installed: 'apt-get install nginx-light', or '.ci/setup test'"
            case .ffmpeg, .ffprobe: "\(tool.rawValue) is not installed: 'apt-get install ffmpeg', or '.ci/setup test'"
            case .chromium: "chromium is not installed: 'apt-get install chromium', or '.ci/setup test'"
            case .prometheus, .promtool:
                "\(tool.rawValue) is not installed: 'apt-get install prometheus', or '.ci/setup test'"
            case .bash: "bash is not installed: 'apt-get install bash'"
            }
        }
    }

    static var packageRoot: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    func path() throws -> String {
        let environment = ProcessInfo.processInfo.environment
        let candidates: [String]
        if self == .python {
            let own = Self.packageRoot.appending(path: ".venv-tests/bin/python3").path
            candidates = [environment["PODSWARM_TEST_PYTHON"] ?? own]
        } else {
            let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/sbin"]
            candidates = folders.map { "\($0)/\(rawValue)" }
        }
        guard let found = candidates.first(where: FileManager.default.isExecutableFile) else {
            throw Missing(tool: self)
        }
        return found
    }

    /// Runs the tool to its end.
    func run(_ arguments: [String], limit: Duration = .seconds(60)) async throws -> ChildProcess.End {
        try await ChildProcess.run(try path(), arguments, limit: limit)
    }

    /// What a Python script printed, which must succeed.
    static func python(_ script: String, _ arguments: [String] = [], limit: Duration = .seconds(60)) async throws
        -> Data
    {
        let end = try await ExternalTool.python.run(["-c", script] + arguments, limit: limit)
        guard end.status == 0 else { throw ChildProcess.Failure(end: end) }
        return Data(end.output.utf8)
    }
}
