/// Ties the monotonic clock of a run to the wall clock, once, at its start.
///
/// Break instants are agreed on by wall clock; everything else is measured on the monotonic clock, so that a step of the
/// wall clock during a run moves nothing.
public struct Timebase: Sendable, Equatable {
    /// The moment of the run's start.
    public let start: Instant
    /// The wall clock at the same moment.
    public let wallStart: WallTime

    /// Ties a moment to what the wall clock reads at it.
    public init(start: Instant, wallStart: WallTime) {
        self.start = start
        self.wallStart = wallStart
    }

    /// The moment at which the wall clock reads this; beyond some 146 years from the start it stays there.
    public func instant(of wall: WallTime) -> Instant {
        let away = wall.microseconds.subtractingReportingOverflow(wallStart.microseconds)
        let nanoseconds = away.partialValue.multipliedReportingOverflow(by: 1000)
        guard !away.overflow, !nanoseconds.overflow, nanoseconds.partialValue.magnitude < UInt64(Int64.max / 2) else {
            return Instant(nanoseconds: wall < wallStart ? .min / 2 : .max / 2)
        }
        return start.later(by: nanoseconds.partialValue)
    }

    /// What the wall clock reads at this moment.
    public func wall(at instant: Instant) -> WallTime {
        let away = instant.nanoseconds(since: start) / 1000
        return WallTime(microseconds: wallStart.microseconds.addingClamped(away))
    }
}
