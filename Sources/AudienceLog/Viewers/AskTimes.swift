/// When viewers asked for ads, each break once: counts in steps of ten milliseconds.
///
/// Memory is taken for minutes in which somebody asks.
struct AskTimes {
    static let stepMilliseconds: Int32 = 10
    static let stepsPerSecond = 100
    private static let stepsPerMinute = 6000
    private static let mostMinutes = 1200

    private var minutes: [Int32: Int] = [:]
    private var counts: [UInt32] = []
    private(set) var total = 0
    /// Those beyond the minutes that are held.
    private(set) var dropped = 0

    mutating func add(_ milliseconds: Int32, weight: Int) {
        total += weight
        let minute = Int32(LogStamp.floorDivided(Int64(milliseconds), 60_000))
        if minutes[minute] == nil {
            guard minutes.count < Self.mostMinutes else {
                dropped += weight
                return
            }
            minutes[minute] = counts.count
            counts.append(contentsOf: repeatElement(0, count: Self.stepsPerMinute))
        }
        let step = Int((Int64(milliseconds) - Int64(minute) * 60_000) / Int64(Self.stepMilliseconds))
        guard let start = minutes[minute], (0..<Self.stepsPerMinute).contains(step) else { return }
        counts[start + step] &+= UInt32(clamping: weight)
    }

    /// The minutes in which somebody asked, in their order.
    var usedMinutes: [Int32] { minutes.keys.sorted() }

    /// How many asked in each step of a second, counted from the reading's zero.
    func steps(ofSecond second: Int) -> ArraySlice<UInt32> {
        let minute = Int32(clamping: LogStamp.floorDivided(Int64(second), 60))
        guard let start = minutes[minute] else { return [] }
        let from = start + (second - Int(minute) * 60) * Self.stepsPerSecond
        return counts[from..<from + Self.stepsPerSecond]
    }

    /// How many asked from one instant until before another, to a step.
    func count(_ milliseconds: Range<Int>) -> Int {
        let stepMilliseconds = Int(Self.stepMilliseconds)
        let seconds = milliseconds.lowerBound / 1000 - 1...milliseconds.upperBound / 1000
        return seconds.reduce(0) { sum, second in
            steps(ofSecond: second).enumerated().reduce(sum) { sum, step in
                let isIn = milliseconds.contains(second * 1000 + step.offset * stepMilliseconds)
                return isIn ? sum + Int(step.element) : sum
            }
        }
    }
}
