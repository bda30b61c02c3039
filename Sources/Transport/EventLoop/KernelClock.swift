import CLinux

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
