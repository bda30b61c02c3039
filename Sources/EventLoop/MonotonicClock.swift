import CLinux
import Glibc

/// The two clocks of the process, read without allocation.
package struct MonotonicClock {
    /// Nanoseconds of CLOCK_MONOTONIC: the only clock that deadlines and latencies are taken from.
    package static func now() -> Int64 {
        read(CLOCK_MONOTONIC)
    }

    /// Microseconds since the Unix epoch, for agreeing on an instant with somebody else; it may jump.
    package static func wallMicroseconds() -> Int64 {
        read(CLOCK_REALTIME) / 1000
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
