import ArgumentParser
import Foundation
import RunJournal
import RunResult

/// `podswarm merge`: one result of what the shards of a run left.
struct MergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Make one result of the journals that the shards of a run left, and judge it once.",
        discussion: """
            Name the journals, or folders of results. Everything is added up as the event loops of one run are: \
            distributions, breaks, findings, windows. What only shows when viewers are held against each other is found \
            across shards too.

            Each generator is judged by itself. A shard that was its own limit makes the whole undecidable, unless such \
            shards hold no more of the viewers than --tolerate-limited says. A shard that is missing, was cut off or \
            interrupted undoes no failure, and without it nothing passes.

            Journals stay where they are.

            Exit status: 0 passed; 1 the target failed, whatever else is missing; 2 the journals are not of one run, \
            or cannot be read: nothing is written; 3 not decidable (a shard is missing, or was its own limit); \
            70 a defect of podswarm.
            """
    )

    @Argument(help: "Journals of shards, or folders of results.")
    var journals: [String]

    @Option(help: "Folder that the result is written to; that of the first journal or folder if left out.")
    var results: String?

    @Option(help: "Which run, where there are shards of several.")
    var runID: String?

    @Option(help: ArgumentHelp("How many shards there were; as many as they say if left out.", valueName: "n"))
    var expect: Int?

    @Option(
        help: ArgumentHelp(
            "Share of the viewers that shards may hold together which were their own limit, such as 5%.",
            valueName: "share"
        )
    )
    var tolerateLimited = "0%"

    @Option(
        name: .customLong("output"),
        help: ArgumentHelp(
            "Write the result in another format too; may be given several times.",
            valueName: "format=file"
        )
    )
    var outputs: [String] = []

    @Flag(help: "Write no page beside the result.")
    var noReport = false

    @Flag(help: "Print nothing but errors and the path of the result.")
    var quiet = false

    func run() throws {
        let tolerated = try Self.share(tolerateLimited)
        let exports = try outputs.map(ExportTarget.init(parsing:))
        let output = RunOutput(quiet: quiet, keepsOutputClear: exports.contains(where: \.isStandardOutput))
        let (journals, merged) = try read()
        for note in journals.notes { output.note(note) }
        guard
            let document = merged.document(
                toleratedLimitedShare: tolerated,
                notes: [Self.limits],
                drift: RunSession.drift
            )
        else { throw CommandFailure(.badInput, "there is nothing to merge") }
        let file = try write(document, runID: journals.runID)
        for target in exports { try target.write(document) }
        output.summary(document, file: file)
        if !noReport { ReportCommand.writePage(of: document, beside: file, output) }
        let exit = PodswarmExit(rawValue: Int32(clamping: document.verdict.exitCode)) ?? .ownDefect
        if exit != .passed { throw exit.code }
    }

    /// What a reader would take for checked.
    private static let limits = """
        Two things are not looked at across shards: whether a session was given to viewers of two of them, and \
        the origin's own counts.
        """

    private func read() throws(CommandFailure) -> (journals: ShardJournals, merged: MergedRun) {
        do throws(ShardJournals.Refusal) {
            var sources: [ShardJournals.Source] = []
            var problems: [String] = []
            for path in journals {
                if let found = ShardJournals.Source.all(at: path) {
                    sources += found
                } else {
                    problems.append("\(path): there is no such file or folder")
                }
            }
            guard problems.isEmpty else { throw ShardJournals.Refusal(problems: problems) }
            let chosen = try ShardJournals(among: sources, runID: runID, expected: expect)
            return (chosen, try MergedRun(reading: chosen))
        } catch {
            throw CommandFailure(.badInput, error.problems.map { "merge: \($0)" }.joined(separator: "\n"))
        }
    }

    private func write(_ document: ResultDocument, runID: String) throws(CommandFailure) -> URL {
        do {
            return try ResultStore(folder: folder(of: document)).write(document, label: "\(runID)-merged")
        } catch {
            throw CommandFailure(.ownDefect, "the merged result could not be written: \(error)")
        }
    }

    /// Where results of the run lie that left the first journal.
    private func folder(of document: ResultDocument) -> URL {
        if let results { return URL(fileURLWithPath: results) }
        let first = URL(fileURLWithPath: journals.first ?? ".")
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: first.path, isDirectory: &isFolder)
        let beside = isFolder.boolValue ? first : first.deletingLastPathComponent()
        let above = beside.deletingLastPathComponent()
        let usual = ResultStore(folder: above).profileFolder(document.run.profileName)
        return usual.lastPathComponent == beside.lastPathComponent ? above : beside
    }

    /// A share in percent, such as 5 %, as a number from 0 to 1.
    static func share(_ text: String) throws(CommandFailure) -> Double {
        let number = text.hasSuffix("%") ? text.dropLast() : Substring(text)
        guard text.hasSuffix("%"), let percent = Double(number), (0...100).contains(percent) else {
            throw CommandFailure(.badInput, "--tolerate-limited \(text): a share is from 0% to 100%, such as 5%")
        }
        return percent / 100
    }
}
