package import Recording
package import Thresholds

extension Statistic {
    /// The figure in microseconds, or nil where nothing was recorded.
    ///
    /// - Parameter histogram: The distribution.
    /// - Returns: Minimum, maximum and mean are exact; percentiles as exact as the buckets.
    package func microseconds(in histogram: some BucketedDurations) -> Double? {
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
