/// The distributions and counters that a loop fills during one interval, then exchanges for a cleared set.
package struct RecorderSet: Sendable {
    var requests = RequestCounters<UInt32>()
    var rare = RareDistributions()

    /// Forgets everything and keeps the memory, so that the loop need not allocate.
    mutating func clear() {
        requests.clear()
        rare.clear()
    }
}

/// Distributions into which far fewer durations go than requests are made.
struct RareDistributions: Sendable {
    /// How late late pods were, of breaks that began in the measured part of the run.
    var breakLateness = LatencyHistogram<UInt32>()
    /// The same of breaks that began in the warm-up.
    var warmUpBreakLateness = LatencyHistogram<UInt32>()
    var liveEdgeAge = LatencyHistogram<UInt32>()
    /// How far playheads were behind the wall clock.
    var liveLatency = LatencyHistogram<UInt32>()

    mutating func clear() {
        breakLateness.clear()
        warmUpBreakLateness.clear()
        liveEdgeAge.clear()
        liveLatency.clear()
    }
}
