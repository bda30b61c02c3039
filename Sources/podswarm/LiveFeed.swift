import LiveView
import Synchronization

/// The latest state of a run, for whoever looks on from any thread.
///
/// A run publishes only where a feed was asked for: the state shares memory with the collector, which then has to copy
/// what it changes.
final class LiveFeed: Sendable {
    private let state = Mutex<LiveState?>(nil)

    /// Nil until the first interval is over.
    var latest: LiveState? { self.state.withLock { $0 } }

    func publish(_ state: LiveState) {
        self.state.withLock { $0 = state }
    }
}
