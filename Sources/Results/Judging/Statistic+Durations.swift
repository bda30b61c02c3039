package import Recording
package import Rules

extension Statistic {
    /// Figure in microseconds; nil for an empty distribution.
    ///
    /// Minimum, maximum and mean are exact, percentiles as exact as the buckets. The maximum replaces a percentile with fewer
    /// samples than it needs.
    package func microseconds(in histogram: some BucketedDurations) -> Double? {
        guard histogram.count > 0 else { return nil }
        guard histogram.count >= samplesNeeded else { return Double(histogram.maximumMicroseconds) }
        if let percentile { return histogram.microseconds(atPercentile: percentile).map(Double.init) }
        switch self {
        case .min: return Double(histogram.minimumMicroseconds)
        case .mean: return histogram.meanMicroseconds
        case .max, .p50, .p90, .p95, .p99, .p999: return Double(histogram.maximumMicroseconds)
        }
    }
}
