/// Link between the monotonic clock and the wall clock of a run, made once at its start.
///
/// Break instants are agreed on by wall clock; everything else is measured on the monotonic clock, so a step of the wall clock
/// during a run has no effect.
public struct Timebase: Sendable, Equatable {
    /// Start of the run.
    public let start: Instant
    /// Wall clock at ``start``.
    public let wallStart: WallTime

    /// Creates a timebase from one simultaneous reading of both clocks.
    public init(start: Instant, wallStart: WallTime) {
        self.start = start
        self.wallStart = wallStart
    }

    /// Moment at which the wall clock reads `wall`; clamped beyond about 146 years from the start.
    public func instant(of wall: WallTime) -> Instant {
        let away = wall.microseconds.subtractingReportingOverflow(wallStart.microseconds)
        let nanoseconds = away.partialValue.multipliedReportingOverflow(by: 1000)
        guard !away.overflow, !nanoseconds.overflow, nanoseconds.partialValue.magnitude < UInt64(Int64.max / 2) else {
            return Instant(nanoseconds: wall < wallStart ? .min / 2 : .max / 2)
        }
        return start.later(by: nanoseconds.partialValue)
    }

    /// Wall clock at a moment.
    public func wall(at instant: Instant) -> WallTime {
        let away = instant.nanoseconds(since: start) / 1000
        return WallTime(microseconds: wallStart.microseconds.addingClamped(away))
    }
}
