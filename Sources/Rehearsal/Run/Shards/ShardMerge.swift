package import Foundation
import Origin
package import Results

package struct ShardMerge: Sendable {
    /// Share of viewers, from 0 to 1, that client-limited shards may have together.
    var toleratedLimitedShare: Double
    /// File with the counts of an origin that served only this run.
    var originTruthFile: String?
    var exports: [ExportTarget]
    var writesReport: Bool
    package var output: RunOutput

    package init(
        toleratedLimitedShare: Double = 0,
        originTruthFile: String? = nil,
        exports: [ExportTarget] = [],
        writesReport: Bool,
        output: RunOutput
    ) {
        self.toleratedLimitedShare = toleratedLimitedShare
        self.originTruthFile = originTruthFile
        self.exports = exports
        self.writesReport = writesReport
        self.output = output
    }

    /// Merges journals, evaluates the sum, and returns the result with its run's id.
    ///
    /// `sources` are journals, some named by the user. A nil `runID` expects a single run; a nil `expected` trusts the
    /// journals' number of shards. Throws `CommandFailure` with every reason against a result.
    package func document(
        of sources: [ShardJournals.Source],
        runID: String?,
        expected: Int?
    ) throws(CommandFailure) -> (document: ResultDocument, runID: String) {
        let origin = try originCounts()
        do throws(ShardJournals.Refusal) {
            let journals = try ShardJournals(among: sources, runID: runID, expected: expected)
            for note in journals.notes { output.note(note) }
            let merged = try MergedRun(reading: journals)
            guard
                let document = merged.document(
                    toleratedLimitedShare: toleratedLimitedShare,
                    origin: origin,
                    drift: RunSession.drift
                )
            else { throw ShardJournals.Refusal(problems: ["there is nothing to merge"]) }
            return (document, journals.runID)
        } catch {
            throw CommandFailure(.badInput, error.problems.map { "merge: \($0)" }.joined(separator: "\n"))
        }
    }

    /// Read before any journal, so that an unreadable file is reported at once.
    private func originCounts() throws(CommandFailure) -> MergedRun.OriginCounts? {
        guard let originTruthFile else { return nil }
        let data = FileManager.default.contents(atPath: originTruthFile)
        if let data, let truth = try? GroundTruth(json: data) {
            let connections = truth.viewers.seen > 0 ? Reconciliation.Connections(truth) : nil
            return MergedRun.OriginCounts(received: truth.requests.mapValues(\.received), connections: connections)
        }
        let fix = "this is not what an origin counted; fetch it from /origin/truth.json there"
        throw CommandFailure(.badInput, "--origin-truth \(originTruthFile): \(fix)")
    }

    /// Writes the result with its page and exports into the folder of results.
    ///
    /// Returns its file, and the exit status. Throws `CommandFailure` where the result or an export cannot be written.
    package func write(
        _ document: ResultDocument,
        runID: String,
        to results: URL
    ) throws -> (file: URL, exit: PodswarmExit) {
        let file: URL
        do {
            file = try ResultStore(folder: results).write(document, label: "\(runID)-merged")
        } catch {
            throw CommandFailure(.notWritten, "the merged result could not be written: \(error)")
        }
        let unwritten = exports.write(document)
        if writesReport { ResultPage.write(of: document, beside: file, output) }
        output.summary(document, file: file, exit: unwritten?.exit)
        if let unwritten {
            output.verdict(document, exit: unwritten.exit)
            throw unwritten
        }
        return (file, PodswarmExit(rawValue: Int32(clamping: document.verdict.exitCode)) ?? .ownDefect)
    }
}
