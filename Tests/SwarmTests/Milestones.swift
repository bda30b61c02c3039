import AdServing
import Audience
import Rulebook
import Synchronization
import Time

@testable import Swarm
@testable import Viewer

/// Watches all viewers of a run and wakes a test when enough has happened, so that no test waits by the clock.
final class Milestones: ViewerObserver {
    struct Seen: Sendable {
        var counted: [ViewerCounter: Int] = [:]
        var adBreaksEnded = 0
        var playlistsFailed = 0
        var joined: [Int] = []
    }

    private struct Waiter {
        let condition: @Sendable (Seen) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var seen = Seen()
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    func viewer(_ number: Int, wasWarnedBy kind: RequestKind, _ text: String) {}

    func viewer(_ number: Int, met event: ViewerEvent, did actions: [ViewerAction], now: Instant) {
        change { seen in
            switch event {
            case .playlistFailed: seen.playlistsFailed += 1
            case .join: seen.joined.append(number)
            default: break
            }
            for case .note(let note, _) in actions {
                switch note {
                case .counted(let counter): seen.counted[counter, default: 0] += 1
                case .adEvent(.adBreakEnded): seen.adBreaksEnded += 1
                default: break
                }
            }
        }
    }

    func viewer(_ number: Int, found code: FindingCode, expected: String, observed: String) {}

    private func change(_ body: (inout Seen) -> Void) {
        let reached = state.withLock { state -> [Waiter] in
            body(&state.seen)
            let seen = state.seen
            let reached = state.waiters.filter { $0.condition(seen) }
            state.waiters.removeAll { $0.condition(seen) }
            return reached
        }
        for waiter in reached {
            waiter.continuation.resume()
        }
    }

    /// Returns once the condition holds.
    func reach(_ condition: @escaping @Sendable (Seen) -> Bool) async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiters.append(Waiter(condition: condition, continuation: continuation)) }
            change { _ in }
        }
    }

    var seen: Seen { state.withLock { $0.seen } }
}
