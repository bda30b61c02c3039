/// Distributions and counters that a loop fills in one interval and then swaps for a cleared set.
package struct RecorderSet: Sendable {
    var requests = RequestCounters()
    var rare = RareDistributions()
    var edges = EdgeCounters()

    /// Resets the values and keeps the memory, so that the loop need not allocate.
    mutating func clear() {
        requests.clear()
        rare.clear()
        edges.clear()
    }
}

/// Distributions of events that are much rarer than requests.
struct RareDistributions: Sendable {
    /// Lateness of late pods, for breaks of the measured part of the run.
    var breakLateness = LatencyHistogram()
    /// Lateness of late pods, for breaks of the warm-up.
    var warmUpBreakLateness = LatencyHistogram()
    var liveEdgeAge = LatencyHistogram()
    var liveLatency = LatencyHistogram()
    var channelClock = ChannelClock()

    mutating func clear() {
        breakLateness.clear()
        warmUpBreakLateness.clear()
        liveEdgeAge.clear()
        liveLatency.clear()
        channelClock = ChannelClock()
    }

    /// Allocates memory for the distributions that the other one uses.
    mutating func begin(like other: RareDistributions) {
        breakLateness.begin(like: other.breakLateness)
        warmUpBreakLateness.begin(like: other.warmUpBreakLateness)
        liveEdgeAge.begin(like: other.liveEdgeAge)
        liveLatency.begin(like: other.liveLatency)
    }
}
