/// Distribution of durations in microseconds, in HdrHistogram's buckets.
///
/// Covers 0 µs to 1 hour; durations outside are counted separately. Minimum, maximum and sum are exact.
package protocol BucketedDurations: Sendable {
    var layout: HistogramLayout { get }

    var count: UInt64 { get }
    var minimumMicroseconds: Int64 { get }
    var maximumMicroseconds: Int64 { get }
    var sumMicroseconds: Int64 { get }
    var outOfRange: UInt64 { get }

    /// Visits non-empty buckets in ascending order.
    func forEachBucket(_ visit: (_ index: Int, _ count: UInt64) -> Void)
}

extension BucketedDurations {
    package static var highestMicroseconds: Int64 { HistogramLayout.highestMicroseconds }
}
