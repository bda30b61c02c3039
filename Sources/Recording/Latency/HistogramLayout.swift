/// Bucket layout of every HdrHistogram with lowest value 1 and equal significant digits.
///
/// Source: HdrHistogram's `AbstractHistogram`, "countsArrayIndex".
package struct HistogramLayout: Equatable, Sendable {
    /// One hour; longer durations are in no bucket.
    package static let highestMicroseconds: Int64 = 3_600_000_000

    package let significantDigits: Int
    /// Binary logarithm of half the buckets between two powers of two.
    private let halfCountMagnitude: Int

    /// Buckets at most 0.1 % wide.
    static let threeDigits = HistogramLayout(significantDigits: 3, halfCountMagnitude: 10)
    /// Buckets at most 1 % wide.
    static let twoDigits = HistogramLayout(significantDigits: 2, halfCountMagnitude: 7)

    var bucketCount: Int { index(of: UInt64(Self.highestMicroseconds)) + 1 }

    @inline(__always)
    package func index(of value: UInt64) -> Int {
        let bucket = 63 - halfCountMagnitude - (value | mask).leadingZeroBitCount
        let inBucket = Int(truncatingIfNeeded: value >> UInt64(bucket))
        return ((bucket + 1) << halfCountMagnitude) + inBucket - (1 << halfCountMagnitude)
    }

    package func lowestValue(in index: Int) -> UInt64 { values(in: index).lowerBound }

    package func highestValue(in index: Int) -> UInt64 { values(in: index).upperBound }

    @inline(__always)
    func values(in index: Int) -> ClosedRange<UInt64> {
        let bucket = max(0, (index >> halfCountMagnitude) - 1)
        let lowest = UInt64(index - (bucket << halfCountMagnitude)) << UInt64(bucket)
        return lowest...lowest + (1 << UInt64(bucket)) - 1
    }

    /// Values below twice the half count have a bucket each.
    private var mask: UInt64 { (2 << UInt64(halfCountMagnitude)) - 1 }
}
