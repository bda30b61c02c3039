import Values

/// Interval at which a shard reads all notes at the place; long, because each shard reads the notes of all.
///
/// With a thousand shards that is half a megabyte each time. The first shard must see all others before it starts the run, so
/// it reads once a second. The others read only to find a shard of another run, and wait longer the more shards there are.
struct Rereading: Equatable {
    private static let shortest = Duration.milliseconds(200)
    private static let longestOfFirst = Duration.seconds(1)
    private static let ofEachShard = Duration.milliseconds(20)

    private let longest: Duration
    private var pause = Self.shortest
    private var dueAt: WallTime?

    init(index: Int, of count: Int) {
        longest = index == 0 ? Self.longestOfFirst : max(Self.longestOfFirst, Self.ofEachShard * count)
    }

    /// Whether it is time to read, as at first; then the next interval is twice as long.
    mutating func isDue(at now: WallTime) -> Bool {
        guard dueAt.map({ now >= $0 }) ?? true else { return false }
        dueAt = now + pause
        pause = min(pause * 2, longest)
        return true
    }
}
