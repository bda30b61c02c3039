package import Foundation
package import Recording
import Rules

package typealias RunJournalWriter = JournalWriter<RunCollector, RunInterval>

package typealias RecoveredRun = RecoveredJournal<CollectorSettings, RunCollector>

extension RunInterval: JournalInterval {
    /// Time before a break in which no work may begin that needs a core: as long as writing the state of a large run takes.
    private static let quietMicroseconds: Int64 = 3_000_000

    /// Whether no viewer requests pods now or will soon.
    package var isQuiet: Bool {
        counts.podRequests == 0
            && nextBreakMicroseconds.map { $0 &- wallMicroseconds > Self.quietMicroseconds } ?? true
    }
}

extension RecoveredJournal<CollectorSettings, RunCollector> {
    /// Reads the journal of a run that did not end regularly.
    ///
    /// `isBrief` skips the records before its last whole checkpoint, which is much faster.
    ///
    /// - Throws: `JournalReadingError` if no interval is whole.
    package init(of journal: URL, isBrief: Bool = false) throws(JournalReadingError) {
        try self.init(contentsOf: journal, intervals: RunInterval.self, isBrief: isBrief) { $0.fold($1) }
        if isBrief, case .damaged = ending {
            // The damage may be in the checkpoint itself.
            try self.init(contentsOf: journal, intervals: RunInterval.self) { $0.fold($1) }
        }
        guard checkpoint.intervals > 0 else { throw .empty(ending) }
    }

    /// Thresholds of the profile that this version cannot judge, as messages; the result has them too.
    package var complaints: [String] { checkpoint.settings.thresholds.compactMap(\.complaint) }

    /// Result up to the last whole interval: of an interrupted run, marked as recovered.
    package func document(
        drift: (_ windows: [WindowResult], _ settings: CollectorSettings) -> [DriftResult] = { _, _ in [] }
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
