import Glibc

/// Dispersion of shares between runs, relative to independent requests.
///
/// Requests of a run share its conditions, so counts summed over runs carry less information than as many independent ones.
/// Dividing events and trials by this factor makes exact methods for independent counts fit (Rao and Scott, "A simple method
/// for the analysis of clustered binary data", Biometrics 48, 1992).
package enum ClusteredCounts {
    package struct Run: Equatable, Sendable {
        package var events: UInt64
        package var trials: UInt64
    }

    /// Pearson's chi-square over its degrees of freedom, within each group, for both groups together; at least 1.
    ///
    /// A few runs estimate the factor badly. It is therefore multiplied by the ratio of Student's t (with as many degrees of
    /// freedom) to the normal distribution at the 99th percentile, squared. Nil (unknown) with fewer than two runs in either
    /// group.
    package static func dispersion(_ first: [Run], _ second: [Run]) -> Double? {
        let groups = [first, second].map { group in group.filter { $0.trials > 0 } }
        guard groups.allSatisfy({ $0.count > 1 }) else { return nil }
        let freedom = Double(groups.reduce(0) { $0 + $1.count - 1 })
        let factor = groups.reduce(0) { $0 + chiSquare($1) } / freedom
        guard factor > 0 else { return 1 }
        let widening =
            StudentDistribution.quantile(0.99, degreesOfFreedom: freedom) / NormalDistribution.quantile(0.99)
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
