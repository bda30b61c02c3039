import RunResult

extension ResultDocument {
    /// Whether nothing can be said of the target because a process did not get the cores that it wanted.
    var isLimitedByMachine: Bool { verdict.outcome == .clientLimited && health.limitedByMachine == true }

    /// Whether a threshold that does not hold is held against nobody, because the run cannot tell whose fault it is.
    var leavesThresholdsOpen: Bool { verdict.outcome == .clientLimited }
}
