import Synchronization
import Time

/// When a run began to end, which every loop sees at once, whatever it is busy with.
final class EndOfRun: Sendable {
    private let nanoseconds = Atomic<Int64>(.max)

    /// Notes that it ends; the first time counts.
    func begin(at now: Instant) {
        _ = nanoseconds.compareExchange(expected: .max, desired: now.nanoseconds, ordering: .relaxed)
    }

    /// Nil while it goes on.
    var beganAt: Instant? {
        let value = nanoseconds.load(ordering: .relaxed)
        return value == .max ? nil : Instant(nanoseconds: value)
    }
}
