import Foundation
package import Report
package import Results

/// An output file of a result in another format, besides its own.
package struct ExportTarget: Equatable, Sendable {
    package let format: ExportFormat
    package let path: String

    package var isStandardOutput: Bool { path == OutputPlace.standardOutput }

    package init(format: ExportFormat, path: String) {
        self.format = format
        self.path = path
    }

    /// Parses `FORMAT=FILE`, and checks before a run that the file can be written after it.
    ///
    /// Throws `CommandFailure` with the valid values.
    package init(parsing text: String) throws {
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

    /// Writes the file whole or not at all; throws `CommandFailure` with its name.
    package func write(_ document: ResultDocument) throws {
        try OutputPlace.write(OutputPlace.rendered(path) { try format.render(document) }, to: path)
    }
}

extension [ExportTarget] {
    /// Writes every export, also those after a failed one; returns a failure with a sentence for each.
    func write(_ document: ResultDocument) -> CommandFailure? {
        var problems: [String] = []
        for target in self {
            do {
                try target.write(document)
            } catch {
                let reason = (error as? CommandFailure)?.message ?? "\(error)"
                problems.append(
                    "an output could not be written (exit \(PodswarmExit.notWritten.rawValue)): \(reason); "
                        + "podswarm result export writes it from the result"
                )
            }
        }
        return problems.isEmpty ? nil : CommandFailure(.notWritten, problems.joined(separator: "\n"))
    }
}

extension ExportFormat {
    /// Parses a format's name; throws `CommandFailure` with every format.
    package init(naming name: String, for option: String) throws {
        guard let format = ExportFormat(rawValue: name) else {
            let all = ExportFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(.badInput, "\(option): there is no format '\(name)'; the formats are \(all)")
        }
        self = format
    }
}
