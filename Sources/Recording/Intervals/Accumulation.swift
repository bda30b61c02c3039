/// Sums of intervals: the measured part of a run, its warm-up, or what happened lately.
package struct Accumulation: Equatable, Sendable {
    package private(set) var requests: RequestSums
    package private(set) var breakLateness: SparseHistogram
    package private(set) var liveEdgeAge: SparseHistogram
    package private(set) var liveLatency: SparseHistogram
    package private(set) var edges = EdgeSums()
    package private(set) var slowest = SlowestAnswers()
    package private(set) var warnings = ServerWarnings()
    package private(set) var leftOut = LeftOutLedger()
    package private(set) var channelClock = ChannelClock()
    package private(set) var breaksNotKept: UInt64 = 0

    package init(digits: SparseHistogram.Digits = .three) {
        requests = RequestSums(digits: digits)
        breakLateness = SparseHistogram(digits: digits)
        liveEdgeAge = SparseHistogram(digits: digits)
        liveLatency = SparseHistogram(digits: digits)
    }

    package mutating func add(_ interval: RunInterval) {
        requests.add(interval.requests)
        liveEdgeAge.add(interval.liveEdgeAge)
        liveLatency.add(interval.liveLatency)
        edges.add(interval.edges)
        slowest.add(interval.slowest)
        warnings.add(interval.warnings)
        leftOut.add(interval.leftOut)
        channelClock.add(interval.channelClock)
        breaksNotKept &+= interval.breaksNotKept
    }

    /// Adds what one loop recorded in a whole run.
    package mutating func add(_ loop: LoopTotals) {
        requests.add(loop.requests)
        breakLateness.add(loop.rare.breakLateness)
        breakLateness.add(loop.rare.warmUpBreakLateness)
        liveEdgeAge.add(loop.rare.liveEdgeAge)
        liveLatency.add(loop.rare.liveLatency)
        edges.add(loop.edgeCounters, of: loop.edges)
        for answer in loop.slowest { slowest.add(answer) }
        warnings.add(loop.warnings)
        leftOut.add(loop.leftOut)
        channelClock.add(loop.rare.channelClock)
        breaksNotKept &+= loop.breaksNotKept
    }

    /// Adds what is told of the whole run, whatever part of it is judged.
    package mutating func addUnjudged(_ other: Accumulation) {
        leftOut.add(other.leftOut)
        channelClock.add(other.channelClock)
    }

    package mutating func addBreakLateness(_ histogram: SparseHistogram) { breakLateness.add(histogram) }

    /// Takes the memory that another stretch of the run needed, before it is needed here.
    package mutating func takeRoom(like other: Accumulation) {
        requests.takeRoom(like: other.requests)
        breakLateness.takeRoom(like: other.breakLateness)
        liveEdgeAge.takeRoom(like: other.liveEdgeAge)
        liveLatency.takeRoom(like: other.liveLatency)
    }

    package func adding(_ other: Accumulation) -> Accumulation {
        var sum = self
        sum.requests.add(other.requests)
        sum.breakLateness.add(other.breakLateness)
        sum.liveEdgeAge.add(other.liveEdgeAge)
        sum.liveLatency.add(other.liveLatency)
        sum.edges.add(other.edges)
        sum.slowest.add(other.slowest)
        sum.warnings.add(other.warnings)
        sum.leftOut.add(other.leftOut)
        sum.channelClock.add(other.channelClock)
        sum.breaksNotKept &+= other.breaksNotKept
        return sum
    }
}

extension Accumulation: Codable {
    private enum CodingKeys: String, CodingKey {
        case requests
        case breakLateness = "break_lateness"
        case liveEdgeAge = "live_edge_age"
        case liveLatency = "live_latency"
        case edges
        case slowest
        case warnings
        case leftOut = "left_out"
        case leastEdgeAge = "least_edge_age_us"
        case breaksNotKept = "breaks_not_kept"
    }

    package init(from decoder: any Decoder) throws {
        self.init()
        let values = try decoder.container(keyedBy: CodingKeys.self)
        requests = try values.decode(RequestSums.self, forKey: .requests)
        breakLateness = try values.distribution(.breakLateness)
        liveEdgeAge = try values.distribution(.liveEdgeAge)
        liveLatency = try values.distribution(.liveLatency)
        edges = try values.decodeIfPresent(EdgeSums.self, forKey: .edges) ?? EdgeSums()
        slowest = try values.decodeIfPresent(SlowestAnswers.self, forKey: .slowest) ?? SlowestAnswers()
        warnings = try values.decodeIfPresent(ServerWarnings.self, forKey: .warnings) ?? ServerWarnings()
        leftOut = try values.decodeIfPresent(LeftOutLedger.self, forKey: .leftOut) ?? LeftOutLedger()
        channelClock = ChannelClock(leastAge: try values.decodeIfPresent(Int64.self, forKey: .leastEdgeAge))
        breaksNotKept = try values.largeCount(.breaksNotKept)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(requests, forKey: .requests)
        try values.encode(breakLateness, forKey: .breakLateness)
        try values.encode(liveEdgeAge, forKey: .liveEdgeAge)
        try values.encode(liveLatency, forKey: .liveLatency)
        if !edges.isEmpty { try values.encode(edges, forKey: .edges) }
        if !slowest.isEmpty { try values.encode(slowest, forKey: .slowest) }
        if !warnings.isEmpty { try values.encode(warnings, forKey: .warnings) }
        if !leftOut.isEmpty { try values.encode(leftOut, forKey: .leftOut) }
        try values.encodeIfPresent(channelClock.leastAge, forKey: .leastEdgeAge)
        try values.encode(breaksNotKept, forKey: .breaksNotKept)
    }
}
