/// A moment of the monotonic clock: what deadlines, delays and latencies are taken from.
///
/// Arithmetic holds at ``distantPast`` and ``distantFuture``, so that a wait that a server names can neither trap nor
/// wrap round into the past. Small things here are public and not `package`, because a release build inlines only public
/// ones into other modules, and a poll asks for instants some hundred times.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds of CLOCK_MONOTONIC.
    public var nanoseconds: Int64

    /// The moment at which CLOCK_MONOTONIC reads so many nanoseconds.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// After every other moment; also the deadline of what has none.
    public static var distantFuture: Instant { Instant(nanoseconds: .max) }

    /// Before every other moment.
    public static var distantPast: Instant { Instant(nanoseconds: .min) }

    /// Where the clock begins, before anything that a process does: stands for what has not happened.
    public static var zero: Instant { Instant(nanoseconds: 0) }

    /// Whether the left one comes before the right one.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// This moment and so many nanoseconds more, or less where they are negative.
    public func later(by nanoseconds: Int64) -> Instant {
        Instant(nanoseconds: self.nanoseconds.addingClamped(nanoseconds))
    }

    /// This moment and so much more, or less where it is negative.
    public func later(by duration: Duration) -> Instant {
        later(by: duration.nanosecondsHeld)
    }

    /// This moment and so many nanoseconds less.
    public func earlier(by nanoseconds: Int64) -> Instant {
        Instant(nanoseconds: self.nanoseconds.subtractingClamped(nanoseconds))
    }

    /// This moment and so much less.
    public func earlier(by duration: Duration) -> Instant {
        earlier(by: duration.nanosecondsHeld)
    }

    /// The nanoseconds from `earlier` to this moment; negative when `earlier` is later.
    public func nanoseconds(since earlier: Instant) -> Int64 {
        nanoseconds.subtractingClamped(earlier.nanoseconds)
    }

    /// The time from `earlier` to this moment; negative when `earlier` is later.
    public func duration(since earlier: Instant) -> Duration {
        .nanoseconds(nanoseconds(since: earlier))
    }
}

// MARK: - In passing

// What a poll does some hundred times, between moments that the clock itself gave: as cheap as with bare numbers, and
// without an end to hold at.
extension Instant {
    /// This moment and so many nanoseconds more, wrapping round beyond the ends of time.
    public static func &+ (instant: Instant, nanoseconds: Int64) -> Instant {
        Instant(nanoseconds: instant.nanoseconds &+ nanoseconds)
    }

    /// This moment and so many nanoseconds less, wrapping round beyond the ends of time.
    public static func &- (instant: Instant, nanoseconds: Int64) -> Instant {
        Instant(nanoseconds: instant.nanoseconds &- nanoseconds)
    }

    /// The nanoseconds from the right one to the left one, wrapping round where they do not fit.
    public static func &- (later: Instant, earlier: Instant) -> Int64 {
        later.nanoseconds &- earlier.nanoseconds
    }
}
