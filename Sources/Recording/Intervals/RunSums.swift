import JSON

/// What was measured in an interval, in the measured part of a run, in its warm-up or lately: the same sums for each, and
/// for one process as for several.
package struct RunSums: Equatable, Sendable {
    package private(set) var requests: RequestSums
    package var viewers = ViewerCounts()
    /// How late late pods were.
    package var breakLateness: SparseHistogram
    /// The wall clock less the live edge at each new playlist with dates; below zero counts as 0.
    package var liveEdgeAge: SparseHistogram
    /// How far playheads were behind the wall clock.
    package var liveLatency: SparseHistogram
    package var edges = EdgeSums()
    package var slowest = SlowestAnswers()
    /// What the ad server warned of.
    package var warnings = ServerWarnings()
    /// Requests to hosts that are not authorised.
    package var leftOut = LeftOutLedger()
    package var channelClock = ChannelClock()
    /// Requests for a break that found every record taken.
    package var breaksNotKept: UInt64 = 0

    package init() { self.init(digits: .three) }

    package init(digits: SparseHistogram.Digits) {
        requests = RequestSums(digits: digits)
        breakLateness = SparseHistogram(digits: digits)
        liveEdgeAge = SparseHistogram(digits: digits)
        liveLatency = SparseHistogram(digits: digits)
    }

    /// Adds what was measured at another time, or at the same time elsewhere; the order of additions does not matter.
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

    /// Adds what one loop measured in an interval, but for how late its pods were.
    mutating func add(_ loop: LoopInterval) {
        if let set = loop.set {
            requests.add(set.requests)
            liveEdgeAge.add(set.rare.liveEdgeAge)
            liveLatency.add(set.rare.liveLatency)
            channelClock.add(set.rare.channelClock)
            edges.add(set.edges, of: loop.edges)
        }
        viewers.add(loop.viewers)
        for answer in loop.slowest { slowest.add(answer) }
        warnings.add(loop.warnings)
        leftOut.add(loop.leftOut)
        breaksNotKept &+= loop.breaksNotKept
    }

    /// Adds what is told of the whole run, whatever part of it is judged.
    package mutating func addUnjudged(_ other: RunSums) {
        leftOut.add(other.leftOut)
        channelClock.add(other.channelClock)
    }

    /// Takes the memory that another stretch of the run needed, before it is needed here.
    package mutating func takeRoom(like other: RunSums) {
        requests.takeRoom(like: other.requests)
        breakLateness.takeRoom(like: other.breakLateness)
        liveEdgeAge.takeRoom(like: other.liveEdgeAge)
        liveLatency.takeRoom(like: other.liveLatency)
    }

    package func adding(_ other: RunSums) -> RunSums {
        var sum = self
        sum.add(other)
        return sum
    }
}

extension RunSums: Codable, EmptyWhereMissing, CheckedWhenRead {
    package var problem: String? {
        // Coarser ones would not fit the exact extremes of what they are added to.
        let hasThreeDigits = [breakLateness, liveEdgeAge, liveLatency].allSatisfy { $0.digits == .three }
        return hasThreeDigits && breaksNotKept < 1 << 48 ? nil : "no sums of a run"
    }
}
