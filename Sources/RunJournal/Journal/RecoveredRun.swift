package import Foundation
package import Recording
package import RunResult
import Thresholds

/// The journal of a run: its settings, the state of its collector, its intervals.
package typealias RunJournalWriter = JournalWriter<RunCollector, RunInterval>

/// What the journal of a run holds.
package typealias RecoveredRun = RecoveredJournal<CollectorSettings, RunCollector>

extension RunInterval: JournalInterval {
    /// How long before a break nothing may begin that takes a core: as long as it takes to write the state of a large run.
    private static let quietMicroseconds: Int64 = 3_000_000

    /// Whether nobody asks for pods now, nor will in a moment.
    package var isQuiet: Bool {
        counts.podRequests == 0
            && nextBreakMicroseconds.map { $0 &- wallMicroseconds > Self.quietMicroseconds } ?? true
    }
}

extension RecoveredJournal<CollectorSettings, RunCollector> {
    /// Reads the journal of a run that did not end by itself.
    ///
    /// - Parameters:
    ///   - journal: The file.
    ///   - isBrief: Whether what comes before its last whole checkpoint is left alone, which is much faster.
    /// - Throws: `JournalReadingError` where not a single interval is whole.
    package init(of journal: URL, isBrief: Bool = false) throws(JournalReadingError) {
        try self.init(contentsOf: journal, intervals: RunInterval.self, isBrief: isBrief) { $0.fold($1) }
        if isBrief, case .damaged = ending {
            // The checkpoint itself may be what means nothing.
            try self.init(contentsOf: journal, intervals: RunInterval.self) { $0.fold($1) }
        }
        guard checkpoint.intervals > 0 else { throw .empty(ending) }
    }

    /// What the profile asked for and this version cannot judge, as sentences; the result says it too.
    package var complaints: [String] { checkpoint.settings.thresholds.compactMap(\.complaint) }

    /// The result up to the last whole interval: that of an interrupted run, with a mark of where it comes from.
    ///
    /// - Parameter drift: Judges the windows of a run with these settings.
    /// - Returns: The result.
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
