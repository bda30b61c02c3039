import Glibc

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
