import Glibc

/// The standard normal distribution.
package enum NormalDistribution {
    /// The probability of at most a value.
    ///
    /// - Parameter value: In standard deviations.
    /// - Returns: From 0 to 1, exact in both tails to the precision of `erfc`.
    package static func cumulative(_ value: Double) -> Double {
        0.5 * erfc(-value / 2.0.squareRoot())
    }

    /// The value that is not passed with a given probability.
    ///
    /// - Parameter probability: Between 0 and 1, both excluded; others are taken as the nearest that is possible.
    /// - Returns: In standard deviations.
    package static func quantile(_ probability: Double) -> Double {
        let probability = min(max(probability, .leastNormalMagnitude), 1 - .ulpOfOne / 2)
        return Bisection.root(from: -40, to: 40) { cumulative($0) >= probability }
    }
}

/// Student's t distribution.
package enum StudentDistribution {
    /// The probability of at most a value.
    ///
    /// - Parameters:
    ///   - value: Student's t.
    ///   - degreesOfFreedom: Above 0.
    /// - Returns: From 0 to 1.
    package static func cumulative(_ value: Double, degreesOfFreedom: Double) -> Double {
        let tail = IncompleteBeta.regularised(
            degreesOfFreedom / (degreesOfFreedom + value * value),
            degreesOfFreedom / 2,
            0.5
        )
        return value < 0 ? tail / 2 : 1 - tail / 2
    }

    /// The value that is not passed with a given probability.
    ///
    /// - Parameters:
    ///   - probability: Between 0 and 1, both excluded.
    ///   - degreesOfFreedom: Above 0.
    /// - Returns: Student's t.
    package static func quantile(_ probability: Double, degreesOfFreedom: Double) -> Double {
        guard probability >= 0.5 else { return -quantile(1 - probability, degreesOfFreedom: degreesOfFreedom) }
        var high = 1.0
        while high < 1e12, cumulative(high, degreesOfFreedom: degreesOfFreedom) < probability { high *= 2 }
        return Bisection.root(from: 0, to: high) { cumulative($0, degreesOfFreedom: degreesOfFreedom) >= probability }
    }
}

/// Halving an interval until it has no inside left.
package enum Bisection {
    /// The least value at which a condition holds that, once true, stays true.
    package static func root(from low: Double, to high: Double, where holds: (Double) -> Bool) -> Double {
        var (low, high) = (low, high)
        // A double has 64 bits, so halving more often than this changes nothing.
        for _ in 0..<200 {
            let middle = low + (high - low) / 2
            guard middle > low, middle < high else { break }
            if holds(middle) { high = middle } else { low = middle }
        }
        return high
    }
}
