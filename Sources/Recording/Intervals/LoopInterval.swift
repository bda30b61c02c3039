/// Measurements of one loop since its last interval, as a value for the collector.
package struct LoopInterval: Sendable {
    /// Returned to the loop, cleared, after reading; nil afterwards.
    private(set) var set: RecorderSet?
    package let viewers: ViewerCounts
    package let breaks: [BreakRecord]
    let breaksNotKept: UInt64
    package let findings: [FindingLedger.Row]
    let shutOuts: [ShutOut.Row]
    /// Index plus 1 is the slot.
    let edges: [Edge]
    let slowest: [SlowAnswer]
    let warnings: ServerWarnings
    let leftOut: LeftOutLedger
    package let counts: IntervalCounts

    /// Takes the set, cleared for reuse by the loop; the interval then has no distributions.
    package mutating func takeClearedSet() -> RecorderSet? {
        guard var taken = set.take() else { return nil }
        taken.clear()
        return taken
    }
}
