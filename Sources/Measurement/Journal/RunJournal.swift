package import Foundation

/// The journal of a run: its settings, the state of its collector, its intervals.
package typealias RunJournal = JournalWriter<RunCollector, RunInterval>

/// What the journal of a run holds.
package typealias RecoveredRun = RecoveredJournal<CollectorSettings, RunCollector>

extension RecoveredJournal<CollectorSettings, RunCollector> {
    /// Reads the journal of a run that did not end by itself.
    ///
    /// - Parameter journal: The file.
    /// - Throws: `JournalReadingError` where not a single interval is whole.
    package init(of journal: URL) throws(JournalReadingError) {
        try self.init(contentsOf: journal, intervals: RunInterval.self) { $0.fold($1) }
        guard checkpoint.intervals > 0 else { throw .empty(ending) }
    }

    /// The result up to the last whole interval: that of an interrupted run, with a mark of where it comes from.
    ///
    /// - Parameter drift: Judges series of windows, of so many loops.
    /// - Returns: The result.
    package func document(
        drift: (_ windows: [WindowResult], _ loops: Int) -> [DriftResult] = { _, _ in [] }
    ) -> ResultDocument {
        let ending = RunEnding(endedAtMicroseconds: checkpoint.endedAtMicroseconds, interrupted: true)
        var document = checkpoint.document(ending, isOver: false, drift: drift)
        document.run.recovered = RecoveredMark(
            intervals: checkpoint.intervals,
            droppedBytes: droppedBytes,
            reason: "\(self.ending)"
        )
        return document
    }
}
