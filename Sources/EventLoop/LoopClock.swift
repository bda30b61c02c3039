package import Time

/// Time and timers of a crowd: an event loop, or a virtual clock.
package protocol LoopClock: AnyObject {
    var now: Instant { get }
    /// Last stretch in which timers could not fire; nil without one.
    var lastStall: LoopStall? { get }

    /// Fires a timer once at `deadline`, or as soon after as possible; a past deadline fires at once.
    func wake(_ handler: any TimerHandler, at deadline: Instant, token: UInt64)

    /// Returns the figures since the last call.
    func takeStatistics() -> LoopStatistics
}

extension EventLoop: LoopClock {
    package var now: Instant { MonotonicClock.now() }

    package func wake(_ handler: any TimerHandler, at deadline: Instant, token: UInt64) {
        schedule(at: deadline, token: token, handler: handler)
    }
}

/// Virtual clock that jumps from one deadline to the next and stands still while handlers run.
///
/// Confined to the thread that calls `run(until:)`.
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

    /// Fires all timers due before an instant; timers of one instant fire in the order of scheduling.
    package func run(until end: Instant) {
        while let due = timers.earliest(), due < end {
            now = max(now, due)
            guard let next = timers.popDue(at: now) else { continue }
            next.handler.timerFired(token: next.token, deadline: next.deadline)
        }
    }
}
