import Recording
import Synchronization

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
