import Foundation
import Glibc
import Synchronization
import TestSupport

/// A program that a test started, with what it wrote; killed when the last reference goes or its time is up.
final class ChildProcess: Sendable {
    struct End: Sendable {
        let command: String
        /// The exit status, or the number of the signal that ended it.
        let status: Int32
        let isSignal: Bool
        let output, errors: String

        /// This end, whose status must be 0.
        func succeeded() throws -> End {
            guard status == 0, !isSignal else { throw Failure(end: self) }
            return self
        }

        /// What a terminal shows last: an error comes after the summary.
        var lastLine: Substring {
            errors.split(separator: "\n").last { $0.hasPrefix("podswarm: ") } ?? output.split(separator: "\n").last
                ?? ""
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let end: End
        var description: String {
            "\(end.command) ended with \(end.isSignal ? "signal" : "status") \(end.status)\n\(end.output)\n\(end.errors)"
        }
    }

    private let program: SpawnedProgram
    /// The writing end of its standard input, until that is closed.
    private let lifeline: Mutex<FileHandle?>
    private let folder: TemporaryFolder
    private let command: String

    /// Starts a program; its standard input stays open as long as this value lives.
    init(_ path: String, _ arguments: [String], environment: [String: String] = [:], inherited: [Int32] = []) throws {
        folder = try TemporaryFolder()
        command = ([URL(filePath: path).lastPathComponent] + arguments).joined(separator: " ").prefix(300).description
        let output = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "output")))
        let errors = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "errors")))
        let input = Pipe()
        lifeline = Mutex(input.fileHandleForWriting)
        program = try SpawnedProgram(
            path,
            arguments,
            environment: environment,
            input: input.fileHandleForReading.fileDescriptor,
            output: output.fileDescriptor,
            errors: errors.fileDescriptor,
            inherited: inherited
        )
    }

    deinit {
        kill()
    }

    var identifier: Int32 { program.identifier }
    var isRunning: Bool { program.isRunning }

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

    private func text(of name: String) -> String {
        let data = (try? Data(contentsOf: folder.file(name))) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    func send(_ signal: Int32) { program.send(signal) }

    func write(_ text: String) throws { try lifeline.withLock { try $0?.write(contentsOf: Data(text.utf8)) } }

    func kill() { send(SIGKILL) }

    /// Closes its standard input and asks it to end; kills it when it does not.
    func stop() async {
        lifeline.withLock { $0 = nil }
        _ = await program.stop()
    }

    func stopped<Result: Sendable>(after body: () async throws -> Result) async throws -> Result {
        try await ending({ await stop() }, after: body)
    }

    /// Returns when the program has ended; one that hangs is killed.
    func ended(within limit: Duration = Patience.limit) async throws -> End {
        try await wait(for: "end", within: limit) { !$0.isRunning }
        return end(await program.ended())
    }

    private func end(_ end: SpawnedProgram.End) -> End {
        End(command: command, status: end.status, isSignal: end.isSignal, output: output, errors: errors)
    }

    /// Returns when the condition holds; fails when the program ends before, or is killed because that takes too long.
    ///
    /// A limit ends what hangs, and a machine with much else to do is no reason to fail: one below patience counts as that.
    func wait(
        for what: String,
        within limit: Duration = Patience.limit,
        until isMet: (ChildProcess) async throws -> Bool
    ) async throws {
        let limit = max(limit, Patience.limit)
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
            throw Obstacle("\(command): no \(what) within \(limit)\n\(output)\n\(errors)")
        }
        if isOver { throw Failure(end: end(await program.ended())) }
    }

    static func run(
        _ path: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        limit: Duration = Patience.limit
    ) async throws -> End {
        try await ChildProcess(path, arguments, environment: environment).ended(within: limit)
    }
}

struct Obstacle: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
