import Values

/// Sums of an interval, of the measured part of a run, of its warm-up or of a recent part, for one process or several.
package struct RunSums: Summable, Equatable, Sendable {
    package private(set) var requests: RequestSums
    package var viewers = ViewerCounts()
    package var breakLateness: SparseHistogram
    /// Wall clock minus live edge at each new playlist with dates; negative values count as 0.
    package var liveEdgeAge: SparseHistogram
    package var liveLatency: SparseHistogram
    package var edges = EdgeSums()
    package var slowest = SlowestAnswers()
    package var warnings = ServerWarnings()
    package var leftOut = LeftOutLedger()
    package var channelClock = ChannelClock()
    package var breaksNotKept: UInt64 = 0

    package init() { self.init(digits: .three) }

    package init(digits: SparseHistogram.Digits) {
        requests = RequestSums(digits: digits)
        breakLateness = SparseHistogram(digits: digits)
        liveEdgeAge = SparseHistogram(digits: digits)
        liveLatency = SparseHistogram(digits: digits)
    }

    package mutating func add(_ other: RunSums) {
        requests.add(other.requests)
        viewers.add(other.viewers)
        breakLateness.add(other.breakLateness)
        liveEdgeAge.add(other.liveEdgeAge)
        liveLatency.add(other.liveLatency)
        edges.add(other.edges)
        slowest.add(other.slowest)
        warnings.add(other.warnings)
        leftOut.add(other.leftOut)
        channelClock.add(other.channelClock)
        breaksNotKept &+= other.breaksNotKept
    }

    /// Adds the interval of one loop, except the lateness of its pods.
    mutating func add(_ loop: LoopInterval) {
        add(loop.sums)
        guard let set = loop.set else { return }
        requests.add(set.requests)
        liveEdgeAge.add(set.rare.liveEdgeAge)
        liveLatency.add(set.rare.liveLatency)
        channelClock.add(set.rare.channelClock)
        edges.add(set.edges, of: loop.edges)
    }

    /// Adds the figures that are reported for the whole run, whatever part of it is judged.
    package mutating func addUnjudged(_ other: RunSums) {
        leftOut.add(other.leftOut)
        channelClock.add(other.channelClock)
    }

    /// Reserves the memory that another part of the run needed.
    package mutating func takeRoom(like other: RunSums) {
        requests.takeRoom(like: other.requests)
        breakLateness.takeRoom(like: other.breakLateness)
        liveEdgeAge.takeRoom(like: other.liveEdgeAge)
        liveLatency.takeRoom(like: other.liveLatency)
    }
}

extension RunSums: Codable, EmptyWhereMissing, CheckedWhenRead {
    package var problem: String? {
        // Coarser distributions would not fit the exact extremes of those they are added to.
        let hasThreeDigits = [breakLateness, liveEdgeAge, liveLatency].allSatisfy { $0.digits == .three }
        return hasThreeDigits && breaksNotKept < 1 << 48 ? nil : "no sums of a run"
    }
}
