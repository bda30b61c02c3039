/// Moment of the monotonic clock.
///
/// Arithmetic clamps, so that a wait named by a server can neither trap nor wrap. Small declarations are public because release
/// builds inline only public ones into other modules, and a poll reads several hundred instants.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds of CLOCK_MONOTONIC.
    public var nanoseconds: Int64

    /// Moment of CLOCK_MONOTONIC.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Also stands for no deadline.
    public static var distantFuture: Instant { Instant(nanoseconds: .max) }

    /// Before every other moment.
    public static var distantPast: Instant { Instant(nanoseconds: .min) }

    /// Before the process started; stands for an event that has not happened.
    public static var zero: Instant { Instant(nanoseconds: 0) }

    /// Orders by time.
    public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

    /// `nanoseconds` may be negative; clamps.
    public func later(by nanoseconds: Int64) -> Instant {
        Instant(nanoseconds: self.nanoseconds.addingClamped(nanoseconds))
    }

    /// `duration` may be negative; clamps.
    public func later(by duration: Duration) -> Instant { later(by: duration.nanosecondsHeld) }

    /// Clamps.
    public func earlier(by nanoseconds: Int64) -> Instant {
        Instant(nanoseconds: self.nanoseconds.subtractingClamped(nanoseconds))
    }

    /// Clamps.
    public func earlier(by duration: Duration) -> Instant { earlier(by: duration.nanosecondsHeld) }

    /// Negative if `earlier` is later.
    public func nanoseconds(since earlier: Instant) -> Int64 { nanoseconds.subtractingClamped(earlier.nanoseconds) }

    /// Negative if `earlier` is later.
    public func duration(since earlier: Instant) -> Duration { .nanoseconds(nanoseconds(since: earlier)) }
}

// Several hundred moments per poll come from the clock itself and need no clamping.
extension Instant {
    /// Wraps on overflow.
    public static func &+ (instant: Instant, nanoseconds: Int64) -> Instant {
        Instant(nanoseconds: instant.nanoseconds &+ nanoseconds)
    }

    /// Wraps on overflow.
    public static func &- (instant: Instant, nanoseconds: Int64) -> Instant {
        Instant(nanoseconds: instant.nanoseconds &- nanoseconds)
    }

    /// Nanoseconds, wrapping on overflow.
    public static func &- (later: Instant, earlier: Instant) -> Int64 { later.nanoseconds &- earlier.nanoseconds }
}

/// Link between monotonic and wall clock, made once at the start of a run.
///
/// Break instants are agreed on by wall clock; everything else is measured on the monotonic clock.
public struct Timebase: Sendable, Equatable {
    /// Start of the run.
    public let start: Instant
    /// At ``start``.
    public let wallStart: WallTime

    /// Both clocks are read simultaneously.
    public init(start: Instant, wallStart: WallTime) { (self.start, self.wallStart) = (start, wallStart) }

    /// Clamped beyond about 146 years from the start.
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
