/// Sums of intervals at full precision: the measured part of a run, or its warm-up.
struct Accumulation: Equatable, Sendable {
    private(set) var requests = RequestCounters<UInt64>()
    private(set) var breakLateness = LatencyHistogram<UInt64>()
    private(set) var liveEdgeAge = LatencyHistogram<UInt64>()
    private(set) var liveLatency = LatencyHistogram<UInt64>()
    private(set) var breaksNotKept: UInt64 = 0

    mutating func add(_ interval: RunInterval) {
        requests.add(interval.requests)
        liveEdgeAge.add(interval.liveEdgeAge)
        liveLatency.add(interval.liveLatency)
        breaksNotKept &+= interval.breaksNotKept
    }

    mutating func addBreakLateness(_ histogram: SparseHistogram) { breakLateness.add(histogram) }

    func adding(_ other: Accumulation) -> Accumulation {
        var sum = self
        sum.requests.add(other.requests)
        sum.breakLateness.add(other.breakLateness)
        sum.liveEdgeAge.add(other.liveEdgeAge)
        sum.liveLatency.add(other.liveLatency)
        sum.breaksNotKept &+= other.breaksNotKept
        return sum
    }

    static func == (lhs: Accumulation, rhs: Accumulation) -> Bool {
        lhs.breaksNotKept == rhs.breaksNotKept
            && IntervalRequests(lhs.requests) == IntervalRequests(rhs.requests)
            && SparseHistogram(lhs.breakLateness) == SparseHistogram(rhs.breakLateness)
            && SparseHistogram(lhs.liveEdgeAge) == SparseHistogram(rhs.liveEdgeAge)
            && SparseHistogram(lhs.liveLatency) == SparseHistogram(rhs.liveLatency)
    }
}

extension Accumulation: Codable {
    private enum CodingKeys: String, CodingKey {
        case requests
        case breakLateness = "break_lateness"
        case liveEdgeAge = "live_edge_age"
        case liveLatency = "live_latency"
        case breaksNotKept = "breaks_not_kept"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        requests.add(try values.decode(IntervalRequests.self, forKey: .requests))
        breakLateness.add(try values.decode(SparseHistogram.self, forKey: .breakLateness))
        liveEdgeAge.add(try values.decode(SparseHistogram.self, forKey: .liveEdgeAge))
        if let latency = try values.decodeIfPresent(SparseHistogram.self, forKey: .liveLatency) {
            liveLatency.add(latency)
        }
        breaksNotKept = try values.largeCount(.breaksNotKept)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(IntervalRequests(requests), forKey: .requests)
        try values.encode(SparseHistogram(breakLateness), forKey: .breakLateness)
        try values.encode(SparseHistogram(liveEdgeAge), forKey: .liveEdgeAge)
        try values.encode(SparseHistogram(liveLatency), forKey: .liveLatency)
        try values.encode(breaksNotKept, forKey: .breaksNotKept)
    }
}
