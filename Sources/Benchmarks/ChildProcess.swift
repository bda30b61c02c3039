import Foundation
import Glibc

/// A program run as a child, with its output in a file and its resources counted by the kernel.
struct ChildProcess {
    /// What the kernel counted for a finished child.
    struct Resources {
        let userMicroseconds: Double
        let systemMicroseconds: Double
        let peakResidentBytes: Int

        var cpuMicroseconds: Double { userMicroseconds + systemMicroseconds }
    }

    let program: String
    let identifier: pid_t
    private let output: String

    /// Starts a program; standard output and error go to a file in `folder`.
    init(_ path: String, _ arguments: [String], in folder: URL) throws(BenchmarkError) {
        program = arguments.first ?? path
        output = folder.appendingPathComponent("\(UUID().uuidString).out").path
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let texts = ([path] + arguments.dropFirst()).map { strdup($0) }
        defer { for text in texts { free(text) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, path, &actions, nil, texts + [nil], environ)
        guard code == 0 else { throw .cannotStart(program: program, errno: code) }
        identifier = child
    }

    /// Waits for the end; anything but exit status 0 is an error.
    func wait() throws(BenchmarkError) -> (output: String, resources: Resources) {
        let (status, usage) = reap()
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        guard status == 0 else { throw .failed(program: program, status: status, output: text) }
        return (
            text,
            Resources(
                userMicroseconds: Double(usage.ru_utime.tv_sec) * 1e6 + Double(usage.ru_utime.tv_usec),
                systemMicroseconds: Double(usage.ru_stime.tv_sec) * 1e6 + Double(usage.ru_stime.tv_usec),
                peakResidentBytes: usage.ru_maxrss * 1024
            )
        )
    }

    /// Ends the child, whatever it is doing.
    func stop() {
        kill(identifier, SIGTERM)
        _ = reap()
    }

    private func reap() -> (status: Int32, usage: rusage) {
        var status: Int32 = 0
        var usage = rusage()
        while wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
        return (status, usage)
    }
}
