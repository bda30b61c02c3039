import RunJournal

extension RunMonitor {
    /// The run with how it ended, for its journal: without that it looks as if the run had been killed.
    func ended(_ end: RunEnd) -> RunCollector {
        let abortedBy: String? =
            if case .aborted(let condition) = end { condition } else { nil }
        return collector.ended(
            RunEnding(
                endedAtMicroseconds: collector.endedAtMicroseconds,
                interrupted: end == .interrupted,
                abortedBy: abortedBy,
                defect: harnessFailure
            )
        )
    }
}
