import Foundation

/// The load generators that are compared.
enum Generator: String, CaseIterable, Codable {
    case podswarm
    case wrk
    case h2load

    /// What is asked of a run: every connection asks again as soon as it has been answered.
    struct Load {
        let url: String
        let connections: Int
        let seconds: Int
        let http2: Bool
        let certificate: String
    }

    /// What came of it.
    struct Measurement {
        let requests: Int
        let resources: ChildProcess.Resources
    }

    /// Runs on one core until the load has been given; any failed request makes the figures unusable.
    func run(_ load: Load, core: Int, in folder: URL) throws -> Measurement {
        let (output, resources) = try finish(load, core: core, in: folder)
        guard let requests = try requests(in: output), requests > 0 else {
            throw BenchmarkError.unusable(program: rawValue, reason: "no count of requests in its output\n\(output)")
        }
        return Measurement(requests: requests, resources: resources)
    }

    /// What the engine says of its memory when every connection is open and idle.
    func idleReport(_ load: Load, core: Int, in folder: URL) throws -> EngineReport {
        let (output, _) = try finish(load, core: core, in: folder)
        guard let report = EngineReport(output), try requests(in: output) == load.connections else {
            throw BenchmarkError.unusable(program: rawValue, reason: output)
        }
        return report
    }

    private func finish(
        _ load: Load,
        core: Int,
        in folder: URL
    ) throws(BenchmarkError) -> (output: String, resources: ChildProcess.Resources) {
        let (path, arguments) = try command(load)
        let child = try ChildProcess(
            try Tool.taskset.path(),
            ["taskset", "-c", "\(core)", path] + arguments,
            in: folder
        )
        return try child.wait()
    }

    private func command(_ load: Load) throws(BenchmarkError) -> (path: String, arguments: [String]) {
        switch self {
        case .podswarm:
            let arguments = [
                "engine", "--url", load.url, "--connections", "\(load.connections)", "--seconds", "\(load.seconds)",
                "--certificate", load.certificate,
            ]
            return (try Self.ownPath(), arguments + (load.http2 ? ["--http2"] : []))
        case .wrk:
            return (
                try Tool.wrk.path(),
                ["-t1", "-c\(load.connections)", "-d\(load.seconds)s", "--timeout", "60s", load.url]
            )
        case .h2load:
            let arguments = ["-t1", "-c\(load.connections)", "-m1", "-D\(load.seconds)", load.url]
            return (try Tool.h2load.path(), load.http2 ? arguments : ["--h1"] + arguments)
        }
    }

    static func ownPath() throws(BenchmarkError) -> String {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            throw .file("cannot read /proc/self/exe")
        }
        return path
    }

    private func requests(in output: String) throws(BenchmarkError) -> Int? {
        switch self {
        case .podswarm:
            guard let report = EngineReport(output) else { return nil }
            guard report.failures == 0 else {
                throw .unusable(program: rawValue, reason: "\(report.failures) requests failed")
            }
            return report.requests
        case .wrk:
            for sign in ["Socket errors", "Non-2xx"] where output.contains(sign) {
                throw .unusable(program: rawValue, reason: output)
            }
            return output.firstMatch(of: /(\d+) requests in/).flatMap { Int($0.1) }
        case .h2load:
            guard let match = output.firstMatch(of: /(\d+) succeeded, (\d+) failed, (\d+) errored/) else { return nil }
            guard match.2 == "0", match.3 == "0" else { throw .unusable(program: rawValue, reason: output) }
            return Int(match.1)
        }
    }
}
