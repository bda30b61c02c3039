import CLinux

/// What the kernel says of the machine's wall clock (ntp_adjtime(3)).
package struct KernelClock: Equatable, Sendable {
    /// Whether something keeps it in step with other clocks.
    package let isSynchronised: Bool
    /// How wrong it may be.
    package let maximumErrorMicroseconds: Int64

    /// Asks the kernel, and changes nothing.
    ///
    /// - Returns: Nil where it does not say.
    package static func now() -> KernelClock? {
        var error: Int64 = 0
        let state = podswarm_clock_state(&error)
        guard state >= 0 else { return nil }
        return KernelClock(isSynchronised: state == 0, maximumErrorMicroseconds: error)
    }
}
