/// HdrHistogram's buckets from 0 µs to 1 hour; minimum, maximum and sum are exact, durations outside are counted separately.
package protocol BucketedDurations: Sendable {
    var layout: HistogramLayout { get }

    var count: UInt64 { get }
    var minimumMicroseconds: Int64 { get }
    var maximumMicroseconds: Int64 { get }
    var sumMicroseconds: Int64 { get }
    var outOfRange: UInt64 { get }

    /// In ascending order, without empty buckets.
    func forEachBucket(_ visit: (_ index: Int, _ count: UInt64) -> Void)
}

extension BucketedDurations {
    package static var highestMicroseconds: Int64 { HistogramLayout.highestMicroseconds }
}

extension BucketedDurations {
    /// Follows HdrHistogram's C and Python readers to the digit.
    ///
    /// The rank is rounded to the nearest sample; the value is the highest of its bucket, at most 0.1 % above it with three
    /// digits.
    package func microseconds(atPercentile percentile: Double) -> Int64? {
        microseconds(atPercentiles: [percentile]).first ?? nil
    }

    /// Ascending percentiles in one pass.
    package func microseconds(atPercentiles percentiles: [Double]) -> [Int64?] {
        guard count > 0 else { return percentiles.map { _ in nil } }
        let total = min(Double(count), 0x1p62)
        let ranks = percentiles.map { max(1, Int64(min(max($0, 0), 100) * total / 100 + 0.5)) }
        var values: [Int64?] = []
        var seen: Int64 = 0
        forEachBucket { bucket, inBucket in
            let sum = seen.addingReportingOverflow(Int64(clamping: inBucket))
            seen = sum.overflow ? .max : sum.partialValue
            while values.count < ranks.count, seen >= ranks[values.count] {
                values.append(Int64(clamping: layout.highestValue(in: bucket)))
            }
        }
        return values + [Int64?](repeating: nil, count: percentiles.count - values.count)
    }

    package var meanMicroseconds: Double? { count == 0 ? nil : Double(sumMicroseconds) / Double(count) }
}

/// Layout of every HdrHistogram with lowest value 1 and equal significant digits.
///
/// Source: HdrHistogram's `AbstractHistogram`, "countsArrayIndex".
package struct HistogramLayout: Equatable, Sendable {
    package static let highestMicroseconds: Int64 = 3_600_000_000

    package let significantDigits: Int
    /// Binary logarithm of half the buckets between two powers of two.
    private let halfCountMagnitude: Int

    /// At most 0.1 % wide.
    static let threeDigits = HistogramLayout(significantDigits: 3, halfCountMagnitude: 10)
    /// At most 1 % wide.
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
