package import HLS

/// Ties the monotonic clock of a run to the wall clock, once, at its start.
///
/// Break instants are agreed on by wall clock; everything else is measured on the monotonic clock, so that a step of the
/// wall clock during a run moves nothing.
package struct Timebase: Sendable, Equatable {
    /// CLOCK_MONOTONIC nanoseconds at the run's start.
    package let monotonicStart: Int64
    /// The wall clock at the same moment.
    package let wallStart: WallTime

    package init(monotonicStart: Int64, wallStart: WallTime) {
        self.monotonicStart = monotonicStart
        self.wallStart = wallStart
    }

    /// The monotonic nanoseconds at which the wall clock reads this.
    package func monotonic(_ wall: WallTime) -> Int64 {
        let away = wall.microseconds.subtractingReportingOverflow(self.wallStart.microseconds)
        let nanoseconds = away.partialValue.multipliedReportingOverflow(by: 1000)
        guard !away.overflow, !nanoseconds.overflow, nanoseconds.partialValue.magnitude < UInt64(Int64.max / 2) else {
            return wall < self.wallStart ? .min / 2 : .max / 2
        }
        return self.monotonicStart &+ nanoseconds.partialValue
    }

    /// What the wall clock reads at this monotonic moment.
    package func wall(_ monotonic: Int64) -> WallTime {
        WallTime(microseconds: self.wallStart.microseconds &+ (monotonic &- self.monotonicStart) / 1000)
    }
}

extension Int64 {
    /// This moment and so many nanoseconds more, held at the ends of Int64: a time limit that a server names must not
    /// wrap round into the past.
    func later(by nanoseconds: Int64) -> Int64 {
        let sum = self.addingReportingOverflow(nanoseconds)
        return sum.overflow ? (nanoseconds < 0 ? .min : .max) : sum.partialValue
    }
}

extension Duration {
    /// Whole nanoseconds, held at the ends of Int64.
    package var nanosecondsHeld: Int64 {
        let parts = self.components
        let seconds = parts.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !seconds.overflow else { return parts.seconds < 0 ? .min : .max }
        let whole = seconds.partialValue.addingReportingOverflow(parts.attoseconds / 1_000_000_000)
        return whole.overflow ? (parts.seconds < 0 ? .min : .max) : whole.partialValue
    }
}
