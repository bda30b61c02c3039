import CLinux
import Glibc
package import Values

/// The two clocks of the process, read without allocation.
package struct MonotonicClock {
    /// CLOCK_MONOTONIC, the only clock of deadlines and latencies.
    package static func now() -> Instant {
        Instant(nanoseconds: podswarm_nanoseconds(CLOCK_MONOTONIC))
    }

    /// Microseconds since the Unix epoch, for agreeing on an instant with another machine; may jump.
    package static func wallMicroseconds() -> Int64 {
        podswarm_nanoseconds(CLOCK_REALTIME) / 1000
    }
}
