package import Time

// Kernel stamps are of the wall clock; all other times are monotonic.

extension EventLoop {
    /// How long a reading of both clocks is used, in nanoseconds: a step of the wall clock is seen after that.
    private static let offsetLife: UInt64 = 10_000_000

    /// The moment of CLOCK_MONOTONIC that the kernel has stamped by CLOCK_REALTIME, in nanoseconds.
    ///
    /// - Parameters:
    ///   - stamp: 0 for none.
    ///   - earliest: What is stamped came no earlier.
    ///   - now: What is stamped came no later.
    /// - Returns: Zero for no stamp, and for one that lies elsewhere, as after a step of the wall clock.
    package func instant(ofStamp stamp: Int64, from earliest: Instant, to now: Instant) -> Instant {
        guard stamp != 0 else { return .zero }
        // Compared without a sign, so that a reading from the future is read anew too.
        if UInt64(bitPattern: now &- wallOffset.readAt) > Self.offsetLife {
            wallOffset = (ClockReading.wallOffset(), now)
        }
        let instant = Instant(nanoseconds: stamp &- wallOffset.nanoseconds)
        let tolerance = ClockReading.closeEnough
        guard instant >= earliest.earlier(by: tolerance), instant <= now.later(by: tolerance) else { return .zero }
        return min(max(instant, earliest), now)
    }
}
