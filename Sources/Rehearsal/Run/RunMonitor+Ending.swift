import Results

extension RunMonitor {
    /// The end of the run for its journal: without it the run looks as if it had been killed.
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
