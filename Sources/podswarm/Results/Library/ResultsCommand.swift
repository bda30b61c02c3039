import ArgumentParser
import Comparison
import Foundation
import Rehearsal
import Values

struct ResultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "results",
        abstract: "Look at all runs of a folder: list them, write a page of them, or serve it.",
        discussion: """
            A year of nightly runs is a folder of some hundred results. What was read of them is kept in a cache, so that \
            only what is new is read.

              podswarm results --profile nightly --since 30d
              podswarm results index results
              podswarm results serve results
            """,
        subcommands: [ResultsListCommand.self, ResultsIndexCommand.self, ResultsServeCommand.self],
        defaultSubcommand: ResultsListCommand.self
    )
}

struct LibraryOptions: ParsableArguments {
    @Argument(help: "The folder with the results; all folders below it are looked through.")
    var folder = "results"

    @Option(help: .value("name", "The label that tells releases apart."))
    var by = "release"

    @Flag(help: "Read every result, and keep nothing in the user's cache.")
    var noCache = false

    /// Opens the folder of results; a missing folder is an error.
    func shelf() throws -> RunShelf {
        guard PathKind(of: folder) == .folder else { throw CommandFailure(.badInput, "\(folder): no such folder") }
        guard !by.isEmpty else { throw CommandFailure(.badInput, "--by: name a label, such as release") }
        let place = URL(fileURLWithPath: folder).resolvingSymlinksInPath().standardizedFileURL.path
        let caches = noCache ? nil : ShelfCache.standardPlace(ProcessInfo.processInfo.environment)
        return RunShelf(folder: place, cache: caches.map { ShelfCache(of: place, in: $0) })
    }
}
