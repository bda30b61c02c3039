package import Values

/// An event loop, or a virtual clock.
package protocol LoopClock: AnyObject, Sendable {
    var label: String { get }
    var now: Instant { get }
    var lastStall: LoopStall? { get }

    /// A past deadline fires at once.
    func wake(_ handler: any TimerHandler, at deadline: Instant, token: UInt64)

    func takeStatistics() -> LoopStatistics

    /// From any thread.
    func execute(_ work: @escaping @Sendable () -> Void)

    func shutDown(_ done: @escaping @Sendable () -> Void)

    func assertOnLoop()
}

extension EventLoop: LoopClock {
    package var now: Instant { MonotonicClock.now() }

    package func wake(_ handler: any TimerHandler, at deadline: Instant, token: UInt64) {
        schedule(at: deadline, token: token, handler: handler)
    }
}

/// `@unchecked Sendable`: used from one task at a time; time jumps from deadline to deadline and stands still in handlers.
package final class VirtualClock: LoopClock, @unchecked Sendable {
    // An exclusivity check would cost more than the access, and no access calls a handler.
    @exclusivity(unchecked) package private(set) var now: Instant
    @exclusivity(unchecked) private var timers = TimerQueue()

    package let label = "virtual clock"

    /// Any instant but the clock's own zero.
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

    /// Fires the timers due before an instant; an earlier instant is a `defect` and changes nothing.
    package func advance(to end: Instant) {
        if end < now {
            defect = defect ?? "the virtual clock was asked to go back by \(now.duration(since: end))"
        }
        run(until: end)
        now = max(now, end)
    }

    /// Fires the timers due before an instant, until `goesOn` is false; those of one instant in the order of scheduling.
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
    /// Deadline of the first timer that did not fire.
    package let beganAt: Instant
    package let endedAt: Instant

    /// In nanoseconds.
    package var length: Int64 { endedAt &- beganAt }

    /// That recovery takes as long as the stall is podswarm's assumption.
    package func reaches(_ moment: Instant) -> Bool { moment < endedAt.later(by: length) }
}

/// Since the last reading, in nanoseconds.
package struct LoopStatistics: Equatable, Sendable {
    package var maximumTimerDelay: Int64 = 0
    /// Neither waiting nor spinning.
    package var busy: Int64 = 0
}
