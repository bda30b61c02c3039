/// HdrHistogram's buckets from 0 µs to 1 hour.
package protocol BucketedDurations: Equatable, Sendable {
    var digits: HistogramLayout { get }
    var figures: DurationFigures { get }

    init(digits: HistogramLayout)

    mutating func record(_ microseconds: Int64)

    /// In ascending order, without empty buckets.
    func forEachBucket(_ visit: (_ index: Int, _ count: UInt64) -> Void)
}

extension BucketedDurations {
    package var count: UInt64 { figures.count }
    package var minimumMicroseconds: Int64 { figures.minimum }
    package var maximumMicroseconds: Int64 { figures.maximum }
    package var sumMicroseconds: Int64 { figures.sum }
    package var aboveRange: UInt64 { figures.aboveRange }
    package var belowZero: UInt64 { figures.belowZero }
    package var outOfRange: UInt64 { aboveRange &+ belowZero }

    /// Highest value of the nearest rank's bucket, as HdrHistogram's C and Python readers have it to the digit.
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
                values.append(Int64(clamping: digits.values(in: bucket).upperBound))
            }
        }
        return values + [Int64?](repeating: nil, count: percentiles.count - values.count)
    }

    package var meanMicroseconds: Double? { count == 0 ? nil : Double(sumMicroseconds) / Double(count) }
}

/// Durations outside the range are never clamped into the distribution (mountpoint-s3 #1853 lost its true peaks so).
package struct DurationFigures: Equatable, Sendable {
    var count: UInt64 = 0
    var minimum: Int64 = 0
    var maximum: Int64 = 0
    var sum: Int64 = 0
    var aboveRange: UInt64 = 0
    /// Two clock readings in the wrong order.
    var belowZero: UInt64 = 0

    /// Whether a bucket has the duration.
    @inline(__always)
    mutating func record(_ microseconds: Int64) -> Bool {
        guard microseconds >= 0, microseconds <= HistogramLayout.highestMicroseconds else {
            if microseconds < 0 { belowZero &+= 1 } else { aboveRange &+= 1 }
            return false
        }
        if count == 0 || microseconds < minimum { minimum = microseconds }
        if microseconds > maximum { maximum = microseconds }
        sum &+= microseconds
        count &+= 1
        return true
    }

    /// Whether there are buckets to add.
    mutating func add(_ other: DurationFigures) -> Bool {
        aboveRange &+= other.aboveRange
        belowZero &+= other.belowZero
        guard other.count > 0 else { return false }
        let sum = sum.addingReportingOverflow(other.sum)
        // A sum beyond 290,000 years comes from a damaged file.
        guard !sum.overflow else {
            aboveRange &+= other.count
            return false
        }
        minimum = count == 0 ? other.minimum : min(minimum, other.minimum)
        maximum = max(maximum, other.maximum)
        self.sum = sum.partialValue
        count &+= other.count
        return true
    }
}

/// Layout of HdrHistograms with lowest value 1 (HdrHistogram `AbstractHistogram.countsArrayIndex`).
package enum HistogramLayout: Int, Sendable {
    /// Buckets are at most 1 % wide.
    case two = 2
    /// At most 0.1 %.
    case three = 3

    package static let highestMicroseconds: Int64 = 3_600_000_000

    /// Binary logarithm of half the buckets between two powers of two.
    private var halfCountMagnitude: Int { self == .two ? 7 : 10 }

    var bucketCount: Int { index(of: UInt64(Self.highestMicroseconds)) + 1 }

    @inline(__always)
    package func index(of value: UInt64) -> Int {
        // Values below twice the half count have a bucket each.
        let mask: UInt64 = (2 << UInt64(halfCountMagnitude)) - 1
        let bucket = 63 &- halfCountMagnitude &- (value | mask).leadingZeroBitCount
        let inBucket = Int(truncatingIfNeeded: value &>> UInt64(truncatingIfNeeded: bucket))
        return ((bucket &+ 1) &<< halfCountMagnitude) &+ inBucket &- (1 &<< halfCountMagnitude)
    }

    @inline(__always)
    package func values(in index: Int) -> ClosedRange<UInt64> {
        let bucket = max(0, (index >> halfCountMagnitude) - 1)
        let lowest = UInt64(index - (bucket << halfCountMagnitude)) << UInt64(bucket)
        return lowest...lowest + (1 << UInt64(bucket)) - 1
    }
}
