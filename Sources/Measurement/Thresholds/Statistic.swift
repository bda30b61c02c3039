/// The last word of a duration's metric name: which figure of its distribution is meant.
package enum Statistic: String, CaseIterable, Sendable {
    case p50
    case p90
    case p95
    case p99
    case p999 = "p99.9"
    case min
    case max
    case mean

    /// The figure in microseconds, or nil where nothing was recorded.
    ///
    /// - Parameter histogram: The distribution.
    /// - Returns: Minimum, maximum and mean are exact; percentiles as exact as the buckets.
    func microseconds(in histogram: some BucketedDurations) -> Double? {
        guard histogram.count > 0 else { return nil }
        switch self {
        case .p50: return histogram.microseconds(atPercentile: 50).map(Double.init)
        case .p90: return histogram.microseconds(atPercentile: 90).map(Double.init)
        case .p95: return histogram.microseconds(atPercentile: 95).map(Double.init)
        case .p99: return histogram.microseconds(atPercentile: 99).map(Double.init)
        case .p999: return histogram.microseconds(atPercentile: 99.9).map(Double.init)
        case .min: return Double(histogram.minimumMicroseconds)
        case .max: return Double(histogram.maximumMicroseconds)
        case .mean: return histogram.meanMicroseconds
        }
    }
}
