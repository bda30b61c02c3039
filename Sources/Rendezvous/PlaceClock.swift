package import Time

/// What the clock of a rendezvous reads, told from a clock of this machine that never jumps.
package struct PlaceClock: Equatable, Sendable {
    /// A moment, and what the place's clock read then.
    package let moment: Instant
    package let wall: WallTime
    /// How far its true reading may be from that, either way.
    package let bound: Duration

    /// Round trips that are made: the shortest one bounds what is not known (RFC 5905 section 10, the clock filter).
    package static let trips = 16
    /// Between trips to a clock that moves in steps: so much of a step that each trip meets another part of one.
    private static let stride = 0.618
    private static let longestTotal: Int64 = 3_000_000_000
    private static let longestPause = Duration.milliseconds(10)

    package init(moment: Instant, wall: WallTime, bound: Duration) {
        (self.moment, self.wall, self.bound) = (moment, wall, bound)
    }

    /// What the place's clock reads at a moment.
    ///
    /// - Parameter moment: Of this machine's clock.
    /// - Returns: The reading, right within ``bound`` as long as both clocks run alike.
    package func reading(at moment: Instant) -> WallTime {
        wall + .nanoseconds(moment &- self.moment)
    }

    /// When the place's clock reads something.
    ///
    /// - Parameter wall: The reading.
    /// - Returns: The moment by this machine's clock.
    package func moment(of wall: WallTime) -> Instant {
        moment.later(by: wall.duration(since: self.wall))
    }

    /// Asks a place for its time again and again.
    ///
    /// A trip says that the clock's reading, less this machine's, lies between two numbers; what all trips allow is
    /// narrower than the shortest trip alone (the intersection of RFC 5905 section 11.2.1). Where they contradict each
    /// other, ``PlaceTrip`` says whom to believe.
    ///
    /// - Parameters:
    ///   - place: Whose clock.
    ///   - now: This machine's clock.
    ///   - rest: Waits.
    /// - Returns: What came of it.
    /// - Throws: `RendezvousError` where the place does not answer.
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
            // What answers so slowly says enough of its clock.
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
