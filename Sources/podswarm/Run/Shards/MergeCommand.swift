import ArgumentParser
import Foundation
import Rehearsal
import Results
import Swarm
import Values

struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Make one result of the journals that the shards of a run left, and judge it once.",
        discussion: """
            Name the journals, or folders of results; or where the shards met, which holds what each of them told. \
            Everything is added up as the event loops of one run are: distributions, breaks, findings, windows. What only \
            shows when viewers are held against each other is found across shards too.

            Each generator is judged by itself. A shard that was its own limit makes the whole undecidable, unless such \
            shards hold no more of the viewers than --tolerate-limited says. A shard that is missing, was cut off or \
            interrupted undoes no failure, and without it nothing passes.

            Journals stay where they are.

            Exit status: 0 passed; 1 the target failed, whatever else is missing; 2 the journals are not of one run, \
            or cannot be read: nothing is written; 3 not decidable (a shard is missing, or was its own limit); \
            70 a defect of podswarm; 74 the result could not be written.
            """
    )

    @Argument(help: "Journals of shards, or folders of results.")
    var journals: [String] = []

    @OptionGroup(title: "In place of journals") var meeting: RendezvousOptions

    @Option(help: "Folder that the result is written to; that of the first journal or folder if left out.")
    var results: String?

    @Option(help: "Which run, where there are shards of several.")
    var runID: String?

    @Option(help: .value("n", "How many shards there were; as many as they say if left out."))
    var expect: Int?

    @OptionGroup var options: MergeOptions

    func run() async throws {
        Preflight.raiseDescriptorLimit()
        let merge = try options.merge()
        let (document, runID) =
            if meeting.rendezvous != nil {
                try await documentOfRendezvous(merge)
            } else {
                try merge.document(of: sources(), runID: runID, expected: expect)
            }
        let exit = try merge.write(document, runID: runID, to: folder(of: document)).exit
        merge.output.verdict(document)
        if exit != .passed { throw exit.code }
    }

    private func sources() throws(CommandFailure) -> [ShardJournals.Source] {
        var sources: [ShardJournals.Source] = []
        var problems = journals.isEmpty ? ["name journals or a folder of results, or a --rendezvous"] : []
        for path in journals {
            if let found = ShardJournals.Source.all(at: path) {
                sources += found
            } else {
                problems.append("\(path): there is no such file or folder")
            }
        }
        guard problems.isEmpty else {
            throw CommandFailure(.badInput, problems.map { "merge: \($0)" }.joined(separator: "\n"))
        }
        return sources
    }

    private func documentOfRendezvous(_ merge: ShardMerge) async throws -> (document: ResultDocument, runID: String) {
        guard journals.isEmpty, let runID else {
            let fix = journals.isEmpty ? "name the run with --run-id" : "name journals or a rendezvous, not both"
            throw CommandFailure(.badInput, "merge: --rendezvous: \(fix)")
        }
        guard let rendezvous = try await meeting.open(runID: runID, onlyLooksOn: true, isThere: true) else {
            throw CommandFailure(.badInput, "merge: name the place where the shards met with --rendezvous")
        }
        let followed = try await rendezvous.closed { place in
            let watch = ShardWatch(
                place: place,
                runID: runID,
                patience: .init(beginning: .zero, silence: .zero),
                output: merge.output,
                live: nil,
                requests: RunRequests()
            )
            return try await watch.look()
        }
        defer { followed.remove() }
        return try merge.document(of: followed.sources, runID: runID, expected: expect ?? followed.count)
    }

    /// Folder of results to which the run of the first journal belongs.
    private func folder(of document: ResultDocument) -> URL {
        if let results { return URL(fileURLWithPath: results) }
        guard let name = journals.first else { return URL(fileURLWithPath: "results") }
        let first = URL(fileURLWithPath: name)
        let beside = PathKind(of: first.path) == .folder ? first : first.deletingLastPathComponent()
        return ResultStore.folder(of: document, beside: beside)
    }
}
