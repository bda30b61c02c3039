import Glibc

package enum FisherExactTest {
    /// One-sided p-value: the probability of at least `secondEvents`, if both shares are equal.
    ///
    /// Hypergeometric: both totals and the sum of the events are taken as given.
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
        guard observed < table.mean else { return min(1, table.upperTail(from: observed)) }
        return min(1, max(0, 1 - table.lowerTail(to: observed - 1)))
    }

    private struct Table {
        var drawn: Double
        var events: Double
        var total: Double

        var mean: Double { total == 0 ? 0 : drawn * events / total }
        private var least: Double { max(0, drawn + events - total) }
        private var most: Double { min(drawn, events) }

        /// Terms decrease ever faster away from the mean, so the sum ends with the first negligible one.
        func upperTail(from first: Double) -> Double {
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

        func lowerTail(to last: Double) -> Double {
            guard last >= least else { return 0 }
            var term = probability(of: min(last, most))
            var sum = term
            var value = min(last, most)
            while value > least, term > sum * 1e-18 {
                term *= value / (events - value + 1) * (total - events - drawn + value) / (drawn - value + 1)
                value -= 1
                sum += term
            }
            return sum
        }

        private func probability(of value: Double) -> Double {
            exp(
                Self.choose(events, value) + Self.choose(total - events, drawn - value) - Self.choose(total, drawn)
            )
        }

        private static func choose(_ all: Double, _ taken: Double) -> Double {
            IncompleteBeta.logGamma(all + 1) - IncompleteBeta.logGamma(taken + 1)
                - IncompleteBeta.logGamma(all - taken + 1)
        }
    }
}
