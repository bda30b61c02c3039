import CLinux
import Foundation
import Glibc
import Results
import Values

struct ChildProcess {
    struct Resources {
        let cpuMicroseconds: Double
        let peakResidentBytes: Int
    }

    let program: String
    let identifier: pid_t
    private let output: String

    /// Standard output and error go to a file in `folder`.
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

    /// Bound to one core.
    init(core: Int, _ command: [String], in folder: URL) throws(BenchmarkError) {
        let name = command[0].split(separator: "/").last.map(String.init) ?? command[0]
        try self.init(try Tool.taskset.path(), [name, "-c", "\(core)"] + command, in: folder)
    }

    /// Throws for any other exit status, and on timeout.
    func wait(
        atMostSeconds seconds: Int,
        for statuses: Set<Int32> = [0]
    ) throws(BenchmarkError) -> (output: String, resources: Resources) {
        guard let (status, resources) = reap(within: seconds) else {
            stop(SIGKILL)
            throw .unusable(program: program, reason: "it did not end after \(seconds) s\n\(text)")
        }
        let (signal, code) = (status & 0x7F, status >> 8 & 0xFF)
        guard signal == 0, statuses.contains(code) else {
            let words: UnsafeMutablePointer<CChar>? = strsignal(signal)
            let name = words.map { String(cString: $0) } ?? "unknown"
            let ending = signal == 0 ? "exit status \(code)" : "signal \(signal) (\(name))"
            throw .failed(program: program, ending: ending, output: text)
        }
        return (text, resources)
    }

    /// Waits for the end.
    func stop(_ signal: Int32 = SIGTERM) {
        kill(identifier, signal)
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    }

    private var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

    private func reap(within seconds: Int) -> (status: Int32, resources: Resources)? {
        var status: Int32 = 0
        var usage = rusage()
        var peak = 0
        for _ in 0..<seconds * 20 {
            peak = max(peak, peakResidentBytes)
            guard wait4(identifier, &status, WNOHANG, &usage) == 0 else {
                let cpu = Self.microseconds(usage.ru_utime) + Self.microseconds(usage.ru_stime)
                return (status, Resources(cpuMicroseconds: cpu, peakResidentBytes: peak))
            }
            usleep(50_000)
        }
        return nil
    }

    /// 0 when it has ended; `ru_maxrss` is never less than the parent's size at the start of the child.
    private var peakResidentBytes: Int {
        guard let text = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8),
            let kilobytes = text.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap({ Int($0.1) })
        else { return 0 }
        return kilobytes * 1024
    }

    private static func microseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e6 + Double(time.tv_usec) }
}

/// User and system time of all threads of any process.
struct ProcessClock {
    private let clock: clockid_t

    init?(_ process: pid_t) {
        var clock = clockid_t()
        guard clock_getcpuclockid(process, &clock) == 0 else { return nil }
        self.clock = clock
    }

    var microseconds: Double { Double(podswarm_nanoseconds(clock)) / 1000 }

    /// Microseconds; other work on the machine lengthens it less than wall time.
    static var own: Double { Double(podswarm_nanoseconds(CLOCK_PROCESS_CPUTIME_ID)) / 1000 }
}

enum Tool: String {
    case nginx
    case openssl
    case taskset
    case wrk
    case h2load
    case valgrind
    case strip
    case k6
    case locust

    var installation: String {
        switch self {
        case .nginx: "apt-get install nginx-light"
        case .taskset: "apt-get install util-linux"
        case .h2load: "apt-get install nghttp2-client"
        case .strip: "apt-get install binutils"
        case .openssl, .wrk, .valgrind: "apt-get install \(rawValue)"
        case .k6: "put it in PATH (https://grafana.com/docs/k6/latest/set-up/install-k6/)"
        case .locust: ".ci/setup bench"
        }
    }

    func path() throws(BenchmarkError) -> String {
        let searched = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":").map(String.init) ?? []
        for folder in [".venv-bench/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"] + searched {
            let path = "\(folder)/\(rawValue)"
            if access(path, X_OK) == 0 { return path }
        }
        throw .missing(self)
    }

    /// Names a missing program on standard error.
    var isInstalled: Bool {
        guard (try? path()) == nil else { return true }
        tell("left out: \(BenchmarkError.missing(self))")
        return false
    }
}

enum BenchmarkError: Error, CustomStringConvertible {
    case missing(Tool)
    case cannotStart(program: String, errno: Int32)
    case failed(program: String, ending: String, output: String)
    /// The generator ran, but without usable figures.
    case unusable(program: String, reason: String)
    case file(String)

    var description: String {
        switch self {
        case .missing(let tool): "\(tool.rawValue) is not installed: \(tool.installation)"
        case .cannotStart(let program, let number): "cannot start \(program): \(String(cString: strerror(number)))"
        case .failed(let program, let ending, let output): "\(program) ended with \(ending)\n\(output)"
        case .unusable(let program, let reason): "the figures of \(program) cannot be used: \(reason)"
        case .file(let reason): reason
        }
    }
}

/// Run of a profile with the `podswarm` beside this program.
struct ProfileRun {
    let profile: String
    let viewers: Int
    /// nil: as the profile says.
    let seconds: Int?
    /// Real time, not virtual time.
    var overSockets = false
    var command = "run"

    private static let virtualStart = "2026-11-21T20:00:00Z"

    static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("podswarm-runs-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    static var executable: String {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return own.deletingLastPathComponent().appendingPathComponent("podswarm").path
    }

    /// Program and arguments.
    func commandLine(_ settings: [String], in folder: URL) -> [String] {
        var line = [Self.executable, command, profile, "--viewers", "\(viewers)"]
        if !overSockets { line += ["--virtual-time", Self.virtualStart] }
        if let seconds { line += ["--duration", "\(seconds)s"] }
        return line + settings + ["--results", folder.path, "--quiet", "--no-report"]
    }

    /// Accepts any exit status; throws `BenchmarkError` without a result.
    func result(_ settings: [String], in folder: URL) throws -> ResultDocument {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let child = try ChildProcess(
            Self.executable,
            ["podswarm"] + commandLine(settings, in: folder).dropFirst(),
            in: folder
        )
        var ending: BenchmarkError?
        do throws(BenchmarkError) {
            _ = try child.wait(atMostSeconds: (seconds ?? Self.longestSeconds) + 120)
        } catch {
            ending = error
        }
        do {
            return try ResultDocument.only(in: folder)
        } catch {
            throw ending.map { $0 as any Error } ?? error
        }
    }

    private static let longestSeconds = 3_600
}

extension ResultDocument {
    /// The only result of a folder; throws `BenchmarkError` without one.
    static func only(in folder: URL) throws -> ResultDocument {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        // Results lie in subfolders of their profiles.
        let results = files?.compactMap { $0 as? URL }.filter {
            $0.pathExtension == "json" && $0.deletingLastPathComponent().path != folder.path
        }
        guard let file = results?.first else { throw BenchmarkError.file("podswarm wrote no result") }
        return try ResultDocument(json: Data(contentsOf: file))
    }
}
