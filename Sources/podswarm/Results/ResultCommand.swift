import ArgumentParser
import Comparison
import Foundation
import Rehearsal
import Report
import Results
import Tools
import Values

struct ResultCommand: ParsableCommand {
    static let configuration = CommandConfiguration("result", subcommands: [Show.self, Export.self, Schema.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration("result show")

        @Argument(help: "A result file, such as results/quick/20261121T200000Z.json.")
        var file: String

        @Option("number", "Print the findings of this viewer only, such as why it got another pod.")
        var viewer: UInt?

        func run() throws {
            let document = try ResultDocument(file: file)
            if let viewer {
                let rendering = StandardStream.output.rendering
                StandardStream.output.write(document.findingsText(ofViewer: Int(clamping: viewer), rendering))
            } else {
                RunOutput(quiet: false).summary(document, file: URL(fileURLWithPath: file))
            }
            throw ExitCode(Int32(clamping: document.verdict.exitCode))
        }
    }

    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration("result schema")

        @Flag(help: "That of the documents that podswarm compare --json writes.")
        var comparison = false

        @Flag(help: "That of the documents that podswarm lint --format json prints.")
        var lint = false

        @Flag(help: "That of the documents that podswarm plan --json prints.")
        var bill = false

        @Flag(help: "That of the documents that podswarm plan --shards --json prints.")
        var sizing = false

        @Flag(help: "That of the documents that podswarm capacity writes.")
        var capacity = false

        @Flag(help: "That of the documents that podswarm results --json prints.")
        var results = false

        func validate() throws {
            guard [comparison, lint, bill, sizing, capacity, results].count(where: \.self) < 2 else {
                throw ValidationError(
                    "Only one of --comparison, --lint, --bill, --sizing, --capacity and --results can be asked for."
                )
            }
        }

        func run() throws {
            let text = try CommandFailure.telling(
                "the schema is not installed beside the executable: ",
                as: .ownDefect,
                schema
            )
            StandardStream.output.write(text)
        }

        private func schema() throws -> Data {
            if lint { return try LintDocument.jsonSchema() }
            if bill { return try BillDocument.jsonSchema() }
            if sizing { return try SizingDocument.jsonSchema() }
            if capacity { return try CapacityDocument.jsonSchema() }
            if results { return try RunListDocument.jsonSchema() }
            return try comparison ? ComparisonDocument.jsonSchema() : ResultDocument.jsonSchema()
        }
    }
}

extension ResultDocument {
    /// Errors are `CommandFailure`s that name the problem with the file.
    init(file path: String) throws { self = try Self.stored(in: path) { try ResultDocument(json: $0) } }

    fileprivate static func stored<Document>(in path: String, _ read: (Data) throws -> Document) throws -> Document {
        var json = Data()
        do {
            json = try ResultFile.contents(of: path)
            return try read(json)
        } catch {
            let damage = CapacityDocument.isNamed(in: json) ? "a damaged capacity result" : "not a podswarm result"
            let problem =
                switch error {
                case is ReadingError, is CapacityDocument.ReadingError: "\(error)"
                case let decoding as DecodingError: "\(damage): \(decoding.problem(in: json))"
                default: "cannot be read: \((error as NSError).localizedDescription)"
                }
            throw CommandFailure("\(path): \(problem)")
        }
    }
}

extension ResultCommand {
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            "result export",
            listing: "Formats: "
                + ExportFormat.allCases.map { "\($0.rawValue) (\($0.summary))" }.joined(separator: "; ") + "."
        )

        @Argument(help: "A result file, such as results/quick/20261121T200000Z.json.")
        var file: String

        @Option(help: "One of the formats above.")
        var format: String

        @Option(name: [.short, .long], help: .value("file", "Where to write; - is standard output."))
        var output = OutputPlace.standardOutput

        func run() throws {
            let format = try ExportFormat(naming: self.format, for: "--format")
            try ExportTarget(format: format, path: output).write(ResultDocument(file: file))
        }
    }
}

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration("report")

    @Argument(help: "A result file, such as results/quick/20261121T200000Z.json.")
    var file: String

    @Option("file", "Where the page goes; - is standard output. (default: beside the result)", name: .shortAndLong)
    var output: String?

    func run() throws {
        let page = try ResultDocument.stored(in: file) { json in
            try CapacityDocument.isNamed(in: json) ? CapacityDocument(json: json).html : ResultDocument(json: json).html
        }()
        let place = output ?? ResultPage.place(beside: URL(fileURLWithPath: file)).path
        try OutputPlace.write(page, to: place)
        if place != OutputPlace.standardOutput { print(URL(fileURLWithPath: place).path) }
    }
}
