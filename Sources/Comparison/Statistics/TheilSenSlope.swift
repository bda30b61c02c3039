import Glibc

/// The median of all slopes between two points of a series, robust against up to 29 % outliers.
///
/// Sources: Theil 1950 and Sen 1968; the interval after Gilbert, "Statistical Methods for Environmental Pollution Monitoring",
/// 16.4.
struct TheilSenSlope: Equatable, Sendable {
    var slope: Double
    /// The 95 % interval.
    var low: Double
    var high: Double

    /// Two-sided 95 % of the normal distribution.
    private static let normalQuantile = 1.959963984540054

    /// Nil for fewer than two points, or if all have the same time.
    ///
    /// `times` are ascending; `variance` is that of Mann and Kendall's S for the same series.
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
        // Ranks between two slopes are rounded outwards.
        let lowest = Int(max(1, ((count - reach) / 2).rounded(.down)))
        let highest = Int(min(count, ((count + reach) / 2).rounded(.up) + 1))
        low = slopes[lowest - 1]
        high = slopes[highest - 1]
    }
}
