import ArgumentParser
import Comparison
import Foundation
import Rehearsal
import Report
import Values

struct ResultsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List runs with verdict, punctuality, findings and release, newest first.",
        discussion: """
            Options that are repeated: a run must have one of the profiles, one of the verdicts, and all of the labels. \
            Exit status: 0, whatever the runs came to; 2 bad arguments.
            """
    )

    @OptionGroup var library: LibraryOptions

    @Option(help: "Only runs of this profile; may be repeated.")
    var profile: [String] = []

    @Option(help: .value("name=value", "Only runs with this label; may be repeated."))
    var label: [String] = []

    @Option(help: "Only runs that ended so, such as failed or client-limited; may be repeated.")
    var verdict: [String] = []

    @Option(help: .value("time", "Only runs that started then or later: 2026-03-01, an instant, or 30d ago."))
    var since: String?

    @Option(help: .value("time", "Only runs that started then or earlier; a day counts to its end."))
    var until: String?

    @Option(help: .value("runs", "How many of the newest runs to show."))
    var last: Int?

    @Flag(
        help:
            "Print everything that is known of each run, and what is no result, as of `podswarm result schema --results`."
    )
    var json = false

    /// Default number of runs shown.
    private static let usual = 40

    func validate() throws {
        guard last.map({ $0 > 0 }) ?? true else { throw ValidationError("--last must be more than 0.") }
    }

    func run() async throws {
        let filter = try filter()
        let shelf = try library.shelf()
        var list = await shelf.look().filtered(by: filter)
        await shelf.remember()
        if json {
            if let last { list.rows = Array(list.rows.prefix(last)) }
            return try OutputPlace.write(json: RunListDocument(list).json(), to: OutputPlace.standardOutput)
        }
        let output = StandardStream.output
        let text = RunListText(
            of: list,
            label: library.by,
            most: last ?? Self.usual,
            width: output.isTerminal ? output.width : 1_000,
            colour: output.showsColour
        )
        output.write(text.render())
    }

    private func filter() throws -> RunFilter {
        var filter = RunFilter()
        let now = Int64(Date.now.timeIntervalSince1970 * 1_000_000)
        do {
            filter.profiles = Set(profile)
            filter.labels = try label.map(RunFilter.label)
            filter.outcomes = Set(try verdict.map(RunFilter.outcome))
            filter.since = try since.map { try RunFilter.instant($0, isEnd: false, now: now) }
            filter.until = try until.map { try RunFilter.instant($0, isEnd: true, now: now) }
        } catch {
            throw CommandFailure(.badInput, "\(error)")
        }
        return filter
    }
}
