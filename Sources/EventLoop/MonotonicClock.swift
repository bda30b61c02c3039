import CLinux
import Glibc

/// The two clocks of the process, read without allocation.
package struct MonotonicClock {
    /// Nanoseconds of CLOCK_MONOTONIC: the only clock that deadlines and latencies are taken from.
    package static func now() -> Int64 {
        podswarm_nanoseconds(CLOCK_MONOTONIC)
    }

    /// Microseconds since the Unix epoch, for agreeing on an instant with somebody else; it may jump.
    package static func wallMicroseconds() -> Int64 {
        podswarm_nanoseconds(CLOCK_REALTIME) / 1000
    }
}
