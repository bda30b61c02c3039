import Foundation
import RunJournal
import RunResult

/// Makes one result of what the shards of a run left, and writes it.
struct ShardMerge {
    /// Share of the viewers, from 0 to 1, that shards may hold together which were their own limit.
    var toleratedLimitedShare: Double
    var exports: [ExportTarget]
    var writesReport: Bool
    var output: RunOutput

    /// What a reader would take for checked.
    private static let limits = """
        Two things are not looked at across shards: whether a session was given to viewers of two of them, and \
        the origin's own counts.
        """

    /// Adds journals up, and judges the sum.
    ///
    /// - Parameters:
    ///   - sources: Journals, and which of them a person named.
    ///   - runID: Of the run that is meant; nil where there is but one.
    ///   - expected: How many shards there were; nil: as many as they say.
    /// - Returns: The result, and the name of its run.
    /// - Throws: `CommandFailure` with every reason why they make none.
    func document(
        of sources: [ShardJournals.Source],
        runID: String?,
        expected: Int?
    ) throws(CommandFailure) -> (document: ResultDocument, runID: String) {
        do throws(ShardJournals.Refusal) {
            let journals = try ShardJournals(among: sources, runID: runID, expected: expected)
            for note in journals.notes { output.note(note) }
            let merged = try MergedRun(reading: journals)
            guard
                let document = merged.document(
                    toleratedLimitedShare: toleratedLimitedShare,
                    notes: [Self.limits],
                    drift: RunSession.drift
                )
            else { throw ShardJournals.Refusal(problems: ["there is nothing to merge"]) }
            return (document, journals.runID)
        } catch {
            throw CommandFailure(.badInput, error.problems.map { "merge: \($0)" }.joined(separator: "\n"))
        }
    }

    /// Writes the result with all that goes with it.
    ///
    /// - Parameters:
    ///   - document: The result.
    ///   - runID: The name of its run.
    ///   - results: The folder of results.
    /// - Returns: How the run ended.
    /// - Throws: `CommandFailure` where it cannot be written.
    func write(_ document: ResultDocument, runID: String, to results: URL) throws -> PodswarmExit {
        let file: URL
        do {
            file = try ResultStore(folder: results).write(document, label: "\(runID)-merged")
        } catch {
            throw CommandFailure(.ownDefect, "the merged result could not be written: \(error)")
        }
        for target in exports { try target.write(document) }
        output.summary(document, file: file)
        if writesReport { ReportCommand.writePage(of: document, beside: file, output) }
        return PodswarmExit(rawValue: Int32(clamping: document.verdict.exitCode)) ?? .ownDefect
    }
}
