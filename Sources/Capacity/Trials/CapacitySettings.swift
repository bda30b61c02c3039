/// What a search for a capacity may ask for, and when it is content.
///
/// The quantity that is searched is an audience in viewers, or a duration such as the jitter over which requests are
/// spread; it is above 0 and counted on a logarithmic scale.
package struct CapacitySettings: Codable, Equatable, Sendable {
    /// Which way a break becomes harder to serve.
    package enum Direction: String, Codable, Sendable {
        /// Such as viewers: the capacity is the largest value that holds.
        case moreIsHarder
        /// Such as jitter or lead: the capacity is the least value that holds.
        case moreIsEasier
    }

    /// The least value that is asked for.
    package var floor: Double
    /// The largest value that is asked for.
    package var ceiling: Double
    /// Where the search begins; nil for the easiest value there is.
    package var start: Double?
    /// How wide the 90 % interval may be at the end: half of it, as a share of the answer.
    ///
    /// With 0.1 and an answer of 1,000 it may run from 900 to 1,100, and from 860 to 1,060 as well.
    package var within: Double
    /// In which share of breaks the capacity holds, over breaks and runs as they come.
    package var share: Double
    /// How many runs there may be, those that look for the order of magnitude and those that confirm included.
    package var maximumRuns: Int
    package var breaksPerRun: Int
    package var direction: Direction
    /// Whether each break of a run can have a value of its own.
    package var variesWithinRun: Bool
    /// Values are whole multiples of it, such as 1 viewer or 1 ms.
    package var granularity: Double
    /// The same seed and the same outcomes give the same search.
    package var seed: UInt64

    package init(
        floor: Double,
        ceiling: Double,
        start: Double? = nil,
        within: Double = 0.10,
        share: Double = 0.95,
        maximumRuns: Int = 12,
        breaksPerRun: Int = 10,
        direction: Direction = .moreIsHarder,
        variesWithinRun: Bool = true,
        granularity: Double = 1,
        seed: UInt64 = 1
    ) {
        self.floor = floor
        self.ceiling = ceiling
        self.start = start
        self.within = within
        self.share = share
        self.maximumRuns = maximumRuns
        self.breaksPerRun = breaksPerRun
        self.direction = direction
        self.variesWithinRun = variesWithinRun
        self.granularity = granularity
        self.seed = seed
    }
}
