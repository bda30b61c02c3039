package import Foundation

/// A program that podswarm does not come with and a test needs; its absence is a failure, never a skip.
package struct InstalledProgram: Sendable {
    package struct Missing: Error, CustomStringConvertible {
        package let name: String

        package init(name: String) { self.name = name }

        package var description: String { "there is no \(name): run '.ci/setup test' at the package's top" }
    }

    package struct Failed: Error, CustomStringConvertible {
        package let path: String
        package let status: Int32
        package let output: String
        package var description: String { "\(path) ended with status \(status): \(output)" }
    }

    package let path: String

    /// Looks for a program in the folders of `PATH`, and in those that users' paths leave out.
    package init(_ name: String) throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let candidates = (folders + ["/usr/sbin", "/usr/bin"]).map { "\($0)/\(name)" }
        guard let path = candidates.first(where: FileManager.default.isExecutableFile) else {
            throw Missing(name: name)
        }
        self.path = path
    }

    private init(path: String) throws {
        guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing(name: path) }
        self.path = path
    }

    /// The Python with the packages of `Tests/requirements.txt`, or the one that `PODSWARM_TEST_PYTHON` names.
    package static func python() throws -> InstalledProgram {
        let named = ProcessInfo.processInfo.environment["PODSWARM_TEST_PYTHON"]
        return try InstalledProgram(path: named ?? PackageFolder.file(".venv-tests/bin/python3").path)
    }

    /// Runs it to its end while no thread of the pool waits.
    package func run(_ arguments: [String]) async throws -> ProgramOutput {
        try await ProgramOutput.whileOthersRun(path, arguments)
    }

    /// Runs it to its end while the thread waits, and returns both outputs as one.
    ///
    /// Paths of files with the contents of `files` follow the arguments. Throws ``Failed`` for another status than 0.
    package func output(_ arguments: [String], files: [Data] = []) throws -> Data {
        try TemporaryFolder.lending { folder in
            let paths = try files.enumerated().map { try folder.write($1, to: "\($0)") }
            let run = try ProgramOutput.of(path, arguments + paths, mergesErrors: true)
            guard run.status == 0 else { throw Failed(path: path, status: run.status, output: run.text) }
            return run.output
        }
    }

    /// What a Python script prints about files that are given to it as its arguments.
    package static func python(_ script: String, _ files: Data...) throws -> Data {
        try python().output(["-c", script], files: files)
    }
}
