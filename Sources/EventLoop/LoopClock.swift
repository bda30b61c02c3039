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

/// A clock on which work can be done from elsewhere.
package protocol WorkLoop: LoopClock, Sendable {
    /// Does work where the loop's handlers run.
    func execute(_ work: @escaping @Sendable () -> Void)

    /// Ends the loop: no timer fires any more.
    func shutDown(_ done: @escaping @Sendable () -> Void)

    /// Checks that the caller is where the loop's handlers run.
    func assertOnLoop()
}

extension EventLoop: WorkLoop {}

/// Virtual clock that jumps from one deadline to the next and stands still while handlers run.
///
/// `@unchecked Sendable`: it is used from one task at a time.
package final class VirtualClock: WorkLoop, @unchecked Sendable {
    // A run-time exclusivity check of each access would cost more than the access, and no handler is called in one.
    @exclusivity(unchecked) package private(set) var now: Instant
    @exclusivity(unchecked) private var timers = TimerQueue()

    /// Start of a virtual run: any instant but the clock's own zero.
    package static let start = Instant(nanoseconds: 1_000_000_000_000)

    package init(at start: Instant = VirtualClock.start) { now = start }

    package var lastStall: LoopStall? { nil }

    package func wake(_ handler: any TimerHandler, at deadline: Instant, token: UInt64) {
        _ = timers.schedule(at: deadline, token: token, handler: handler)
    }

    package func takeStatistics() -> LoopStatistics { LoopStatistics() }

    package func execute(_ work: @escaping @Sendable () -> Void) { work() }

    package func shutDown(_ done: @escaping @Sendable () -> Void) { done() }

    package func assertOnLoop() {}

    /// A wish to go back, which is a defect of the caller; nil without one.
    package private(set) var defect: String?

    /// Lets time pass to an instant, and fires all timers due before it.
    ///
    /// It does not go back: an earlier instant is a `defect`.
    package func advance(to end: Instant) {
        if end < now {
            defect = defect ?? "the virtual clock was asked to go back by \(now.duration(since: end))"
        }
        run(until: end)
        now = max(now, end)
    }

    /// Fires all timers due before an instant; timers of one instant fire in the order of scheduling.
    ///
    /// Ends sooner where `goesOn` says so after one of them.
    package func run(until end: Instant, while goesOn: () -> Bool = { true }) {
        while goesOn(), let due = timers.earliest(), due < end {
            now = max(now, due)
            guard let next = timers.popDue(at: now) else { continue }
            next.handler.timerFired(token: next.token, deadline: next.deadline)
        }
    }
}
