package import Time

/// What both clocks of the process read at one moment.
package struct ClockReading: Equatable, Sendable {
    package var monotonic: Instant
    /// Microseconds since the Unix epoch.
    package var wall: Int64

    package init(monotonic: Instant, wall: Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }

    /// Two readings that close, in nanoseconds, are as good as one.
    private static let closeEnough: Int64 = 20_000

    /// Reads the wall clock between two readings of the other, again where something came in between.
    package static func now() -> ClockReading {
        var best = ClockReading(monotonic: .zero, wall: 0)
        var smallest = Int64.max
        for _ in 0..<8 where smallest > Self.closeEnough {
            let before = MonotonicClock.now()
            let wall = MonotonicClock.wallMicroseconds()
            let between = MonotonicClock.now() &- before
            guard between < smallest else { continue }
            smallest = between
            best = ClockReading(monotonic: before &+ between / 2, wall: wall)
        }
        return best
    }
}
