import Glibc

/// Mann and Kendall's test for a trend.
///
/// Exact for up to ten values without ties, else the normal approximation with continuity and tie correction. Beyond ten values
/// the detrended series' autocorrelation widens the variance: a disturbance may outlast a window.
///
/// Sources: Mann 1945; Kendall, "Rank Correlation Methods", 1975; Yue and Wang, Water Resources Management 18, 2004, for the
/// widening.
struct MannKendallTest: Equatable, Sendable {
    /// Rising pairs less falling pairs.
    var score: Int
    var variance: Double
    /// Two-sided.
    var pValue: Double

    static let exactLimit = 10

    init(_ values: [Double]) {
        var score = 0
        for later in values.indices {
            for earlier in 0..<later {
                score += values[later] > values[earlier] ? 1 : (values[later] < values[earlier] ? -1 : 0)
            }
        }
        let ties = Dictionary(grouping: values, by: \.self).values.map(\.count).filter { $0 > 1 }
        let plain = Self.variance(count: values.count, ties: ties)
        self.score = score
        if values.count <= Self.exactLimit {
            variance = plain
            pValue =
                ties.isEmpty
                ? Self.exactProbability(count: values.count, score: score)
                : Self.normalProbability(score: score, variance: plain)
        } else {
            variance = plain * Self.widening(values)
            pValue = Self.normalProbability(score: score, variance: variance)
        }
    }

    /// The smallest possible p-value of a series of that length.
    static func leastProbability(count: Int) -> Double {
        let score = count * (count - 1) / 2
        return count <= exactLimit
            ? exactProbability(count: count, score: score)
            : normalProbability(score: score, variance: variance(count: count, ties: []))
    }

    private static func variance(count: Int, ties: [Int]) -> Double {
        func term(_ size: Int) -> Double { Double(size) * Double(size - 1) * Double(2 * size + 5) }
        return max(0, term(count) - ties.reduce(0) { $0 + term($1) }) / 18
    }

    private static func normalProbability(score: Int, variance: Double) -> Double {
        guard score != 0, variance > 0 else { return 1 }
        let deviation = (Double(score.magnitude) - 1) / variance.squareRoot()
        return min(1, erfc(deviation / 2.0.squareRoot()))
    }

    /// Counts the orders of `count` values by inversions; a score of S has (pairs - S) / 2 of them.
    private static func exactProbability(count: Int, score: Int) -> Double {
        let pairs = count * (count - 1) / 2
        guard pairs > 0 else { return 1 }
        var orders: [Double] = [1]
        for length in 2...max(2, count) {
            var next = [Double](repeating: 0, count: orders.count + length - 1)
            for (inversions, ways) in orders.enumerated() {
                for added in 0..<length { next[inversions + added] += ways }
            }
            orders = next
        }
        let total = orders.reduce(0, +)
        let least = (pairs - Int(score.magnitude)) / 2
        return min(1, 2 * orders[...least].reduce(0, +) / total)
    }

    /// Factor of the score's variance, at least 1.
    private static func widening(_ values: [Double]) -> Double {
        let count = Double(values.count)
        let times = values.indices.map(Double.init)
        guard let trend = TheilSenSlope(times: times, values: values, variance: 0) else { return 1 }
        let rest = zip(times, values).map { $1 - trend.slope * $0 }
        let mean = rest.reduce(0, +) / count
        let spread = rest.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let level = values.reduce(0, +) / count
        let total = values.reduce(0) { $0 + ($1 - level) * ($1 - level) }
        // The residual of a nearly perfect trend is its curvature, not a disturbance.
        guard spread > total / 5 else { return 1 }
        let joint = zip(rest, rest.dropFirst()).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) }
        let found = joint / spread
        // Below one-sided 5 % it is probably chance.
        guard found > 1.645 / count.squareRoot() else { return 1 }
        // An estimate from few values is too low by about (1 + 4 r) / n (Kendall 1954).
        let lag = min(0.9, (count * found + 1) / (count - 4))
        var shared = 0.0
        for distance in 1..<values.count {
            let pairs = 1 - Double(distance) / count
            shared += pairs * pow(lag, Double(distance))
        }
        return 1 + 2 * shared
    }
}

/// Median of all slopes between two points, robust against up to 29 % outliers.
///
/// Sources: Theil 1950 and Sen 1968; Gilbert, "Statistical Methods for Environmental Pollution Monitoring", 16.4, for the 95 %
/// interval.
struct TheilSenSlope: Equatable, Sendable {
    var slope: Double
    var low: Double
    var high: Double

    private static let normalQuantile = 1.959963984540054

    /// Nil for fewer than two distinct times, which are ascending; `variance` is that of Mann and Kendall's S.
    init?(times: [Double], values: [Double], variance: Double) {
        var slopes: [Double] = []
        slopes.reserveCapacity(values.count * (values.count + 1) / 2)
        for later in values.indices {
            for earlier in 0..<later where times[later] > times[earlier] {
                slopes.append((values[later] - values[earlier]) / (times[later] - times[earlier]))
            }
        }
        guard !slopes.isEmpty else { return nil }
        slopes.sort()
        let middle = slopes.count / 2
        slope = slopes.count.isMultiple(of: 2) ? (slopes[middle - 1] + slopes[middle]) / 2 : slopes[middle]
        let reach = Self.normalQuantile * variance.squareRoot()
        let count = Double(slopes.count)
        // Rounded outwards.
        let lowest = Int(max(1, ((count - reach) / 2).rounded(.down)))
        let highest = Int(min(count, ((count + reach) / 2).rounded(.up) + 1))
        low = slopes[lowest - 1]
        high = slopes[highest - 1]
    }
}
