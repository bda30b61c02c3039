import Glibc
import Results

/// Limits and precision of a search for a capacity: an audience or a duration, on a logarithmic scale.
struct CapacitySettings: Codable, Equatable, Sendable {
    enum Direction: String, Codable, Sendable {
        /// As for viewers: the capacity is the largest value that holds.
        case moreIsHarder
        /// As for jitter or lead: the capacity is the smallest value that holds.
        case moreIsEasier
    }

    var floor: Double
    var ceiling: Double
    /// Nil for the easiest value.
    var start: Double?
    /// Largest half width of the 90 % interval, as a share of the answer.
    var within = 0.10
    /// Share of breaks that hold at the capacity.
    var share = 0.95
    /// Escalation and confirmation included.
    var maximumRuns = 12
    var breaksPerRun = 10
    var direction = Direction.moreIsHarder
    var variesWithinRun = true
    /// Values are whole multiples of it.
    var granularity = 1.0
    var seed: UInt64 = 1
}

extension CapacitySettings {
    init(_ asked: CapacityQuestion, seed: UInt64) {
        self.init(
            floor: asked.floor,
            ceiling: asked.ceiling,
            start: asked.from,
            within: asked.withinPercent / 100,
            share: asked.sharePercent / 100,
            maximumRuns: asked.runsMaximum,
            breaksPerRun: asked.breaksPerRun,
            direction: asked.quantity.isHarderWithMore ? .moreIsHarder : .moreIsEasier,
            variesWithinRun: asked.quantity == .viewers && asked.watchMaximumSeconds == nil,
            seed: seed
        )
    }
}

/// Natural logarithms that grow in the direction in which a break becomes harder.
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

    func size(of difficulty: Double) -> Double {
        let nearest = (value(of: clamped(difficulty)) / granule).rounded() * granule
        return min(max(nearest, floor), ceiling)
    }

    func clamped(_ difficulty: Double) -> Double { min(max(difficulty, bounds.lowerBound), bounds.upperBound) }

    /// Rounds by default to the easier side, so that rounding promises nothing.
    func rounded(_ value: Double, easier: Bool = true) -> Double {
        let steps = value / granule
        let isDown = (settings.direction == .moreIsHarder) == easier
        // A value that was a multiple before its logarithm was taken stays one.
        let slack = 1e-9 * steps
        return max(isDown ? (steps + slack).rounded(.down) : (steps - slack).rounded(.up), 1) * granule
    }

    func areNeighbours(_ one: Double, _ other: Double) -> Bool { abs(one - other) <= granule * (1 + 1e-9) }
}
