package import Foundation
import Glibc

/// What a program that ran to its end wrote.
package struct ProgramOutput: Sendable {
    package let end: SpawnedProgram.End
    package let output: Data
    package let errors: Data

    package var text: String { String(decoding: output, as: UTF8.self) }
    package var complaints: String { String(decoding: errors, as: UTF8.self) }

    /// The exit status, or minus the number of the signal that ended it.
    package var status: Int32 { end.isSignal ? -end.status : end.status }

    /// Runs a program to its end, with nothing to read, while the thread waits.
    ///
    /// `mergesErrors` gives both outputs as one, in the order in which they were written.
    package static func of(_ path: String, _ arguments: [String], mergesErrors: Bool = false) throws -> ProgramOutput {
        let run = try Run(path, arguments, mergesErrors: mergesErrors)
        return try run.read(after: run.program.waitUntilEnd())
    }

    /// The same, while no thread of the pool waits: for programs that ask this very process for something.
    package static func whileOthersRun(_ path: String, _ arguments: [String]) async throws -> ProgramOutput {
        let run = try Run(path, arguments, mergesErrors: false)
        return try run.read(after: await run.program.ended())
    }

    /// Files hold the outputs, because a pipe that nobody empties stops the program.
    private struct Run {
        let program: SpawnedProgram
        let output: FileHandle
        let errors: FileHandle

        init(_ path: String, _ arguments: [String], mergesErrors: Bool) throws {
            guard let nothing = FileHandle(forReadingAtPath: "/dev/null") else { throw POSIXError(.ENOENT) }
            output = try Self.namelessFile()
            errors = try Self.namelessFile()
            program = try SpawnedProgram(
                path,
                arguments,
                input: nothing.fileDescriptor,
                output: output.fileDescriptor,
                errors: mergesErrors ? output.fileDescriptor : errors.fileDescriptor
            )
        }

        func read(after end: SpawnedProgram.End) throws -> ProgramOutput {
            try output.seek(toOffset: 0)
            try errors.seek(toOffset: 0)
            return ProgramOutput(
                end: end,
                output: try output.readToEnd() ?? Data(),
                errors: try errors.readToEnd() ?? Data()
            )
        }

        private static func namelessFile() throws -> FileHandle {
            let file = FileManager.default.temporaryDirectory.appending(path: "podswarm-output-\(UUID().uuidString)")
            try Data().write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            return try FileHandle(forUpdating: file)
        }
    }
}
