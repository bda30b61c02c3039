internal import Histogram

extension LatencyHistogram {
    /// The value at or below which the given share of the recorded durations lies.
    ///
    /// Follows HdrHistogram's C and Python readers to the digit: the rank is rounded to the nearest sample, and the
    /// value is the highest that the sample's bucket holds, at most 0.1 % above the sample.
    ///
    /// - Parameter percentile: From 0 to 100.
    /// - Returns: Microseconds, or nil where nothing was recorded.
    package func microseconds(atPercentile percentile: Double) -> Int64? {
        microseconds(atPercentiles: [percentile]).first ?? nil
    }

    /// Several percentiles in one pass; see `microseconds(atPercentile:)`.
    ///
    /// - Parameter percentiles: From 0 to 100, ascending.
    /// - Returns: One value for each, nil where nothing was recorded.
    package func microseconds(atPercentiles percentiles: [Double]) -> [Int64?] {
        guard count > 0 else { return percentiles.map { _ in nil } }
        let ranks = percentiles.map { max(1, Int64(min(max($0, 0), 100) * Double(count) / 100 + 0.5)) }
        var values: [Int64?] = []
        var seen: Int64 = 0
        forEachBucket { bucket, inBucket in
            seen += Int64(clamping: inBucket)
            while values.count < ranks.count, seen >= ranks[values.count] {
                values.append(Int64(clamping: HistogramLayout.highestValue(in: bucket)))
            }
        }
        return values + [Int64?](repeating: nil, count: percentiles.count - values.count)
    }

    package var meanMicroseconds: Double? { count == 0 ? nil : Double(sumMicroseconds) / Double(count) }
}

/// The bucket layout shared by every HdrHistogram with lowest value 1 and 3 significant digits.
///
/// Source: HdrHistogram's `AbstractHistogram`, "countsArrayIndex".
enum HistogramLayout {
    private static let halfCountMagnitude = 10
    private static let mask: UInt64 = 2_047

    static func index(of value: UInt64) -> Int {
        let bucket = 53 - (value | mask).leadingZeroBitCount
        let inBucket = Int(truncatingIfNeeded: value >> UInt64(bucket))
        return ((bucket + 1) << halfCountMagnitude) + inBucket - (1 << halfCountMagnitude)
    }

    static func lowestValue(in index: Int) -> UInt64 {
        let bucket = max(0, (index >> halfCountMagnitude) - 1)
        return UInt64(index - (bucket << halfCountMagnitude)) << UInt64(bucket)
    }

    static func highestValue(in index: Int) -> UInt64 {
        let bucket = max(0, (index >> halfCountMagnitude) - 1)
        return lowestValue(in: index) + (1 << UInt64(bucket)) - 1
    }
}
