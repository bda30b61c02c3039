import Synchronization
import Values

/// The instant at which a run began to end, visible to every loop at once, however busy.
final class EndOfRun: Sendable {
    private let nanoseconds = Atomic<Int64>(.max)

    /// Records the end; only the first call counts.
    func begin(at now: Instant) {
        _ = nanoseconds.compareExchange(expected: .max, desired: now.nanoseconds, ordering: .relaxed)
    }

    var beganAt: Instant? {
        let value = nanoseconds.load(ordering: .relaxed)
        return value == .max ? nil : Instant(nanoseconds: value)
    }
}
