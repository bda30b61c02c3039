import Glibc

/// Limits and precision of a search for a capacity.
///
/// The quantity is an audience in viewers, or a duration such as the jitter over which requests are spread. It is above 0 and
/// is searched on a logarithmic scale.
package struct CapacitySettings: Codable, Equatable, Sendable {
    package enum Direction: String, Codable, Sendable {
        /// Such as viewers: the capacity is the largest value that holds.
        case moreIsHarder
        /// Such as jitter or lead: the capacity is the smallest value that holds.
        case moreIsEasier
    }

    package var floor: Double
    package var ceiling: Double
    /// First value of the search; nil for the easiest one.
    package var start: Double?
    /// Largest half width of the 90 % interval, as a share of the answer.
    ///
    /// With 0.1 and an answer of 1,000 it may run from 900 to 1,100, and from 860 to 1,060 as well.
    package var within: Double
    /// Share of breaks that hold at the capacity, over breaks and runs.
    package var share: Double
    /// All runs, escalation and confirmation included.
    package var maximumRuns: Int
    package var breaksPerRun: Int
    package var direction: Direction
    package var variesWithinRun: Bool
    /// Values are whole multiples of it, such as 1 viewer or 1 ms.
    package var granularity: Double
    /// Equal seeds and outcomes give equal searches.
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

/// Conversion of values to difficulties: natural logarithms that grow in the direction in which a break becomes harder.
struct DifficultyScale {
    let settings: CapacitySettings

    private var sign: Double { settings.direction == .moreIsHarder ? 1 : -1 }

    var bounds: ClosedRange<Double> {
        let ends = [difficulty(of: floor), difficulty(of: ceiling)].sorted()
        return ends[0]...ends[1]
    }

    private var granule: Double { settings.granularity.isFinite ? max(settings.granularity, 1e-9) : 1 }
    private var floor: Double { max(settings.floor.isFinite ? settings.floor : granule, granule) }
    private var ceiling: Double { max(floor, settings.ceiling.isFinite ? settings.ceiling : 1e15) }

    func difficulty(of value: Double) -> Double {
        let value = value.isFinite ? value : 1e300
        return sign * log(max(value, granule / 2))
    }

    func value(of difficulty: Double) -> Double { exp(min(max(sign * difficulty, -600), 600)) }

    /// The nearest allowed value.
    func size(of difficulty: Double) -> Double {
        let nearest = (value(of: clamped(difficulty)) / granule).rounded() * granule
        return min(max(nearest, floor), ceiling)
    }

    func clamped(_ difficulty: Double) -> Double { min(max(difficulty, bounds.lowerBound), bounds.upperBound) }

    /// Rounds to a multiple of the granularity, by default to the easier side, so that rounding promises nothing.
    func rounded(_ value: Double, easier: Bool = true) -> Double {
        let steps = value / granule
        let isDown = (settings.direction == .moreIsHarder) == easier
        // A value that was a multiple before its logarithm was taken stays one.
        let slack = 1e-9 * steps
        return max(isDown ? (steps + slack).rounded(.down) : (steps - slack).rounded(.up), 1) * granule
    }

    func areNeighbours(_ one: Double, _ other: Double) -> Bool { abs(one - other) <= granule * (1 + 1e-9) }
}
