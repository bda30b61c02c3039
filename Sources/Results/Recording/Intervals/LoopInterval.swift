/// Measurements of one loop since its last interval, as a value for the collector.
package struct LoopInterval: Sendable {
    /// nil once returned to the loop.
    private(set) var set: RecorderSet?
    /// All but the distributions and counters of the set.
    let sums: RunSums
    package let changes: LoopChanges
    /// Index plus 1 is the slot.
    let edges: [Edge]
    package let counts: IntervalCounts

    /// The interval then has no distributions.
    package mutating func takeClearedSet() -> RecorderSet? {
        guard var taken = set.take() else { return nil }
        taken.clear()
        return taken
    }
}

/// A loop fills it in one interval, then swaps it for a cleared one.
package struct RecorderSet: Sendable {
    var requests = RequestCounters()
    var rare = RareDistributions()
    var edges = AnswerCounters()
    var groups = AnswerCounters()

    /// Keeps the memory, so that the loop need not allocate.
    mutating func clear() {
        requests.clear()
        rare.clear()
        edges.clear()
        groups.clear()
    }
}

/// Distributions of events much rarer than requests.
struct RareDistributions: Sendable {
    /// Late pods of the measured part of the run.
    var breakLateness = DenseHistogram(digits: .three)
    var warmUpBreakLateness = DenseHistogram(digits: .three)
    var liveEdgeAge = DenseHistogram(digits: .three)
    var liveLatency = DenseHistogram(digits: .three)
    var channelClock = ChannelClock()

    mutating func clear() {
        breakLateness.clear()
        warmUpBreakLateness.clear()
        liveEdgeAge.clear()
        liveLatency.clear()
        channelClock = ChannelClock()
    }

    mutating func takeRoom(like other: RareDistributions) {
        breakLateness.takeRoom(like: other.breakLateness)
        warmUpBreakLateness.takeRoom(like: other.warmUpBreakLateness)
        liveEdgeAge.takeRoom(like: other.liveEdgeAge)
        liveLatency.takeRoom(like: other.liveLatency)
    }
}
