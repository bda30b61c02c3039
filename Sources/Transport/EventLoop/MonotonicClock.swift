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

/// The kernel's state of the machine's wall clock (ntp_adjtime(3)).
package struct KernelClock: Equatable, Sendable {
    /// Whether a time service keeps it in step with other clocks.
    package let isSynchronised: Bool
    package let maximumErrorMicroseconds: Int64

    /// Reads the kernel's state without changing it; nil where it has none.
    package static func now() -> KernelClock? {
        var error: Int64 = 0
        let state = podswarm_clock_state(&error)
        guard state >= 0 else { return nil }
        return KernelClock(isSynchronised: state == 0, maximumErrorMicroseconds: error)
    }
}
