/// Measurements of one loop since its last interval, as a value for the collector.
package struct LoopInterval: Sendable {
    /// nil once returned to the loop.
    private(set) var set: RecorderSet?
    /// All but the distributions and counters of the set.
    let sums: RunSums
    package let changes: LoopChanges
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
    var edges = AnswerCounters()
    var groups = AnswerCounters()
    /// Late pods of the measured part of the run.
    var breakLateness = DenseHistogram(digits: .three)
    var warmUpBreakLateness = DenseHistogram(digits: .three)
    var liveEdgeAge = DenseHistogram(digits: .three)
    var liveLatency = DenseHistogram(digits: .three)
    var channelClock = ChannelClock()

    /// Keeps the memory, so that the loop need not allocate.
    mutating func clear() {
        requests.clear()
        edges.clear()
        groups.clear()
        breakLateness.clear()
        warmUpBreakLateness.clear()
        liveEdgeAge.clear()
        liveLatency.clear()
        channelClock = ChannelClock()
    }

    /// Without edges and groups.
    mutating func takeRoom(like other: RecorderSet) {
        requests.takeRoom(like: other.requests)
        breakLateness.takeRoom(like: other.breakLateness)
        warmUpBreakLateness.takeRoom(like: other.warmUpBreakLateness)
        liveEdgeAge.takeRoom(like: other.liveEdgeAge)
        liveLatency.takeRoom(like: other.liveLatency)
    }
}
