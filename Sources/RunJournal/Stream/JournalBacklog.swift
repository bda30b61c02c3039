import Recording
import Synchronization

/// What a shard has done and not yet told: intervals in their order, or a checkpoint in place of too many.
final class JournalBacklog: Sendable {
    /// What is to be told next.
    struct Batch: Sendable {
        /// Of the state before the intervals; nil where that was told.
        var checkpoint: RunCollector?
        var intervals: [RunInterval] = []
        /// The state at the end; nothing comes after it.
        var end: RunCollector?
    }

    private struct State {
        var batch: Batch
        /// Why nothing is taken any more; nil while it is.
        var failure: String?
        /// Why the place did not answer the last time; nil where it did.
        var trouble: String?
    }

    private static let capacity = 120

    private let state: Mutex<State>

    /// - Parameter checkpoint: The state before the first interval.
    init(_ checkpoint: RunCollector) { state = Mutex(State(batch: Batch(checkpoint: checkpoint))) }

    /// Adds an interval.
    ///
    /// - Parameters:
    ///   - interval: The next.
    ///   - collector: The run with it.
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

    /// Whether what is to be told next is the last.
    var isEnding: Bool { state.withLock { $0.batch.end != nil } }

    func take() -> Batch {
        state.withLock { state in
            defer { state.batch = Batch() }
            return state.batch
        }
    }

    /// Says whether the place answers.
    func note(trouble: String?) { state.withLock { $0.trouble = trouble } }

    /// Takes nothing any more.
    func fail(_ reason: String) {
        state.withLock { state in
            state.failure = state.failure ?? reason
            state.batch = Batch()
        }
    }

    /// What whoever follows the shard has missed; nil while nothing.
    var failure: String? { state.withLock(\.failure) }
    var trouble: String? { state.withLock(\.trouble) }
}
