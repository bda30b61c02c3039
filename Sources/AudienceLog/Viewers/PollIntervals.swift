/// Times between two polls of one playlist by one viewer, of one player.
struct PollIntervals {
    private static let binMilliseconds = 20
    private static let bins = 1500
    /// Longer ones are a pause.
    static let longestMilliseconds = binMilliseconds * bins

    private var counts: [UInt32] = []
    private(set) var count = 0
    private var sum = 0

    mutating func add(_ milliseconds: Int) {
        guard (0..<Self.longestMilliseconds).contains(milliseconds) else { return }
        if counts.isEmpty { counts = Array(repeating: 0, count: Self.bins) }
        counts[milliseconds / Self.binMilliseconds] &+= 1
        count += 1
        sum += milliseconds
    }

    mutating func add(_ other: PollIntervals) {
        guard !other.counts.isEmpty else { return }
        if counts.isEmpty { counts = Array(repeating: 0, count: Self.bins) }
        for bin in counts.indices { counts[bin] &+= other.counts[bin] }
        count += other.count
        sum += other.sum
    }

    /// Nil where there are none.
    var meanMilliseconds: Double? { count > 0 ? Double(sum) / Double(count) : nil }

    /// The share of those that are shorter, to a step.
    func share(below milliseconds: Int) -> Double {
        guard count > 0 else { return 0 }
        let shorter = counts.prefix(milliseconds / Self.binMilliseconds).reduce(0) { $0 + Int($1) }
        return Double(shorter) / Double(count)
    }

    /// The middle of the step in which a share of them lies.
    func milliseconds(at share: Double) -> Double? {
        guard count > 0 else { return nil }
        var left = max(1, (share * Double(count)).rounded(.up))
        for (bin, number) in counts.enumerated() {
            left -= Double(number)
            if left <= 0 { return (Double(bin) + 0.5) * Double(Self.binMilliseconds) }
        }
        return nil
    }
}
