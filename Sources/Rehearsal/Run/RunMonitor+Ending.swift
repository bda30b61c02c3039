import Console
import RunJournal

extension RunMonitor {
    /// How the run ended, for its journal: without that it looks as if the run had been killed.
    func ending(_ end: RunEnd, _ lastWords: LastWords?) -> RunEnding {
        let abortedBy: String? =
            if case .aborted(let condition) = end { condition } else { nil }
        return RunEnding(
            endedAtMicroseconds: collector.endedAtMicroseconds,
            interrupted: end == .interrupted,
            abortedBy: abortedBy,
            defect: harnessFailure,
            ownFailure: ownFailure,
            lastWords: lastWords
        )
    }
}
