/// The deadline of each connection, by descriptor, in one dense stretch that is swept now and then.
///
/// A request sets and clears one word; a list or heap would cost it several cold lines. What a sweep costs is reading
/// eight bytes for each descriptor, and a timeout is noticed that much later.
struct DeadlineTable {
    /// Nanoseconds from sweep to sweep, and so the greatest delay of a timeout.
    let interval: Int64
    private var deadlines: ContiguousArray<Int64> = []

    /// The table for timeouts of which the least is given, in nanoseconds.
    init(leastTimeout: Int64) {
        interval = min(max(leastTimeout / 16, 1_000_000), 50_000_000)
    }

    /// Sets a connection's deadline; `Int64.max` clears it.
    @inline(__always)
    mutating func set(_ descriptor: Int32, _ deadline: Int64) {
        let index = Int(descriptor)
        if index >= deadlines.count {
            deadlines.append(contentsOf: repeatElement(.max, count: index + 64 - deadlines.count))
        }
        deadlines[index] = deadline
    }

    /// Clears and returns the descriptors whose deadline has passed.
    mutating func takeExpired(at now: Int64) -> [Int32] {
        var expired: [Int32] = []
        for index in deadlines.indices where deadlines[index] <= now {
            deadlines[index] = .max
            expired.append(Int32(clamping: index))
        }
        return expired
    }
}
