import ArgumentParser
import Comparison
import Foundation
import Rehearsal
import Report
import Results
import Transport
import Values

struct ResultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "results",
        subcommands: [ResultsListCommand.self, ResultsIndexCommand.self, ResultsServeCommand.self],
        defaultSubcommand: ResultsListCommand.self
    )
}

struct LibraryOptions: ParsableArguments {
    @Argument(help: "The folder with the results; all folders below it are looked through.")
    var folder = "results"

    @Option("name", "The label that tells releases apart.")
    var by = "release"

    func shelf() throws -> RunShelf {
        guard PathKind(of: folder) == .folder else { throw CommandFailure("\(folder): no such folder") }
        guard !by.isEmpty else { throw CommandFailure("--by: name a label, such as release") }
        let place = URL(fileURLWithPath: folder).resolvingSymlinksInPath().standardizedFileURL.path
        return RunShelf(folder: place)
    }
}

struct ResultsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("results list")

    @OptionGroup var library: LibraryOptions

    @Option(help: "Only runs of this profile; may be repeated.")
    var profile: [String] = []

    @Option("name=value", "Only runs with this label; may be repeated.")
    var label: [String] = []

    @Option(help: "Only runs that ended so, such as failed or client-limited; may be repeated.")
    var verdict: [String] = []

    @Option(
        "time",
        "Only runs that started then or later: 2026-03-01, an instant, or 30d ago; in UTC where no zone is given."
    )
    var since: String?

    @Option("time", "Only runs that started then or earlier; a day counts to its end.")
    var until: String?

    @Option("runs", "How many of the newest runs to show.")
    var last: Int?

    @Flag(
        help: "Print all facts of each run, and files that are not results, as of `podswarm result schema --results`."
    )
    var json = false

    private static let usual = 40

    func validate() throws {
        guard last.map({ $0 > 0 }) ?? true else { throw ValidationError("--last must be more than 0.") }
    }

    func run() async throws {
        let filter = try filter()
        let all = try await library.shelf().look()
        var list = all.filtered(by: filter)
        if json {
            if let last { list.rows = Array(list.rows.prefix(last)) }
            return try OutputPlace.write(json: RunListDocument(list).json(), to: OutputPlace.standardOutput)
        }
        let names = Set(all.rows.map(\.profile))
        if let name = profile.first(where: { !names.contains($0) }), !names.isEmpty {
            let advice = NearestName.advice(for: name, among: names.sorted())
            throw CommandFailure("--profile: no run here is of the profile '\(name)'; \(advice)")
        }
        // Paths that can be used from where the user stands.
        for index in list.rows.indices {
            list.rows[index].path = NSString(string: library.folder).appendingPathComponent(list.rows[index].path)
        }
        let output = StandardStream.output
        let rendering = output.isTerminal ? output.rendering : TextRendering(width: 1_000)
        output.write(list.text(rendering, label: library.by, most: last ?? Self.usual))
    }

    private func filter() throws -> RunFilter {
        var filter = RunFilter()
        let now = Int64(Date.now.timeIntervalSince1970 * 1_000_000)
        filter.profiles = Set(profile)
        filter.labels = try CommandFailure.telling("--label: ") { try label.map(RunFilter.label) }
        filter.outcomes = try CommandFailure.telling("--verdict: ") { Set(try verdict.map(RunFilter.outcome)) }
        filter.since = try CommandFailure.telling("--since: ") {
            try since.map { try RunFilter.instant($0, isEnd: false, now: now) }
        }
        filter.until = try CommandFailure.telling("--until: ") {
            try until.map { try RunFilter.instant($0, isEnd: true, now: now) }
        }
        return filter
    }
}

struct ResultsIndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("results index")

    @OptionGroup var library: LibraryOptions

    @Option(
        "file",
        "Where the page goes; - is standard output. (default: index.html in the folder)",
        name: .shortAndLong
    )
    var output: String?

    func run() async throws {
        let list = try await library.shelf().look()
        let folder = URL(fileURLWithPath: library.folder)
        let place = output ?? folder.appending(path: "index.html").path
        let isFile = place != OutputPlace.standardOutput
        let file = URL(fileURLWithPath: place)
        let base = isFile ? Self.way(from: file.deletingLastPathComponent(), to: folder) : ""
        let page = LibraryPage(of: list, in: library.folder, base: base, label: library.by)
        try OutputPlace.write(page.render(), to: place)
        guard isFile else { return }
        if !list.leftOut.isEmpty {
            let files = TextLayout.counted(list.leftOut.count, "file")
            RunOutput.tell("podswarm: \(files) ending in .json cannot be shown; the page says why")
        }
        print(file.path)
    }

    /// Empty, or with a slash at its end.
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

struct ResultsServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration("results serve")

    @OptionGroup var library: LibraryOptions

    @Option("host:port", "Where to serve; port 0 takes a free one.")
    var listen = "127.0.0.1:8098"

    func run() async throws {
        let address = try ListeningAddress(listen, of: "--listen")
        address.warnIfOpen()
        let documents = LibraryDocuments(folder: library.folder, label: library.by, shelf: try library.shelf())
        Task { await documents.prepare() }
        let server = try await CommandFailure.awaiting("--listen: ") { try await documents.serve(at: address) }
        let (stops, stop) = AsyncStream<Void>.makeStream()
        Interruption.listen { stop.finish() }
        RunOutput.writeError("Results: \(server.url)\n")
        for await _ in stops {}
        await server.stop()
    }
}
