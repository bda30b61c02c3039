package import ArgumentParser
package import Foundation
import Glibc
import Values

/// Unsuccessful end of a command: its exit status and the message for the user.
package struct CommandFailure: Error {
    package var exit: PodswarmExit
    /// Includes the fix; several mistakes stand on lines of their own.
    package var message: String

    package init(_ message: String, as exit: PodswarmExit = .badInput) { (self.exit, self.message) = (exit, message) }

    private init(_ error: any Error, _ prefix: String, _ exit: PodswarmExit) {
        self = error as? CommandFailure ?? CommandFailure("\(prefix)\(error)", as: exit)
    }

    /// Makes a failure of any other error of `body`: its text after `prefix`.
    package static func telling<Value>(
        _ prefix: String = "",
        as exit: PodswarmExit = .badInput,
        _ body: () throws -> Value
    ) throws(CommandFailure) -> Value {
        do { return try body() } catch { throw CommandFailure(error, prefix, exit) }
    }

    /// As ``telling(_:as:_:)``.
    package static func awaiting<Value>(
        _ prefix: String = "",
        as exit: PodswarmExit = .badInput,
        _ body: () async throws -> Value
    ) async throws(CommandFailure) -> Value {
        do { return try await body() } catch { throw CommandFailure(error, prefix, exit) }
    }
}

/// Scripts may rely on each value.
package enum PodswarmExit: Int32, CaseIterable {
    case passed = 0
    /// A threshold, a finding of severity "broken", a regression.
    case targetFailed = 1
    /// Arguments or profile; nothing was sent.
    case badInput = 2
    /// The generator or its machine was the limit, or runs cannot be compared.
    case notDecidable = 3
    /// At the start.
    case unreachable = 4
    case ownDefect = 70
    /// No room, a limit on file sizes, no permission (EX_IOERR of sysexits(3)).
    case notWritten = 74
    /// The result up to then is written.
    case interrupted = 130

    package var code: ExitCode { ExitCode(rawValue) }

    /// A failure of the target outranks an undecided run; a run that could not be made outranks both.
    private static let byGravity: [PodswarmExit] = [
        .passed, .notDecidable, .targetFailed, .badInput, .unreachable, .interrupted, .notWritten, .ownDefect,
    ]

    package var gravity: Int { Self.byGravity.firstIndex(of: self) ?? 0 }

    /// Skips exit handlers: OpenSSL's frees memory that loops may still use to close connections, and a passed run ends with
    /// SIGSEGV.
    package static func leave(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }
}

/// `-` is standard output.
package enum OutputPlace {
    package static let standardOutput = "-"

    /// Checks before a run that the file can be written after it.
    package static func checkFolder(of path: String, for option: String) throws(CommandFailure) {
        guard path != standardOutput else { return }
        guard !path.isEmpty else { throw CommandFailure("\(option): the name of the file is empty") }
        if PathKind(of: path) == .folder { throw CommandFailure("\(option): is a folder; name a file") }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard access(folder, W_OK | X_OK) == 0 else {
            throw CommandFailure("\(option): \(folder): \(String(cString: strerror(errno)))")
        }
    }

    /// Renders nothing without a path.
    package static func write(_ text: @autoclosure () throws -> String, to path: String?) throws(CommandFailure) {
        guard let path else { return }
        try write(Data(rendered(path, text).utf8), to: path)
    }

    package static func write(json: @autoclosure () throws -> Data, to path: String?) throws(CommandFailure) {
        guard let path else { return }
        let json = try rendered(path, json)
        guard path != standardOutput else { return StandardStream.output.write(json: json) }
        try write(json, to: path)
    }

    /// Whole or not at all.
    package static func write(_ data: Data, to path: String) throws(CommandFailure) {
        guard path != standardOutput else { return StandardStream.output.write(data) }
        let file = URL(fileURLWithPath: path)
        var status = stat()
        // A pipe or a device cannot be replaced by a file.
        let isFile = stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
        guard isFile else { return try write([UInt8](data), toSpecial: path) }
        do {
            try data.write(to: file, options: .atomic)
        } catch {
            throw CommandFailure("\(path): \(error.fileCause)")
        }
    }

    /// In milliseconds, for a reader who takes nothing.
    private static let patience: Int32 = 1_500

    private static func write(_ bytes: [UInt8], toSpecial path: String) throws(CommandFailure) {
        let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = errno == ENXIO ? "nothing reads from it" : String(cString: strerror(errno))
            throw CommandFailure("\(path): \(reason)")
        }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !StandardStream.write(&rest, to: descriptor) {
            let error = errno
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard error == EAGAIN, poll(&ready, 1, patience) > 0 else {
                let reason = error == EAGAIN ? "what reads from it has stopped" : String(cString: strerror(error))
                throw CommandFailure("\(path): \(reason)")
            }
        }
    }

    package static func rendered<Content>(
        _ name: String,
        _ content: () throws -> Content
    ) throws(CommandFailure) -> Content {
        try CommandFailure.telling("\(name): the output cannot be made: ", as: .ownDefect, content)
    }
}

/// TMPDIR, or /tmp.
package enum ScratchFolder {
    /// The error names the folder.
    package static func check() throws(CommandFailure) {
        let named = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
        let path = named ?? "/tmp"
        // Only a folder has a dot.
        guard access("\(path)/.", W_OK | X_OK) != 0 else { return }
        let reason = String(cString: strerror(errno))
        let option = named == nil ? path : "TMPDIR=\(path)"
        throw CommandFailure("\(option): \(reason); make that folder, or set TMPDIR to one that you may write to")
    }
}
