/// Histogram of the times between two polls of one playlist by one viewer, for one player.
struct PollIntervals {
    private static let binMilliseconds = 20
    private static let bins = 1500
    /// Longer intervals are pauses.
    static let longestMilliseconds = binMilliseconds * bins

    private var counts: [Int] = []
    private(set) var count = 0
    private var sum = 0

    mutating func add(_ milliseconds: Int) {
        guard (0..<Self.longestMilliseconds).contains(milliseconds) else { return }
        if counts.isEmpty { counts = Array(repeating: 0, count: Self.bins) }
        counts[milliseconds / Self.binMilliseconds] += 1
        count += 1
        sum += milliseconds
    }

    static func + (left: PollIntervals, right: PollIntervals) -> PollIntervals {
        guard left.count > 0, right.count > 0 else { return left.count > 0 ? left : right }
        var both = left
        for bin in right.counts.indices { both.counts[bin] += right.counts[bin] }
        both.count += right.count
        both.sum += right.sum
        return both
    }

    var meanMilliseconds: Double? { count > 0 ? Double(sum) / Double(count) : nil }

    /// Share of shorter intervals, to the resolution of a bin.
    func share(below milliseconds: Int) -> Double {
        count > 0 ? Double(counts.prefix(milliseconds / Self.binMilliseconds).reduce(0, +)) / Double(count) : 0
    }

    /// Middle of the bin that holds a quantile.
    func milliseconds(at share: Double) -> Double? {
        counts.place(reaching: share).map { (Double($0) + 0.5) * Double(Self.binMilliseconds) }
    }
}
