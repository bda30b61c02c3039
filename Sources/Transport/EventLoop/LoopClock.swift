package import Values

/// Time and timers of a crowd: an event loop, or a virtual clock.
package protocol LoopClock: AnyObject {
    var now: Instant { get }
    /// Last stretch in which timers could not fire; nil without one.
    var lastStall: LoopStall? { get }

    /// Fires a timer once at `deadline`, or as soon after as possible; a past deadline fires at once.
    func wake(_ handler: any TimerHandler, at deadline: Instant, token: UInt64)

    func takeStatistics() -> LoopStatistics
}

extension EventLoop: LoopClock {
    package var now: Instant { MonotonicClock.now() }

    package func wake(_ handler: any TimerHandler, at deadline: Instant, token: UInt64) {
        schedule(at: deadline, token: token, handler: handler)
    }
}

/// A clock on which other threads can run work.
package protocol WorkLoop: LoopClock, Sendable {
    /// Runs work where the loop's handlers run.
    func execute(_ work: @escaping @Sendable () -> Void)

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

    /// An attempt to go back in time, which is a defect of the caller.
    package private(set) var defect: String?

    /// Moves time to an instant, and fires all timers due before it.
    ///
    /// An earlier instant does not change the time and is a `defect`.
    package func advance(to end: Instant) {
        if end < now {
            defect = defect ?? "the virtual clock was asked to go back by \(now.duration(since: end))"
        }
        run(until: end)
        now = max(now, end)
    }

    /// Fires all timers due before an instant; timers of one instant fire in the order of scheduling.
    ///
    /// Ends sooner where `goesOn` is false after one of them.
    package func run(until end: Instant, while goesOn: () -> Bool = { true }) {
        while goesOn(), let due = timers.earliest(), due < end {
            now = max(now, due)
            guard let next = timers.popDue(at: now) else { continue }
            next.handler.timerFired(token: next.token, deadline: next.deadline)
        }
    }
}

/// A period in which a loop could not work: stopped, without a core, or overloaded.
package struct LoopStall: Equatable, Sendable {
    /// The deadline of the first timer that did not fire.
    package let beganAt: Instant
    package let endedAt: Instant

    /// In nanoseconds.
    package var length: Int64 { endedAt &- beganAt }

    /// Whether the stall may affect an observation at `moment`.
    ///
    /// That recovery takes as long as the stall itself is podswarm's assumption.
    package func reaches(_ moment: Instant) -> Bool { moment < endedAt.later(by: length) }
}

/// Statistics of a loop since the last reading: the generator's own health, in nanoseconds.
package struct LoopStatistics: Equatable, Sendable {
    /// The greatest distance between a timer's deadline and the moment it fired.
    package var maximumTimerDelay: Int64 = 0
    /// Time spent working: neither waiting nor spinning until a timer is due.
    package var busy: Int64 = 0
}
