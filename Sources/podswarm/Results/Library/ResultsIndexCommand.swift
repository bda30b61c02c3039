import ArgumentParser
import Comparison
import Foundation
import Rehearsal
import Report
import Results

struct ResultsIndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Write one HTML page of all runs, with links to the page of each.",
        discussion: """
            The page needs no network and no server: it can be opened as a file, or lie on any web server together with \
            the folder. Its links are relative. A run links to the page beside its result, where there is one; \
            --reports writes those that are missing.
            """
    )

    @OptionGroup var library: LibraryOptions

    @Option(
        name: .shortAndLong,
        help: .value("file", "Where the page goes; - is standard output. (default: index.html in the folder)")
    )
    var output: String?

    @Flag(help: "Write the page of each run that has none beside its result.")
    var reports = false

    func run() async throws {
        let shelf = try library.shelf()
        var list = await shelf.look()
        if reports {
            for row in list.rows where !row.hasPage { writeReport(of: row) }
            list = await shelf.look()
        }
        await shelf.remember()
        let folder = URL(fileURLWithPath: library.folder)
        let place = output ?? folder.appending(path: "index.html").path
        let isFile = place != OutputPlace.standardOutput
        let file = URL(fileURLWithPath: place)
        let base = isFile ? Self.way(from: file.deletingLastPathComponent(), to: folder) : ""
        let options = LibraryPage.Options(place: .file(base: base, folder: library.folder), label: library.by)
        try OutputPlace.write(LibraryPage(of: list, options).render(), to: place)
        guard isFile else { return }
        if !list.leftOut.isEmpty {
            let files = TextLayout.counted(list.leftOut.count, "file")
            RunOutput.tell("podswarm: \(files) ending in .json cannot be shown; the page says why")
        }
        print(file.path)
    }

    /// A failure only prints a message, so that the page of all runs is still written.
    private func writeReport(of row: RunRow) {
        let result = URL(fileURLWithPath: library.folder).appending(path: row.path)
        do {
            let page = try StoredResult.html(of: ResultFile.contents(of: result.path))
            try OutputPlace.write(page, to: ResultPage.place(beside: result).path)
        } catch {
            let reason = (error as? CommandFailure)?.message ?? (error is DecodingError ? "it is damaged" : "\(error)")
            RunOutput.tell("podswarm: no page of \(row.path): \(reason)")
        }
    }

    /// Relative path between folders; empty, or with a slash at its end.
    static func way(from start: URL, to end: URL) -> String {
        let (here, there) = (
            start.resolvingSymlinksInPath().standardizedFileURL.pathComponents,
            end.resolvingSymlinksInPath().standardizedFileURL.pathComponents
        )
        let shared = zip(here, there).prefix { $0 == $1 }.count
        let steps = here.dropFirst(shared).map { _ in ".." } + there.dropFirst(shared)
        return steps.map { RelativeReference.text(of: $0) + "/" }.joined()
    }
}
