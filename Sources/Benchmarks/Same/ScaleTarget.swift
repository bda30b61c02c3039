import Foundation

/// The target that is shipped with the profile for many viewers: nginx with a live playlist and one pod for everybody.
final class ScaleTarget {
    let port: UInt16
    private let process: ChildProcess

    /// Starts it on one core.
    init(script: String, core: Int, in folder: URL) throws {
        port = try Loopback.freePort()
        process = try ChildProcess(
            try Tool.taskset.path(),
            ["taskset", "-c", "\(core)", try Tool.bash.path(), script, "\(port)"],
            in: folder
        )
        for _ in 0..<1_000 where !Loopback.canConnect(port) { usleep(10_000) }
        guard Loopback.canConnect(port) else {
            stop()
            throw BenchmarkError.unusable(program: script, reason: "it does not listen after ten seconds")
        }
    }

    func stop() { process.stop() }
}
