/// How many viewers were there at each second.
struct PresenceCount {
    /// From the first second to the last.
    private(set) var viewers: [Int32]
    private(set) var joins: [Int32]
    private(set) var leaves: [Int32]
    private let start: Int32

    /// - Parameters:
    ///   - start: The instant that seconds count from.
    ///   - seconds: How many follow.
    init(start: Int32, seconds: Int) {
        self.start = start
        viewers = Array(repeating: 0, count: seconds + 2)
        joins = viewers
        leaves = viewers
    }

    /// Counts a stay, from its first instant to before its last.
    mutating func add(first: Int64, last: Int64, joins isJoin: Bool, leaves isLeave: Bool) {
        let from = second(first)
        let to = max(from, second(last))
        viewers[from] += 1
        viewers[to] -= 1
        if isJoin { joins[from] += 1 }
        if isLeave { leaves[to] += 1 }
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

    /// Share of the audience that leaves in a minute and is replaced, and the most that joined in a minute.
    func turnover() -> (churnPerMinute: Double, joinsAtMost: Int) {
        var (replaced, viewerSeconds, most) = (0, 0, 0)
        var start = 0
        while start + 60 <= viewers.count {
            let minute = start..<start + 60
            let joined = minute.reduce(0) { $0 + Int(joins[$1]) }
            let left = minute.reduce(0) { $0 + Int(leaves[$1]) }
            replaced += min(joined, left)
            viewerSeconds += minute.reduce(0) { $0 + Int(viewers[$1]) }
            most = max(most, joined)
            start += 60
        }
        return (viewerSeconds > 0 ? Double(replaced) * 60 / Double(viewerSeconds) : 0, most)
    }
}
