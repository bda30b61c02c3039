import Recording
import Synchronization

/// The breaks of the channel that viewers of any loop were due for lately.
///
/// Safe to use from any thread.
final class ChannelBreaks: Sendable {
    /// More than start within the time that is looked at.
    private static let kept = 128

    private let met = Mutex<[ChannelBreak]>([])

    /// Adds those that a loop knows, and returns those that any knows.
    func add(_ breaks: [ChannelBreak], since start: Int64) -> [ChannelBreak] {
        met.withLock { met in
            met.removeAll { $0.startMicroseconds < start }
            for one in breaks where !met.contains(one) && met.count < Self.kept { met.append(one) }
            return met
        }
    }
}
