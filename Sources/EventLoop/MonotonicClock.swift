import CLinux
import Glibc
package import Time

/// The two clocks of the process, read without allocation.
package struct MonotonicClock {
    /// The moment of CLOCK_MONOTONIC: the only clock that deadlines and latencies are taken from.
    package static func now() -> Instant {
        Instant(nanoseconds: podswarm_nanoseconds(CLOCK_MONOTONIC))
    }

    /// Microseconds since the Unix epoch, for agreeing on an instant with somebody else; it may jump.
    package static func wallMicroseconds() -> Int64 {
        podswarm_nanoseconds(CLOCK_REALTIME) / 1000
    }
}
