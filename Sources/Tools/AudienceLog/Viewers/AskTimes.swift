/// Times at which viewers asked for ads, once for each break: counts in steps of ten milliseconds.
struct AskTimes {
    static let stepMilliseconds = 10
    static let stepsPerSecond = 100
    private static let mostSteps = 2_400_000

    /// Counts by step from the tally's zero.
    private var counts: [Int32: Int] = [:]
    private(set) var total = 0
    /// Requests outside of the kept steps, of which there are at most `mostSteps`.
    private(set) var dropped = 0

    mutating func add(_ milliseconds: Int32, weight: Int) {
        total += weight
        let step = milliseconds.flooredQuotient(by: Int32(Self.stepMilliseconds))
        guard counts[step] != nil || counts.count < Self.mostSteps else {
            dropped += weight
            return
        }
        counts[step, default: 0] += weight
    }

    /// Steps with requests, in their order.
    var steps: [(step: Int, count: Int)] { counts.map { (Int($0), $1) }.sorted { $0.step < $1.step } }
}

extension BinaryInteger {
    func flooredQuotient(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension Collection<Int> {
    /// Index at which the running sum reaches a share of the total; nil if the total is 0.
    func place(reaching share: Double) -> Index? {
        let total = reduce(0, +)
        guard total > 0 else { return nil }
        var left = Swift.max(1, (share * Double(total)).rounded(.up))
        return indices.first { index in
            left -= Double(self[index])
            return left <= 0
        }
    }
}
