import ArgumentParser
import Foundation
import Measurement
import Report

/// `podswarm report`: a result as a page.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show a result as one self-contained HTML page.",
        discussion: """
            The page needs no network and no other file. `podswarm run` writes it beside each result.
            """
    )

    @Argument(help: "A result file, such as results/quick/20261121T200000Z.json.")
    var file: String

    @Option(name: .shortAndLong, help: "Where the page goes; '-' for standard output. (default: beside the result)")
    var output: String?

    func run() throws {
        let document = try ResultDocument(file: self.file)
        let page = try Self.rendering { try HTMLReport(of: document).render() }
        guard self.output != "-" else {
            StandardStream.output.write(Data(page.utf8))
            return
        }
        let place = self.output.map { URL(fileURLWithPath: $0) } ?? Self.place(beside: URL(fileURLWithPath: self.file))
        try Self.write(page, to: place)
        print(place.path)
    }

    /// The page of a result: the same name, another ending.
    static func place(beside result: URL) -> URL {
        result.deletingPathExtension().appendingPathExtension("html")
    }

    /// Writes a page as a whole or not at all.
    static func write(_ page: String, to place: URL) throws {
        do {
            try Data(page.utf8).write(to: place, options: .atomic)
        } catch {
            throw CommandFailure(
                .badInput,
                "\(place.path) cannot be written: \((error as NSError).localizedDescription)"
            )
        }
    }

    private static func rendering(_ render: () throws -> String) throws -> String {
        do {
            return try render()
        } catch {
            throw CommandFailure(.ownDefect, "the report could not be made: \(error)")
        }
    }
}
