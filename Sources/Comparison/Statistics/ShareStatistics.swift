import Glibc

package enum FisherExactTest {
    /// One-sided p-value of at least `secondEvents` if both shares are equal: hypergeometric, with all totals given.
    package static func probability(
        ofAtLeast secondEvents: UInt64,
        outOf secondTrials: UInt64,
        against firstEvents: UInt64,
        outOf firstTrials: UInt64
    ) -> Double {
        let table = Table(
            drawn: Double(secondTrials),
            events: Double(firstEvents) + Double(secondEvents),
            total: Double(firstTrials) + Double(secondTrials)
        )
        let observed = Double(min(secondEvents, secondTrials))
        // Summing the short tail keeps small probabilities exact.
        guard observed < table.mean else { return min(1, table.tail(from: observed)) }
        return min(1, max(0, 1 - table.complement.tail(from: table.drawn - observed + 1)))
    }

    private struct Table {
        var drawn: Double
        var events: Double
        var total: Double

        var mean: Double { total == 0 ? 0 : drawn * events / total }
        private var least: Double { max(0, drawn + events - total) }
        private var most: Double { min(drawn, events) }

        /// Non-events in the place of events.
        var complement: Table { Table(drawn: drawn, events: total - events, total: total) }

        /// Ends with the first negligible term.
        func tail(from first: Double) -> Double {
            guard first <= most else { return 0 }
            var term = probability(of: max(first, least))
            var sum = term
            var value = max(first, least)
            while value < most, term > sum * 1e-18 {
                term *= (events - value) / (value + 1) * (drawn - value) / (total - events - drawn + value + 1)
                value += 1
                sum += term
            }
            return sum
        }

        private func probability(of value: Double) -> Double {
            exp(Self.choose(events, value) + Self.choose(total - events, drawn - value) - Self.choose(total, drawn))
        }

        private static func choose(_ all: Double, _ taken: Double) -> Double {
            IncompleteBeta.logGamma(all + 1) - IncompleteBeta.logGamma(taken + 1)
                - IncompleteBeta.logGamma(all - taken + 1)
        }
    }
}

/// Clopper and Pearson's exact interval of a share (Biometrika 26, 1934).
package struct BinomialInterval: Equatable, Sendable {
    package let low: Double
    package let high: Double

    /// `events` may be fractional if counts were scaled down; `confidence` is two-sided.
    package init(events: Double, trials: Double, confidence: Double) {
        let tail = (1 - confidence) / 2
        let events = min(max(events, 0), trials)
        let others = trials - events
        low =
            events <= 0
            ? 0
            : Bisection.root(from: 0, to: 1) { IncompleteBeta.regularised($0, events, others + 1) >= tail }
        high =
            others <= 0
            ? 1
            : Bisection.root(from: 0, to: 1) { IncompleteBeta.regularised($0, events + 1, others) >= 1 - tail }
    }
}

/// Dispersion of shares between runs, because requests of a run share its conditions.
///
/// Counts divided by it fit exact methods for independent counts (Rao and Scott, "A simple method for the analysis of clustered
/// binary data", Biometrics 48, 1992).
package enum ClusteredCounts {
    package struct Run: Equatable, Sendable {
        package var events: UInt64
        package var trials: UInt64
    }

    /// Pearson's chi-square over its degrees of freedom; nil with fewer than two runs in a group.
    ///
    /// Widened by the squared ratio of Student's t to the normal distribution, because a few runs estimate it badly.
    package static func dispersion(_ first: [Run], _ second: [Run]) -> Double? {
        let groups = [first, second].map { group in group.filter { $0.trials > 0 } }
        guard groups.allSatisfy({ $0.count > 1 }) else { return nil }
        let freedom = Double(groups.reduce(0) { $0 + $1.count - 1 })
        let factor = groups.reduce(0) { $0 + chiSquare($1) } / freedom
        guard factor > 0 else { return 1 }
        let widening = StudentDistribution.quantile(0.99, degreesOfFreedom: freedom) / NormalDistribution.quantile(0.99)
        return max(1, factor * widening * widening)
    }

    private static func chiSquare(_ runs: [Run]) -> Double {
        let events = runs.reduce(0) { $0 + Double($1.events) }
        let trials = runs.reduce(0) { $0 + Double($1.trials) }
        let share = events / trials
        guard share > 0, share < 1 else { return 0 }
        return runs.reduce(0) { sum, run in
            let expected = Double(run.trials) * share
            let difference = Double(run.events) - expected
            return sum + difference * difference / (expected * (1 - share))
        }
    }
}

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
