extension BucketedDurations {
    /// Value at or below which a percentage of the durations lies, in microseconds; nil if empty.
    ///
    /// Follows HdrHistogram's C and Python readers to the digit: the rank is rounded to the nearest sample, and the value is
    /// the highest of the sample's bucket, at most 0.1 % above the sample with three digits.
    package func microseconds(atPercentile percentile: Double) -> Int64? {
        microseconds(atPercentiles: [percentile]).first ?? nil
    }

    /// Several ascending percentiles in one pass; see `microseconds(atPercentile:)`.
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
