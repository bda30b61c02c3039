import Recording

/// What a growing distribution took in since the last look.
struct IntervalDurations: BucketedDurations {
    let layout: HistogramLayout

    fileprivate var buckets: [(index: Int, count: UInt64)] = []
    fileprivate(set) var count: UInt64 = 0
    fileprivate(set) var sumMicroseconds: Int64 = 0
    var outOfRange: UInt64 { 0 }

    /// The lowest value of the lowest bucket in use.
    var minimumMicroseconds: Int64 { buckets.first.map { Int64(clamping: layout.lowestValue(in: $0.index)) } ?? 0 }

    /// The highest value of the highest bucket in use.
    var maximumMicroseconds: Int64 { buckets.last.map { Int64(clamping: layout.highestValue(in: $0.index)) } ?? 0 }

    func forEachBucket(_ visit: (_ index: Int, _ count: UInt64) -> Void) {
        for bucket in buckets { visit(bucket.index, bucket.count) }
    }
}

/// Tells what came to a growing distribution between one look and the next.
struct IntervalMeter {
    private var counts: [UInt64] = []
    private var sumMicroseconds: Int64 = 0
    private var total: UInt64 = 0

    /// Looks at the distribution as it stands.
    ///
    /// - Parameter durations: The distribution; it must hold all that it held before.
    /// - Returns: What came since the last look.
    mutating func take(_ durations: some BucketedDurations) -> IntervalDurations {
        var interval = IntervalDurations(layout: durations.layout)
        guard durations.count != total else { return interval }
        durations.forEachBucket { index, count in
            if index >= counts.count {
                counts.append(contentsOf: repeatElement(0, count: index + 1 - counts.count))
            }
            if count > counts[index] {
                interval.buckets.append((index, count - counts[index]))
                interval.count &+= count - counts[index]
            }
            counts[index] = count
        }
        interval.sumMicroseconds = durations.sumMicroseconds &- sumMicroseconds
        sumMicroseconds = durations.sumMicroseconds
        total = durations.count
        return interval
    }
}
