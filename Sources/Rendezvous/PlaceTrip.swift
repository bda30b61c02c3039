import Time

/// Between what numbers of nanoseconds a place's wall clock less this machine's clock lies, as one trip to it says.
struct PlaceTrip {
    private var low: Int64
    private var high: Int64
    /// Whether the place's clock moved in steps.
    private let isTicking: Bool

    /// Below that a step is lost in the time of the trip.
    static let finest = Duration.microseconds(100)

    /// - Parameters:
    ///   - time: What the place said.
    ///   - before: When it was asked.
    ///   - after: When it had answered.
    init(_ time: PlaceTime, between before: Instant, and after: Instant) {
        let wall = time.wall.microseconds.multipliedReportingOverflow(by: 1_000).partialValue
        low = wall &- after.nanoseconds
        // The reading may be of the end of its microsecond too.
        high = wall &+ time.granularity.nanosecondsHeld &+ 999 &- before.nanoseconds
        isTicking = time.granularity > Self.finest
    }

    /// What several trips say together.
    ///
    /// Trips contradict each other where a tick came late, which leaves a stamp more than a step old: of a clock that ticks
    /// the trip with the latest stamp is right then. Where trips to a clock without ticks contradict each other, one of the
    /// clocks jumped meanwhile: what most of them say holds, or the shortest.
    ///
    /// - Parameter trips: In any order.
    /// - Returns: Nil for none.
    static func agreed(_ trips: [PlaceTrip]) -> PlaceTrip? {
        if let common = common(trips), common.width >= 0 { return common }
        let exact = trips.filter { !$0.isTicking }
        guard !exact.isEmpty else { return trips.max { $0.low < $1.low } }
        return byMost(of: exact) ?? exact.min { $0.width < $1.width }
    }

    /// The place's clock, as this says it.
    ///
    /// - Parameter moment: Of this machine's clock, about now.
    /// - Returns: With half of the width as its bound.
    func clock(at moment: Instant) -> PlaceClock {
        PlaceClock(
            moment: moment,
            wall: WallTime(microseconds: (moment.nanoseconds &+ low &+ width / 2) / 1_000),
            bound: .nanoseconds(width / 2 &+ 1_000)
        )
    }

    private var width: Int64 { high &- low }

    /// What all of them allow, of a negative width where that is nothing.
    private static func common(_ trips: [PlaceTrip]) -> PlaceTrip? {
        guard var common = trips.first else { return nil }
        for trip in trips { (common.low, common.high) = (max(common.low, trip.low), min(common.high, trip.high)) }
        return common
    }

    /// What as many trips as possible allow together; nil where those are not most of them.
    private static func byMost(of trips: [PlaceTrip]) -> PlaceTrip? {
        let sets = trips.map { start in trips.filter { $0.low <= start.low && start.low <= $0.high } }
        guard let agreeing = sets.max(by: { $0.count < $1.count }), agreeing.count * 2 > trips.count else { return nil }
        return common(agreeing)
    }
}
