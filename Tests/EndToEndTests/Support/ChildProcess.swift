import Foundation
import Glibc

/// A program that a test started, with what it wrote; killed when the last reference goes or its time is up.
final class ChildProcess: Sendable {
    /// How a program ended.
    struct End: Sendable {
        let command: String
        /// The exit status, or the number of the signal that ended it.
        let status: Int32
        let isSignal: Bool
        let output: String
        let errors: String
    }

    struct Failure: Error, CustomStringConvertible {
        let end: End
        var description: String {
            "\(end.command) ended with \(end.isSignal ? "signal" : "status") \(end.status)\n\(end.output)\n\(end.errors)"
        }
    }

    struct TimeIsUp: Error, CustomStringConvertible {
        let command: String
        let waitedFor: String
        let limit: Duration
        let output: String
        let errors: String
        var description: String { "\(command): no \(waitedFor) within \(limit)\n\(output)\n\(errors)" }
    }

    private let process: Process
    private let lifeline = Pipe()
    private let folder: TemporaryFolder
    private let command: String

    /// Starts a program; its standard input stays open as long as this value lives.
    init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        process = Process()
        command = ([URL(filePath: path).lastPathComponent] + arguments).joined(separator: " ").prefix(300).description
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
        process.standardInput = lifeline
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "output")))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "errors")))
        try process.run()
    }

    deinit {
        kill()
    }

    var identifier: Int32 { process.processIdentifier }

    /// False for good from the instant the kernel says so: whether it still holds the end or Foundation has fetched it.
    var isRunning: Bool {
        var info = siginfo_t()
        let isKnown = waitid(P_PID, id_t(process.processIdentifier), &info, WEXITED | WNOHANG | WNOWAIT) == 0
        return isKnown && info.si_signo != SIGCHLD
    }

    var output: String { text(of: "output") }
    var errors: String { text(of: "errors") }

    /// Children of this process, by Linux's own account.
    var children: [Int32] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/task")) ?? []
        return tasks.flatMap { task in
            let text = try? String(contentsOfFile: "/proc/\(identifier)/task/\(task)/children", encoding: .utf8)
            return (text ?? "").split(separator: " ").compactMap { Int32($0) }
        }
    }

    /// How it ended, as the kernel has it; nil while it runs, and for the moment in which Foundation fetches it.
    ///
    /// Foundation learns of an end from a pipe, and a program that was started meanwhile may hold that open for as long as
    /// it lives itself.
    private var outcome: (status: Int32, isSignal: Bool)? {
        var info = siginfo_t()
        let isKnown = waitid(P_PID, id_t(process.processIdentifier), &info, WEXITED | WNOHANG | WNOWAIT) == 0
        if isKnown, info.si_signo == SIGCHLD {
            return (info._sifields._sigchld.si_status, info.si_code != Int32(CLD_EXITED))
        }
        guard !process.isRunning else { return nil }
        return (process.terminationStatus, process.terminationReason == .uncaughtSignal)
    }

    private func text(of name: String) -> String {
        let data = (try? Data(contentsOf: folder.url.appending(path: name))) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    func send(_ signal: Int32) {
        guard isRunning else { return }
        Foundation.kill(process.processIdentifier, signal)
    }

    func kill() {
        send(SIGKILL)
    }

    /// Closes its standard input and asks it to end; kills it when it does not.
    func stop() async {
        try? lifeline.fileHandleForWriting.close()
        send(SIGTERM)
        _ = try? await ended(within: .seconds(10))
    }

    /// Returns when the program has ended; one that does not in time is killed.
    func ended(within limit: Duration) async throws -> End {
        try await wait(for: "end", within: limit) { !$0.isRunning }
        return end
    }

    /// How it ended, once it has.
    private var end: End {
        // Nobody knows for a moment: the kernel no more, for Foundation has asked it, and Foundation not yet.
        var known = outcome
        while known == nil {
            sched_yield()
            known = outcome
        }
        return End(
            command: command,
            status: known?.status ?? 0,
            isSignal: known?.isSignal ?? false,
            output: output,
            errors: errors
        )
    }

    /// Returns when the condition holds; fails when the program ends before, or is killed because that takes too long.
    func wait(for what: String, within limit: Duration, until isMet: (ChildProcess) async throws -> Bool) async throws {
        var isOver = false
        let isSeen = try await Patience.sees(within: limit) {
            // Asked in this order, because a program may do it and end.
            let hasEnded = !isRunning
            let holds = try await isMet(self)
            isOver = hasEnded && !holds
            return holds || hasEnded
        }
        guard isSeen else {
            kill()
            throw TimeIsUp(command: command, waitedFor: what, limit: limit, output: output, errors: errors)
        }
        if isOver {
            throw Failure(end: end)
        }
    }

    /// Runs a program to its end.
    static func run(
        _ path: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        limit: Duration
    ) async throws -> End {
        try await ChildProcess(path, arguments, environment: environment).ended(within: limit)
    }
}

/// Waiting for what no event announces.
enum Patience {
    /// True as soon as the condition holds, false when it does not in time.
    static func sees(within limit: Duration, _ condition: () async throws -> Bool) async throws -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        while try await !condition() {
            guard clock.now < deadline else { return false }
            try await clock.sleep(for: .milliseconds(20))
        }
        return true
    }
}
