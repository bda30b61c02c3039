/// What one loop measured since its last interval, as a value that may cross to the collector.
package struct LoopInterval: Sendable {
    /// Goes back to the loop, cleared, once it was read; nil when it has.
    private(set) var set: RecorderSet?
    package let viewers: ViewerCounts
    package let breaks: [BreakRecord]
    let breaksNotKept: UInt64
    package let findings: [FindingLedger.Row]
    let shutOuts: [ShutOut.Row]
    /// By slot, from 1 on.
    let edges: [Edge]
    let slowest: [SlowAnswer]
    let warnings: ServerWarnings
    let leftOut: LeftOutLedger
    package let counts: IntervalCounts

    /// Empties the set for the loop to fill again; the interval has no distributions afterwards.
    package mutating func takeClearedSet() -> RecorderSet? {
        guard var taken = set.take() else { return nil }
        taken.clear()
        return taken
    }
}
