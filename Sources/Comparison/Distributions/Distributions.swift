import Glibc

package enum NormalDistribution {
    /// Exact in both tails to the precision of `erfc`.
    package static func cumulative(_ value: Double) -> Double { 0.5 * erfc(-value / 2.0.squareRoot()) }

    /// Clamps probabilities outside 0...1.
    package static func quantile(_ probability: Double) -> Double {
        let probability = min(max(probability, .leastNormalMagnitude), 1 - .ulpOfOne / 2)
        return Bisection.root(from: -40, to: 40) { cumulative($0) >= probability }
    }
}

package enum StudentDistribution {
    /// Probability of at most `value`.
    package static func cumulative(_ value: Double, degreesOfFreedom: Double) -> Double {
        let tail = IncompleteBeta.regularised(
            degreesOfFreedom / (degreesOfFreedom + value * value),
            degreesOfFreedom / 2,
            0.5
        )
        return value < 0 ? tail / 2 : 1 - tail / 2
    }

    /// The probability excludes 0 and 1.
    package static func quantile(_ probability: Double, degreesOfFreedom: Double) -> Double {
        guard probability >= 0.5 else { return -quantile(1 - probability, degreesOfFreedom: degreesOfFreedom) }
        var high = 1.0
        while high < 1e12, cumulative(high, degreesOfFreedom: degreesOfFreedom) < probability { high *= 2 }
        return Bisection.root(from: 0, to: high) { cumulative($0, degreesOfFreedom: degreesOfFreedom) >= probability }
    }
}

package enum Bisection {
    /// The least value at which a monotonic condition holds.
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

/// The regularised incomplete beta function, the base of binomial and Student tails.
package enum IncompleteBeta {
    /// Share of the beta distribution below a point from 0 to 1; `alpha` and `beta` are above 0.
    ///
    /// A continued fraction by Lentz's method (DLMF 8.17.22, Press and others, "Numerical Recipes", 6.4).
    package static func regularised(_ point: Double, _ alpha: Double, _ beta: Double) -> Double {
        guard point > 0 else { return 0 }
        guard point < 1 else { return 1 }
        // The fraction converges quickly only on this side of the mean.
        guard point <= (alpha + 1) / (alpha + beta + 2) else { return 1 - below(1 - point, beta, alpha) }
        return below(point, alpha, beta)
    }

    private static func below(_ point: Double, _ alpha: Double, _ beta: Double) -> Double {
        let logarithm =
            logGamma(alpha + beta) - logGamma(alpha) - logGamma(beta) + alpha * log(point) + beta * log1p(-point)
        return min(1, max(0, exp(logarithm) * fraction(point, alpha, beta) / alpha))
    }

    private static func fraction(_ point: Double, _ alpha: Double, _ beta: Double) -> Double {
        let smallest = 1e-300
        func kept(_ value: Double) -> Double { abs(value) < smallest ? smallest : value }
        var numerator = 1.0
        var denominator = 1 / kept(1 - (alpha + beta) * point / (alpha + 1))
        var value = denominator
        // The number of steps is about the root of the larger parameter.
        for step in 1...100_000 {
            let index = Double(step)
            let even = index * (beta - index) * point / ((alpha + 2 * index - 1) * (alpha + 2 * index))
            denominator = 1 / kept(1 + even * denominator)
            numerator = kept(1 + even / numerator)
            value *= denominator * numerator
            let odd =
                -(alpha + index) * (alpha + beta + index) * point / ((alpha + 2 * index) * (alpha + 2 * index + 1))
            denominator = 1 / kept(1 + odd * denominator)
            numerator = kept(1 + odd / numerator)
            value *= denominator * numerator
            if abs(denominator * numerator - 1) < 1e-15 { break }
        }
        return value
    }

    /// Unlike C's `lgamma` it writes no global.
    package static func logGamma(_ value: Double) -> Double {
        var sign: Int32 = 0
        return lgamma_r(value, &sign)
    }
}
