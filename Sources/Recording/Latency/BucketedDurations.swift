/// A distribution of durations in microseconds, laid out in HdrHistogram's buckets.
///
/// Holds 0 µs to 1 hour; what lies outside is counted apart. Minimum, maximum and sum are exact.
package protocol BucketedDurations: Sendable {
    var layout: HistogramLayout { get }

    /// The number of durations inside the range.
    var count: UInt64 { get }
    /// 0 where nothing was recorded.
    var minimumMicroseconds: Int64 { get }
    /// 0 where nothing was recorded.
    var maximumMicroseconds: Int64 { get }
    var sumMicroseconds: Int64 { get }
    var outOfRange: UInt64 { get }

    /// Visits the buckets that hold anything, in ascending order.
    func forEachBucket(_ visit: (_ index: Int, _ count: UInt64) -> Void)
}

extension BucketedDurations {
    package static var highestMicroseconds: Int64 { HistogramLayout.highestMicroseconds }
}
