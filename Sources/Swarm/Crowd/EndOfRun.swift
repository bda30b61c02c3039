import Recording
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

/// Recent breaks of the channel that viewers of any loop were due for; safe to use from any thread.
final class ChannelBreaks: Sendable {
    /// More than start within the period examined.
    private static let kept = 128

    private let met = Mutex<[ChannelBreak]>([])

    /// Adds the breaks of one loop, and returns those of all.
    func add(_ breaks: [ChannelBreak], since start: Int64) -> [ChannelBreak] {
        met.withLock { met in
            met.removeAll { $0.startMicroseconds < start }
            for one in breaks where !met.contains(one) && met.count < Self.kept { met.append(one) }
            return met
        }
    }
}
