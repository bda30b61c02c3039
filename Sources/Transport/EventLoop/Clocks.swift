import CLinux
import Glibc
package import Values

/// The two clocks of the process, read without allocation.
package struct MonotonicClock {
    /// CLOCK_MONOTONIC, the only clock of deadlines and latencies.
    package static func now() -> Instant { Instant(nanoseconds: podswarm_nanoseconds(CLOCK_MONOTONIC)) }

    /// Since 1970, for agreeing on an instant with another machine; may jump.
    package static func wallMicroseconds() -> Int64 { podswarm_nanoseconds(CLOCK_REALTIME) / 1000 }
}

/// State of the wall clock (ntp_adjtime(3)).
package struct KernelClock: Equatable, Sendable {
    /// A time service keeps it in step.
    package let isSynchronised: Bool
    package let maximumErrorMicroseconds: Int64

    /// nil where the kernel has no state.
    package static func now() -> KernelClock? {
        var error: Int64 = 0
        let state = podswarm_clock_state(&error)
        guard state >= 0 else { return nil }
        return KernelClock(isSynchronised: state == 0, maximumErrorMicroseconds: error)
    }
}

/// Both clocks of the process at one moment.
package struct ClockReading: Equatable, Sendable {
    package var monotonic: Instant
    /// Microseconds since 1970.
    package var wall: Int64

    package init(monotonic: Instant, wall: Int64) {
        (self.monotonic, self.wall) = (monotonic, wall)
    }

    /// Readings fewer nanoseconds apart count as simultaneous.
    static let closeEnough: Int64 = 20_000

    /// Reads the wall clock between two monotonic readings, again where something came in between.
    package static func now() -> ClockReading {
        let (monotonic, wall) = nanoseconds()
        return ClockReading(monotonic: monotonic, wall: wall / 1_000)
    }

    /// CLOCK_REALTIME less CLOCK_MONOTONIC, in nanoseconds.
    static func wallOffset() -> Int64 {
        let (monotonic, wall) = nanoseconds()
        return wall &- monotonic.nanoseconds
    }

    private static func nanoseconds() -> (monotonic: Instant, wall: Int64) {
        var best = (monotonic: Instant.zero, wall: Int64(0))
        var smallest = Int64.max
        for _ in 0..<8 where smallest > Self.closeEnough {
            let before = MonotonicClock.now()
            let wall = podswarm_nanoseconds(CLOCK_REALTIME)
            let between = MonotonicClock.now() &- before
            guard between < smallest else { continue }
            smallest = between
            best = (before &+ between / 2, wall)
        }
        return best
    }
}

/// An event loop, or a virtual clock.
package protocol LoopClock: AnyObject, Sendable {
    var label: String { get }
    var now: Instant { get }
    var lastStall: LoopStall? { get }

    /// A past deadline fires at once.
    func wake(_ handler: any TimerHandler, at deadline: Instant, token: UInt64)

    /// In nanoseconds, since the last call.
    func takeLongestTimerDelay() -> Int64

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

    package func takeLongestTimerDelay() -> Int64 { 0 }

    package func execute(_ work: @escaping @Sendable () -> Void) { work() }

    package func shutDown(_ done: @escaping @Sendable () -> Void) { done() }

    package func assertOnLoop() {}

    /// An attempt to go back in time, which is a defect of the caller.
    package private(set) var defect: String?

    /// Fires the timers due before an instant; an earlier instant is a `defect` and changes nothing.
    package func advance(to end: Instant) {
        if end < now { defect = defect ?? "the virtual clock was asked to go back by \(now.duration(since: end))" }
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
