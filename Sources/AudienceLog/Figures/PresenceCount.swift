/// How many viewers were there at each second.
struct PresenceCount {
    /// From the first second to the last.
    private(set) var viewers: [Int32]
    private var joins: [Int32]
    private let start: Int64

    /// - Parameters:
    ///   - start: The instant that seconds count from.
    ///   - seconds: How many follow.
    init(start: Int64, seconds: Int) {
        self.start = start
        viewers = Array(repeating: 0, count: seconds + 2)
        joins = viewers
    }

    /// Counts a stay, from its first instant to before its last.
    mutating func add(first: Int64, last: Int64, joins isJoin: Bool) {
        let from = second(first)
        viewers[from] += 1
        viewers[max(from, second(last))] -= 1
        if isJoin { joins[from] += 1 }
    }

    /// The first whole second that is not before an instant.
    private func second(_ instant: Int64) -> Int {
        Int(max(0, min((instant - start + 999) / 1000, Int64(viewers.count - 1))))
    }

    /// Makes numbers of viewers of what was counted.
    mutating func finish() {
        for second in viewers.indices.dropFirst() { viewers[second] += viewers[second - 1] }
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
        let minutes = stride(from: 0, to: joins.count, by: 60).map { joins[$0...].prefix(60) }
        return minutes.map { $0.reduce(0) { $0 + Int($1) } }.max() ?? 0
    }
}
