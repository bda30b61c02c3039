import Time

/// How often a shard reads all that lies where the shards meet: seldom, because each of them reads what each has put.
///
/// Of a thousand shards that is half a megabyte each time. The first one begins nothing before all are there, so that it
/// looks once a second; the others look only for what cannot be a shard of this run, and wait the longer the more they are.
struct Rereading: Equatable {
    private static let shortest = Duration.milliseconds(200)
    private static let longestOfFirst = Duration.seconds(1)
    private static let ofEachShard = Duration.milliseconds(20)

    private let longest: Duration
    private var pause = Self.shortest
    private var dueAt: WallTime?

    /// - Parameters:
    ///   - index: Of the shard that reads.
    ///   - count: How many there are.
    init(index: Int, of count: Int) {
        longest = index == 0 ? Self.longestOfFirst : max(Self.longestOfFirst, Self.ofEachShard * count)
    }

    /// Whether it is time, as it is at first.
    ///
    /// - Parameter now: The time.
    /// - Returns: Where it is, the next time is as far off as the last one was, and as far again.
    mutating func isDue(at now: WallTime) -> Bool {
        guard dueAt.map({ now >= $0 }) ?? true else { return false }
        dueAt = now + pause
        pause = min(pause * 2, longest)
        return true
    }
}
