package import Values

// Kernel stamps are of the wall clock; all other times are monotonic.

extension EventLoop {
    /// Lifetime of a reading of both clocks, in nanoseconds: a step of the wall clock is seen after that.
    private static let offsetLife: UInt64 = 10_000_000

    /// Converts a kernel stamp of CLOCK_REALTIME, in nanoseconds, to CLOCK_MONOTONIC.
    ///
    /// Zero for no stamp (0), and for one outside of `earliest` to `now`, as after a step of the wall clock.
    package func instant(ofStamp stamp: Int64, from earliest: Instant, to now: Instant) -> Instant {
        guard stamp != 0 else { return .zero }
        // Unsigned, so that a reading from the future is renewed too.
        if UInt64(bitPattern: now &- wallOffset.readAt) > Self.offsetLife {
            wallOffset = (ClockReading.wallOffset(), now)
        }
        let instant = Instant(nanoseconds: stamp &- wallOffset.nanoseconds)
        let tolerance = ClockReading.closeEnough
        guard instant >= earliest.earlier(by: tolerance), instant <= now.later(by: tolerance) else { return .zero }
        return min(max(instant, earliest), now)
    }
}
