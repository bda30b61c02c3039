package import Time

/// What tells those who run on it the time and wakes them: an event loop, or a clock that jumps.
package protocol LoopClock: AnyObject {
    var now: Instant { get }
    /// The last time in which nobody could be woken; nil where there was none.
    var lastStall: LoopStall? { get }

    /// Wakes a handler once at `deadline`, or as soon after as can be; the past is at once.
    func wake(_ handler: any TimerHandler, at deadline: Instant, token: UInt64)

    /// What happened since this was asked last.
    func takeStatistics() -> LoopStatistics
}

extension EventLoop: LoopClock {
    package var now: Instant { MonotonicClock.now() }

    package func wake(_ handler: any TimerHandler, at deadline: Instant, token: UInt64) {
        schedule(at: deadline, token: token, handler: handler)
    }
}

/// A clock that jumps from one deadline to the next, and stands still while somebody is awake.
///
/// Confined to whoever runs it.
package final class VirtualClock: LoopClock {
    // A run-time exclusivity check of each access would cost more than the access, and no handler is called in one.
    @exclusivity(unchecked) package private(set) var now: Instant
    @exclusivity(unchecked) private var timers = TimerQueue()

    package init(at start: Instant) { now = start }

    package var lastStall: LoopStall? { nil }

    package func wake(_ handler: any TimerHandler, at deadline: Instant, token: UInt64) {
        _ = timers.schedule(at: deadline, token: token, handler: handler)
    }

    package func takeStatistics() -> LoopStatistics { LoopStatistics() }

    /// Wakes whoever is due before an instant, those of one instant in the order in which they asked.
    package func run(until end: Instant) {
        while let due = timers.earliest(), due < end {
            now = max(now, due)
            guard let next = timers.popDue(at: now) else { continue }
            next.handler.timerFired(token: next.token, deadline: next.deadline)
        }
    }
}
