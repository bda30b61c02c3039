import ArgumentParser
import Foundation
import Rehearsal
import Report
import Results

extension ResultCommand {
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
            help: .value("file", "Where to write; - is standard output.")
        )
        var output = OutputPlace.standardOutput

        func run() throws {
            let format = try ExportFormat(naming: self.format, for: "--format")
            try ExportTarget(format: format, path: output).write(ResultDocument(file: file))
        }
    }
}
