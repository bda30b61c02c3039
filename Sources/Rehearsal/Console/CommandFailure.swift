package import ArgumentParser
package import Foundation
import Glibc

/// Unsuccessful end of a command: its exit status and the message for the user.
package struct CommandFailure: Error {
    package var exit: PodswarmExit
    /// Includes the fix; several mistakes stand on lines of their own.
    package var message: String

    package init(_ exit: PodswarmExit, _ message: String) {
        self.exit = exit
        self.message = message
    }
}

/// Exit status of podswarm; scripts may rely on each value.
package enum PodswarmExit: Int32, CaseIterable {
    /// The run passed, or the command did what it was asked.
    case passed = 0
    /// The target failed: a threshold, a finding of severity "broken", a regression.
    case targetFailed = 1
    /// Bad arguments or a bad profile; nothing was sent.
    case badInput = 2
    /// Nothing can be decided: the generator or its machine was the limit, or runs cannot be compared.
    case notDecidable = 3
    /// The target could not be reached at the start.
    case unreachable = 4
    /// A defect of podswarm itself.
    case ownDefect = 70
    /// A result or an export could not be written: no room, a limit on file sizes, no permission (EX_IOERR of sysexits(3)).
    case notWritten = 74
    /// Interrupted; the result up to then is written all the same.
    case interrupted = 130

    package var code: ExitCode { ExitCode(rawValue) }

    /// Flushes output and ends the process without the libraries' exit handlers.
    ///
    /// An event loop may still be closing connections. OpenSSL's exit handler frees memory that they use, and a run that passed
    /// then ends with SIGSEGV.
    package static func leave(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }

    /// The table that `--help` shows.
    package static let discussion = """
        Exit status: 0 passed; 1 the target failed (threshold, finding); 2 bad arguments or profile; \
        3 not decidable (the generator or its machine was the limit); 4 the target could not be reached at the start; \
        70 a defect of podswarm; 74 the result or an --output could not be written (a full disk); 130 interrupted \
        (the result is written all the same, unless nothing had been sent).
        """
}

/// A file that the command line names, or standard output for `-`.
package enum OutputPlace {
    package static let standardOutput = "-"

    /// Writes `text` to `path`; without a path nothing is rendered.
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

    /// Writes the file whole or not at all.
    package static func write(_ data: Data, to path: String) throws(CommandFailure) {
        guard path != standardOutput else { return StandardStream.output.write(data) }
        let file = URL(fileURLWithPath: path)
        // A pipe or a device cannot be replaced by a file; it is written to.
        let kind = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)[.type]
        let isFile = kind == nil || kind as? FileAttributeType == .typeRegular
        do {
            try data.write(to: file, options: isFile ? .atomic : [])
        } catch {
            throw CommandFailure(.badInput, "\(path): \(cause(of: error))")
        }
    }

    package static func rendered<Content>(
        _ name: String,
        _ content: () throws -> Content
    ) throws(CommandFailure) -> Content {
        do {
            return try content()
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.ownDefect, "\(name): the output cannot be made: \(error)")
        }
    }

    /// For a full disk, Foundation says only that the operation could not be completed; the system names the cause.
    private static func cause(of error: any Error) -> String {
        let error = error as NSError
        let cause = error.userInfo[NSUnderlyingErrorKey] as? POSIXError
        return cause.map { String(cString: strerror($0.code.rawValue)) } ?? error.localizedDescription
    }
}

/// Folder for files that live no longer than a command: TMPDIR, or /tmp.
package enum ScratchFolder {
    /// Checks before any other work that files can be created there; the error names the folder.
    package static func check() throws(CommandFailure) {
        let named = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
        let path = named ?? "/tmp"
        var status = stat()
        let reason: String
        if stat(path, &status) != 0 || access(path, W_OK | X_OK) != 0 {
            reason = String(cString: strerror(errno))
        } else {
            guard status.st_mode & S_IFMT != S_IFDIR else { return }
            reason = String(cString: strerror(ENOTDIR))
        }
        let option = named == nil ? path : "TMPDIR=\(path)"
        throw CommandFailure(
            .badInput,
            "\(option): \(reason); make that folder, or set TMPDIR to one that you may write to"
        )
    }
}
