/// How many viewers were there at each second.
struct PresenceCount {
    /// From the first second to the last.
    private(set) var viewers: [Int32]
    private(set) var joins: [Int32]
    private let start: Int32

    /// - Parameters:
    ///   - start: The instant that seconds count from.
    ///   - seconds: How many follow.
    init(start: Int32, seconds: Int) {
        self.start = start
        viewers = Array(repeating: 0, count: seconds + 2)
        joins = viewers
    }

    /// Counts a stay, from its first instant to before its last.
    mutating func add(first: Int64, last: Int64, joins isJoin: Bool) {
        let from = second(first)
        let to = max(from, second(last))
        viewers[from] += 1
        viewers[to] -= 1
        if isJoin { joins[from] += 1 }
    }

    /// The first whole second that is not before an instant.
    private func second(_ instant: Int64) -> Int {
        let milliseconds = instant - Int64(start)
        let second = LogStamp.floorDivided(milliseconds + 999, 1000)
        return Int(max(0, min(second, Int64(viewers.count - 1))))
    }

    /// Makes numbers of viewers of what was counted.
    mutating func finish() {
        var present: Int32 = 0
        for second in viewers.indices {
            present += viewers[second]
            viewers[second] = present
        }
        // One more than there are, for stays to end at.
        viewers.removeLast()
    }

    /// The share of the audience that leaves in a minute and is replaced.
    ///
    /// - Parameter rises: How many come because the audience grows, after its first second.
    /// - Returns: The share of those who come besides.
    func churnPerMinute(besides rises: Int) -> Double {
        let joined = joins.dropFirst().reduce(0) { $0 + Int($1) }
        let viewerSeconds = viewers.reduce(0) { $0 + Int($1) }
        return viewerSeconds > 0 ? Double(max(0, joined - rises)) * 60 / Double(viewerSeconds) : 0
    }

    /// Of the whole minutes, and of what is shorter than one.
    var joinsPerMinuteAtMost: Int {
        stride(from: 0, to: joins.count, by: 60)
            .map { start in joins[start..<min(start + 60, joins.count)].reduce(0) { $0 + Int($1) } }
            .max() ?? 0
    }
}
