/// The distributions and counters that a loop fills during one interval, then exchanges for a cleared set.
package struct RecorderSet: Sendable {
    var requests = RequestCounters()
    var rare = RareDistributions()
    var edges = EdgeCounters()

    /// Forgets everything and keeps the memory, so that the loop need not allocate.
    mutating func clear() {
        requests.clear()
        rare.clear()
        edges.clear()
    }
}

/// Distributions into which far fewer durations go than requests are made.
struct RareDistributions: Sendable {
    /// How late late pods were, of breaks that began in the measured part of the run.
    var breakLateness = LatencyHistogram()
    /// The same of breaks that began in the warm-up.
    var warmUpBreakLateness = LatencyHistogram()
    var liveEdgeAge = LatencyHistogram()
    /// How far playheads were behind the wall clock.
    var liveLatency = LatencyHistogram()
    var channelClock = ChannelClock()

    mutating func clear() {
        breakLateness.clear()
        warmUpBreakLateness.clear()
        liveEdgeAge.clear()
        liveLatency.clear()
        channelClock = ChannelClock()
    }

    /// Takes the memory for what the other has met already.
    mutating func begin(like other: RareDistributions) {
        breakLateness.begin(like: other.breakLateness)
        warmUpBreakLateness.begin(like: other.warmUpBreakLateness)
        liveEdgeAge.begin(like: other.liveEdgeAge)
        liveLatency.begin(like: other.liveLatency)
    }
}
