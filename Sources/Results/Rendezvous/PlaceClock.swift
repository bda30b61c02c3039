package import Values

/// Reading of the rendezvous clock at a moment of this machine's monotonic clock.
package struct PlaceClock: Equatable, Sendable {
    package let moment: Instant
    package let wall: WallTime
    /// Largest error of ``wall``, in either direction.
    package let bound: Duration

    /// Round trips; the shortest one bounds the error (RFC 5905 section 10, the clock filter).
    package static let trips = 16
    /// Pause between trips to a ticking clock, as a share of a tick, so that each trip meets another part of a tick.
    private static let stride = 0.618
    private static let longestTotal: Int64 = 3_000_000_000
    private static let longestPause = Duration.milliseconds(10)

    package init(moment: Instant, wall: WallTime, bound: Duration) {
        (self.moment, self.wall, self.bound) = (moment, wall, bound)
    }

    /// Reading of the place's clock, correct within ``bound`` while both clocks run at one rate.
    package func reading(at moment: Instant) -> WallTime {
        wall + .nanoseconds(moment &- self.moment)
    }

    package func moment(of wall: WallTime) -> Instant {
        moment.later(by: wall.duration(since: self.wall))
    }

    /// Measures a place's clock by repeated round trips.
    ///
    /// A trip bounds the place's clock minus this machine's clock from both sides. The intersection of all trips is narrower
    /// than the shortest trip alone (RFC 5905 section 11.2.1). ``PlaceTrip`` decides between trips that contradict each other.
    package static func measured(
        by place: some RendezvousPlace,
        now: @Sendable () -> Instant,
        rest: @Sendable (Duration) async -> Void
    ) async throws(RendezvousError) -> PlaceClock {
        var trips: [PlaceTrip] = []
        var first: Instant?
        for trip in 1...Self.trips {
            let before = now()
            let time = try await place.time()
            let after = now()
            trips.append(PlaceTrip(time, between: before, and: after))
            // One slow answer is enough; more trips would take too long.
            if let first, after &- first > longestTotal { break }
            first = first ?? before
            if time.granularity > PlaceTrip.finest, trip < Self.trips {
                await rest(min(time.granularity * stride, longestPause))
            }
        }
        guard let agreed = PlaceTrip.agreed(trips) else { throw RendezvousError("no trip was made") }
        return agreed.clock(at: now())
    }
}
