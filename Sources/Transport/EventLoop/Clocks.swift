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
        self.monotonic = monotonic
        self.wall = wall
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
