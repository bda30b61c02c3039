import ArgumentParser
import Foundation
import Rehearsal
import Report
import Results

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show a result as one self-contained HTML page.",
        discussion: """
            The page needs no network and no other file. `podswarm run` writes it beside each result, and \
            `podswarm capacity` beside each capacity result, which this command takes too.

            With --against it holds a second result, the candidate, against the first. One run a side decides \
            hardly anything; see `podswarm compare` for several.
            """
    )

    @Argument(help: "A result file, such as results/quick/20261121T200000Z.json.")
    var file: String

    @Option(help: .value("file", "Another result, to be compared with the first."))
    var against: String?

    @Option(
        name: .shortAndLong,
        help: .value("file", "Where the page goes; - is standard output. (default: beside the result)")
    )
    var output: String?

    func run() throws {
        let result = URL(fileURLWithPath: against ?? file)
        let place = output ?? ResultPage.place(beside: result, compared: against != nil).path
        try OutputPlace.write(page(), to: place)
        if place != OutputPlace.standardOutput { print(URL(fileURLWithPath: place).path) }
    }

    private func page() throws -> String {
        if let capacity = try CapacityDocument.stored(in: file) {
            guard against == nil else {
                throw CommandFailure(.badInput, "\(file): a capacity result; use podswarm compare --against")
            }
            return try capacity.html()
        }
        let document = try ResultDocument(file: file)
        guard let against else { return try document.html() }
        return try StoredResult(document, at: file).html(
            against: StoredResult(ResultDocument(file: against), at: against)
        )
    }
}
