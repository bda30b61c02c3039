package import Values

/// Rendezvous clock at a moment of this machine's monotonic clock.
package struct PlaceClock: Equatable, Sendable {
    package let moment: Instant
    package let wall: WallTime
    /// Largest error of ``wall``, in either direction.
    package let bound: Duration

    /// The shortest trip bounds the error (RFC 5905 section 10, the clock filter).
    package static let trips = 16
    /// Share of a tick between trips, so that each trip meets another part of a tick.
    private static let stride = 0.618
    private static let longestTotal: Int64 = 3_000_000_000
    private static let longestPause = Duration.milliseconds(10)

    /// Correct within ``bound`` while both clocks run at one rate.
    package func reading(at moment: Instant) -> WallTime { wall + .nanoseconds(moment &- self.moment) }

    package func moment(of wall: WallTime) -> Instant { moment.later(by: wall.duration(since: self.wall)) }

    /// The intersection of all round trips is narrower than the shortest one (RFC 5905 section 11.2.1).
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
            // More trips would take too long.
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

/// Nanoseconds of a place's wall clock minus this machine's clock.
struct PlaceTrip {
    private var low: Int64
    private var high: Int64
    private let isTicking: Bool

    /// A finer tick is lost in the duration of the trip.
    static let finest = Duration.microseconds(100)

    init(_ time: PlaceTime, between before: Instant, and after: Instant) {
        let wall = time.wall.microseconds.multipliedReportingOverflow(by: 1_000).partialValue
        low = wall &- after.nanoseconds
        // The reading may also be from the end of its microsecond.
        high = wall &+ time.granularity.nanosecondsHeld &+ 999 &- before.nanoseconds
        isTicking = time.granularity > Self.finest
    }

    /// A late tick leaves a stamp more than a tick old, so for a ticking clock the latest stamp is right.
    ///
    /// Contradictions without ticks mean that a clock jumped: the majority's bounds are used, or the shortest trip's.
    static func agreed(_ trips: [PlaceTrip]) -> PlaceTrip? {
        if let common = common(trips), common.width >= 0 { return common }
        let exact = trips.filter { !$0.isTicking }
        guard !exact.isEmpty else { return trips.max { $0.low < $1.low } }
        return byMost(of: exact) ?? exact.min { $0.width < $1.width }
    }

    /// `moment` must be near the trips.
    func clock(at moment: Instant) -> PlaceClock {
        let wall = WallTime(microseconds: (moment.nanoseconds &+ low &+ width / 2) / 1_000)
        return PlaceClock(moment: moment, wall: wall, bound: .nanoseconds(width / 2 &+ 1_000))
    }

    private var width: Int64 { high &- low }

    private static func common(_ trips: [PlaceTrip]) -> PlaceTrip? {
        guard var common = trips.first else { return nil }
        for trip in trips { (common.low, common.high) = (max(common.low, trip.low), min(common.high, trip.high)) }
        return common
    }

    /// nil unless a majority of trips agrees.
    private static func byMost(of trips: [PlaceTrip]) -> PlaceTrip? {
        let sets = trips.map { start in trips.filter { $0.low <= start.low && start.low <= $0.high } }
        guard let agreeing = sets.max(by: { $0.count < $1.count }), agreeing.count * 2 > trips.count else { return nil }
        return common(agreeing)
    }
}
