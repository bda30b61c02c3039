package import Console
package import Foundation
import Origin
package import RunJournal
package import RunResult

/// Makes one result of what the shards of a run left, and writes it.
package struct ShardMerge: Sendable {
    /// Share of the viewers, from 0 to 1, that shards may hold together which were their own limit.
    var toleratedLimitedShare: Double
    /// Where it stands what an origin counted that served this run and nothing else; nil where nobody says.
    var originTruthFile: String?
    var exports: [ExportTarget]
    var writesReport: Bool
    package var output: RunOutput

    /// - Parameters:
    ///   - toleratedLimitedShare: Share of the viewers, from 0 to 1, that shards may hold together which were their own limit.
    ///   - originTruthFile: Where it stands what an origin counted that served this run and nothing else; nil where nobody
    ///     says.
    ///   - exports: What the result is written to besides its own file.
    ///   - writesReport: Whether a page is written beside it.
    ///   - output: Where it is told.
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

    /// Adds journals up, and judges the sum.
    ///
    /// - Parameters:
    ///   - sources: Journals, and which of them a person named.
    ///   - runID: Of the run that is meant; nil where there is but one.
    ///   - expected: How many shards there were; nil: as many as they say.
    /// - Returns: The result, and the name of its run.
    /// - Throws: `CommandFailure` with every reason why they make none.
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

    /// Read before any journal: what cannot be read is said at once.
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

    /// Writes the result with all that goes with it.
    ///
    /// - Parameters:
    ///   - document: The result.
    ///   - runID: The name of its run.
    ///   - results: The folder of results.
    /// - Returns: Its file, and how the run ended.
    /// - Throws: `CommandFailure` where it cannot be written, or one of its exports cannot.
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
