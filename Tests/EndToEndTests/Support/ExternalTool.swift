import Foundation
import TestSupport

/// A program that podswarm does not come with; its absence is a failure, never a skip.
enum ExternalTool: String {
    case ffmpeg
    case ffprobe
    case nginx
    case haproxy
    case bash
    /// It comes with Swift.
    case clang
    case chromium
    case gstreamer = "gst-launch-1.0"
    case vlc
    case setpriv
    case prometheus
    case promtool
    case openssl
    case apache2
    case h2o
    case nghttpd
    /// As the virtual environment has it.
    case caddy
    case munged
    case slurmctld
    case slurmd
    case sbatch
    case sinfo
    case zsh
    case fish
    /// The Python of the virtual environment with the packages of `Tests/requirements.txt`.
    case python

    func path() throws -> String {
        switch self {
        case .python: return try InstalledProgram.python().path
        case .caddy:
            let path = URL(filePath: try InstalledProgram.python().path).deletingLastPathComponent()
                .appending(path: rawValue).path
            guard FileManager.default.isExecutableFile(atPath: path) else { throw InstalledProgram.Missing(name: path) }
            return path
        default: return try InstalledProgram(rawValue).path
        }
    }

    func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        limit: Duration = Patience.limit
    ) async throws -> ChildProcess.End {
        try await ChildProcess.run(try path(), arguments, environment: environment, limit: limit)
    }

    /// Output of a Python script of a folder of `Tests`, which must succeed.
    static func script(
        _ name: String,
        _ arguments: [String],
        in folder: String = "EndToEndTests/Python"
    ) async throws -> Data {
        let file = PackageFolder.file("Tests/\(folder)/\(name).py").path
        return Data(try await ExternalTool.python.run([file] + arguments).succeeded().output.utf8)
    }
}
