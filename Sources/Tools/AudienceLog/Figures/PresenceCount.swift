/// Number of viewers present in each second.
struct PresenceCount {
    /// One element a second.
    private(set) var viewers: [Int32]
    private var joins: [Int32]
    private let start: Int64

    /// `start` is the zero of the seconds, in milliseconds.
    init(start: Int64, seconds: Int) {
        self.start = start
        viewers = Array(repeating: 0, count: seconds + 2)
        joins = viewers
    }

    /// Counts a stay in milliseconds, without its `last`.
    mutating func add(first: Int64, last: Int64, joins isJoin: Bool) {
        let from = second(first)
        viewers[from] += 1
        viewers[max(from, second(last))] -= 1
        if isJoin { joins[from] += 1 }
    }

    /// First whole second at or after an instant.
    private func second(_ instant: Int64) -> Int {
        Int(max(0, min((instant - start + 999) / 1000, Int64(viewers.count - 1))))
    }

    /// Turns the counted differences into numbers of viewers.
    mutating func finish() {
        for second in viewers.indices.dropFirst() { viewers[second] += viewers[second - 1] }
        // The extra element at the end only holds ends of stays.
        viewers.removeLast()
    }

    /// Share of the audience that leaves and is replaced in a minute.
    ///
    /// `rises` is the number of joins by which the audience grows after its first second; they replace no viewer.
    func churnPerMinute(besides rises: Int) -> Double {
        let joined = joins.dropFirst().reduce(0) { $0 + Int($1) }
        let viewerSeconds = viewers.reduce(0) { $0 + Int($1) }
        return viewerSeconds > 0 ? Double(max(0, joined - rises)) * 60 / Double(viewerSeconds) : 0
    }

    /// Maximum over minutes, the last of which may be shorter.
    var joinsPerMinuteAtMost: Int {
        let minutes = stride(from: 0, to: joins.count, by: 60).map { joins[$0...].prefix(60) }
        return minutes.map { $0.reduce(0) { $0 + Int($1) } }.max() ?? 0
    }
}
