import Glibc

package enum NormalDistribution {
    /// Probability of at most `value` standard deviations, exact in both tails to the precision of `erfc`.
    package static func cumulative(_ value: Double) -> Double {
        0.5 * erfc(-value / 2.0.squareRoot())
    }

    /// Inverse of ``cumulative(_:)``, in standard deviations; probabilities outside 0...1 are clamped.
    package static func quantile(_ probability: Double) -> Double {
        let probability = min(max(probability, .leastNormalMagnitude), 1 - .ulpOfOne / 2)
        return Bisection.root(from: -40, to: 40) { cumulative($0) >= probability }
    }
}

package enum StudentDistribution {
    /// Probability of at most `value`, for degrees of freedom above 0.
    package static func cumulative(_ value: Double, degreesOfFreedom: Double) -> Double {
        let tail = IncompleteBeta.regularised(
            degreesOfFreedom / (degreesOfFreedom + value * value),
            degreesOfFreedom / 2,
            0.5
        )
        return value < 0 ? tail / 2 : 1 - tail / 2
    }

    /// Inverse of ``cumulative(_:degreesOfFreedom:)``, for a probability between 0 and 1, both excluded.
    package static func quantile(_ probability: Double, degreesOfFreedom: Double) -> Double {
        guard probability >= 0.5 else { return -quantile(1 - probability, degreesOfFreedom: degreesOfFreedom) }
        var high = 1.0
        while high < 1e12, cumulative(high, degreesOfFreedom: degreesOfFreedom) < probability { high *= 2 }
        return Bisection.root(from: 0, to: high) { cumulative($0, degreesOfFreedom: degreesOfFreedom) >= probability }
    }
}

package enum Bisection {
    /// Returns the least value at which a monotonic condition holds.
    package static func root(from low: Double, to high: Double, where holds: (Double) -> Bool) -> Double {
        var (low, high) = (low, high)
        // A double has 64 bits; more halvings change nothing.
        for _ in 0..<200 {
            let middle = low + (high - low) / 2
            guard middle > low, middle < high else { break }
            if holds(middle) { high = middle } else { low = middle }
        }
        return high
    }
}
