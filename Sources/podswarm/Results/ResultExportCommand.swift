import ArgumentParser
import Console
import Foundation
import Report
import RunResult

extension ResultCommand {
    /// `podswarm result export`: turns a result into what another tool reads.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write a result in the format of another tool.",
            discussion: "Formats: "
                + ExportFormat.allCases.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: "; ") + "."
                + "\n\nThe exit status is 0 where the file was written, whatever became of the run."
        )

        @Argument(help: "A result file, such as results/quick/20261121T200000Z.json.")
        var file: String

        @Option(help: "One of the formats above.")
        var format: String

        @Option(
            name: [.short, .long],
            help: ArgumentHelp("Where to write; - is standard output.", valueName: "file")
        )
        var output = ExportTarget.standardOutput

        func run() throws {
            let format = try ExportFormat(naming: self.format, for: "--format")
            try ExportTarget(format: format, path: output).write(ResultDocument(file: file))
        }
    }
}

/// A file that a result is written to in another format, besides its own.
struct ExportTarget: Equatable, Sendable {
    static let standardOutput = "-"

    let format: ExportFormat
    let path: String

    var isStandardOutput: Bool { path == Self.standardOutput }

    init(format: ExportFormat, path: String) {
        self.format = format
        self.path = path
    }

    /// Reads `FORMAT=FILE`, and finds out before a run that the file could not be written after it.
    ///
    /// - Parameter text: As on the command line.
    /// - Throws: `CommandFailure` that says what is allowed.
    init(parsing text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw CommandFailure(.badInput, "--output \(text): an output is FORMAT=FILE, such as junit=junit.xml")
        }
        self.init(format: try ExportFormat(naming: parts[0], for: "--output"), path: parts[1])
        guard !isStandardOutput else { return }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard access(folder, W_OK | X_OK) == 0 else {
            throw CommandFailure(.badInput, "--output \(text): \(folder): \(String(cString: strerror(errno)))")
        }
    }

    /// Writes the file whole or not at all.
    ///
    /// - Parameter document: The result.
    /// - Throws: `CommandFailure` that names the file.
    func write(_ document: ResultDocument) throws {
        let data = try format.rendered(document)
        guard !isStandardOutput else {
            StandardStream.output.write(data)
            return
        }
        let file = URL(fileURLWithPath: path)
        // A pipe or a device cannot be replaced by a file; it is written to.
        let kind = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)[.type]
        let isFile = kind == nil || kind as? FileAttributeType == .typeRegular
        do {
            try data.write(to: file, options: isFile ? .atomic : [])
        } catch {
            throw CommandFailure(.badInput, "\(path): \((error as NSError).localizedDescription)")
        }
    }
}

extension ExportFormat {
    /// The format of that name.
    ///
    /// - Parameters:
    ///   - name: As on the command line.
    ///   - option: The option it was given for.
    /// - Throws: `CommandFailure` that lists every format.
    init(naming name: String, for option: String) throws {
        guard let format = ExportFormat(rawValue: name) else {
            let all = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(.badInput, "\(option): there is no format '\(name)'; the formats are \(all)")
        }
        self = format
    }

    fileprivate func rendered(_ document: ResultDocument) throws -> Data {
        do {
            return try render(document)
        } catch {
            throw CommandFailure(.ownDefect, "the result cannot be written as \(rawValue): \(error)")
        }
    }
}
