import Values

/// Keyed by descriptor or slot, swept at intervals: a request sets one word, while a list or heap would touch several
/// cold lines.
///
/// Confined to its loop. Accesses never overlap, so none is checked.
final class DeadlineTable {
    /// Nanoseconds; a later sweep was delayed together with the loop.
    static let ownDelay: Int64 = 250_000_000

    /// Nanoseconds; the greatest delay of a timeout.
    private(set) var interval: Int64
    @exclusivity(unchecked) private var entries = UnsafeMutablePointer<Instant>.allocate(capacity: 0)
    @exclusivity(unchecked) private var capacity = 0

    /// In nanoseconds.
    init(leastTimeout: Int64) { interval = Self.interval(for: leastTimeout) }

    private static func interval(for timeout: Int64) -> Int64 { min(max(timeout / 16, 1_000_000), 50_000_000) }

    /// Shortens the interval; in nanoseconds.
    @inline(__always)
    func notice(timeout: Int64) { interval = min(interval, Self.interval(for: timeout)) }

    deinit { entries.deallocate() }

    /// The distant future clears a deadline.
    @inline(__always)
    func set(_ descriptor: Int32, _ deadline: Instant) {
        let index = Int(descriptor)
        guard index >= 0 else { return }
        if index >= capacity { grow(toHold: index) }
        entries[index] = deadline
    }

    private func grow(toHold index: Int) {
        let size = max(1024, 2 * capacity, index + 1)
        let larger = UnsafeMutablePointer<Instant>.allocate(capacity: size)
        larger.moveInitialize(from: entries, count: capacity)
        (larger + capacity).initialize(repeating: .distantFuture, count: size - capacity)
        entries.deallocate()
        (entries, capacity) = (larger, size)
    }

    func isSet(_ descriptor: Int32) -> Bool { deadline(of: descriptor) != .distantFuture }

    func deadline(of descriptor: Int32) -> Instant {
        let index = Int(descriptor)
        return index >= 0 && index < capacity ? entries[index] : .distantFuture
    }

    func postpone(by nanoseconds: Int64) {
        for index in 0..<capacity where entries[index] != .distantFuture {
            entries[index] = entries[index].later(by: nanoseconds)
        }
    }

    func takeExpired(at now: Instant) -> [Int32] {
        var expired: [Int32] = []
        for index in 0..<capacity where entries[index] <= now {
            entries[index] = .distantFuture
            expired.append(Int32(clamping: index))
        }
        return expired
    }
}
