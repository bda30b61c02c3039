import Recording
import Synchronization

/// Records of a shard that are not yet sent: intervals in order, or a checkpoint in place of too many.
final class JournalBacklog: Sendable {
    struct Batch: Sendable {
        /// State before the intervals; nil if already sent.
        var checkpoint: RunCollector?
        var intervals: [RunInterval] = []
        /// State at the end; nothing follows it.
        var end: RunCollector?
    }

    private struct State {
        var batch: Batch
        /// Reason why nothing more is accepted.
        var failure: String?
        /// Error of the last attempt; nil if the place answered.
        var trouble: String?
    }

    private static let capacity = 120

    private let state: Mutex<State>

    /// `checkpoint` is the state before the first interval.
    init(_ checkpoint: RunCollector) { state = Mutex(State(batch: Batch(checkpoint: checkpoint))) }

    func add(_ interval: RunInterval, of collector: RunCollector) {
        state.withLock { state in
            guard state.failure == nil else { return }
            if state.batch.intervals.count < Self.capacity {
                state.batch.intervals.append(interval)
            } else {
                state.batch.checkpoint = collector
                state.batch.intervals = []
            }
        }
    }

    func end(_ collector: RunCollector) { state.withLock { $0.batch.end = collector } }

    var isEnding: Bool { state.withLock { $0.batch.end != nil } }

    func take() -> Batch {
        state.withLock { state in
            defer { state.batch = Batch() }
            return state.batch
        }
    }

    func note(trouble: String?) { state.withLock { $0.trouble = trouble } }

    func fail(_ reason: String) {
        state.withLock { state in
            state.failure = state.failure ?? reason
            state.batch = Batch()
        }
    }

    /// Reason why followers miss records; nil if they miss none.
    var failure: String? { state.withLock(\.failure) }
    var trouble: String? { state.withLock(\.trouble) }
}
