/// Measurements of one loop since its last interval, as a value for the collector.
package struct LoopInterval: Sendable {
    /// Returned to the loop, cleared, after reading; nil afterwards.
    private(set) var set: RecorderSet?
    /// All but the distributions and counters of the set.
    let sums: RunSums
    package let changes: LoopChanges
    /// Index plus 1 is the slot.
    let edges: [Edge]
    package let counts: IntervalCounts

    init(set: RecorderSet, sums: RunSums, changes: LoopChanges, edges: [Edge], counts: IntervalCounts) {
        (self.set, self.sums, self.changes, self.edges, self.counts) = (set, sums, changes, edges, counts)
    }

    /// Takes the set, cleared for reuse by the loop; the interval then has no distributions.
    package mutating func takeClearedSet() -> RecorderSet? {
        guard var taken = set.take() else { return nil }
        taken.clear()
        return taken
    }
}
