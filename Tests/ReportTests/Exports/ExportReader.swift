import Foundation
import Measurement
import Programs
import Testing

/// Programs that read exports without knowing podswarm; the absence of one is a failure, never a skip.
enum ExportReader {
    struct Missing: Error, CustomStringConvertible {
        let path: String
        var description: String { "there is no \(path): run '.ci/setup test' at the package's root" }
    }

    struct Failed: Error, CustomStringConvertible {
        let command: String
        let status: Int32
        let output: String
        var description: String { "\(command) ended with status \(status): \(output)" }
    }

    /// What a Python script prints about files that are given to it as its arguments.
    static func python(_ script: String, _ files: Data...) throws -> Data {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let named = ProcessInfo.processInfo.environment["PODSWARM_TEST_PYTHON"]
        let path = named ?? root.appending(path: ".venv-tests/bin/python3").path
        return try withFiles(files) { try run(path, ["-c", script] + $0) }
    }

    /// What HdrHistogram's own log processor makes of the lines of one tag.
    static func java(tag: String, of log: Data) throws -> String {
        let archive = "/usr/share/java/hdrhistogram.jar"
        guard FileManager.default.fileExists(atPath: archive) else { throw Missing(path: archive) }
        let output = try withFiles([log]) { files in
            try run(
                "/usr/bin/java",
                ["-Xshare:auto", "-cp", archive, "org.HdrHistogram.HistogramLogProcessor", "-tag", tag, "-i"] + files
                    + ["-outputValueUnitRatio", "1"]
            )
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func withFiles(_ contents: [Data], _ body: ([String]) throws -> Data) throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appending(path: "podswarm-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let paths = try contents.enumerated().map { number, content in
            let file = folder.appending(path: "\(number)")
            try content.write(to: file)
            return file.path
        }
        return try body(paths)
    }

    private static func run(_ path: String, _ arguments: [String]) throws -> Data {
        guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing(path: path) }
        let run = try ProgramOutput.of(path, arguments, mergesErrors: true)
        guard run.status == 0 else { throw Failed(command: path, status: run.status, output: run.text) }
        return run.output
    }
}
