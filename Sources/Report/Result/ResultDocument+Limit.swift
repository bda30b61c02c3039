import RunResult

extension ResultDocument {
    /// Whether nothing can be said of the target because a process did not get the cores that it wanted.
    var isLimitedByMachine: Bool { verdict.outcome == .clientLimited && health.limitedByMachine == true }

    /// Whether a threshold that does not hold counts against no one, because the run cannot tell whose fault it is or has
    /// no sample of it.
    func leavesOpen(_ threshold: ThresholdResult) -> Bool {
        !threshold.passed && (verdict.outcome == .clientLimited || threshold.isUndecided == true)
    }
}
