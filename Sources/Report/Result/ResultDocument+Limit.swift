import Results

extension ResultDocument {
    /// Whether there is no verdict on the target because a process did not get enough cores.
    var isLimitedByMachine: Bool { verdict.outcome == .clientLimited && health.limitedByMachine == true }

    /// Whether a violated threshold decides nothing, because the run cannot tell the cause or has no sample.
    func leavesOpen(_ threshold: ThresholdResult) -> Bool {
        !threshold.passed && (verdict.outcome == .clientLimited || threshold.isUndecided == true)
    }
}
