/// A distribution that holds only the buckets in use: what crosses from interval to journal, and from file to file.
///
/// Minimum, maximum and sum are exact, as in the histogram it came from. Reading one back trusts nothing: see
/// `HdrDecoding`.
package struct SparseHistogram: BucketedDurations, Equatable {
    /// How finely durations are told apart.
    package enum Digits: Int, Sendable {
        case two = 2
        case three = 3

        var layout: HistogramLayout { self == .two ? .twoDigits : .threeDigits }
    }

    package let digits: Digits
    package var layout: HistogramLayout { digits.layout }

    /// Ascending; beside each the number of durations in that bucket, which is never zero.
    private var indices: [Int32] = []
    private var counts: [UInt64] = []
    package private(set) var count: UInt64 = 0
    package private(set) var minimumMicroseconds: Int64 = 0
    package private(set) var maximumMicroseconds: Int64 = 0
    package private(set) var sumMicroseconds: Int64 = 0
    /// Durations above one hour.
    package private(set) var aboveRange: UInt64 = 0
    /// Negative durations: two clock readings in the wrong order.
    package private(set) var belowZero: UInt64 = 0

    package init(digits: Digits) {
        self.digits = digits
    }

    package var outOfRange: UInt64 { aboveRange &+ belowZero }

    /// Whether nothing at all was recorded, out of range or in it.
    package var isEmpty: Bool { count == 0 && outOfRange == 0 }

    package func forEachBucket(_ visit: (_ index: Int, _ count: UInt64) -> Void) {
        for place in indices.indices { visit(Int(indices[place]), counts[place]) }
    }

    /// Adds another distribution; the order of additions does not matter.
    ///
    /// - Parameter other: With as many digits, or with more: each of its buckets then lies within one of these. One
    ///   with fewer is added by the low ends of its buckets.
    package mutating func add(_ other: SparseHistogram) {
        aboveRange &+= other.aboveRange
        belowZero &+= other.belowZero
        addBuckets(of: other)
    }

    /// Adds a loop's distribution of one interval.
    mutating func add(_ other: LatencyHistogram<UInt32>) {
        aboveRange &+= other.aboveRange
        belowZero &+= other.belowZero
        addBuckets(of: other)
    }

    private mutating func addBuckets(of other: some BucketedDurations) {
        guard other.count > 0 else { return }
        minimumMicroseconds =
            count == 0 ? other.minimumMicroseconds : min(minimumMicroseconds, other.minimumMicroseconds)
        maximumMicroseconds = max(maximumMicroseconds, other.maximumMicroseconds)
        sumMicroseconds &+= other.sumMicroseconds
        count &+= other.count
        var merged = BucketMerge(indices, counts)
        let layout = self.layout
        let isSame = layout == other.layout
        other.forEachBucket { index, inBucket in
            merged.take(Int32(isSame ? index : layout.index(of: other.layout.lowestValue(in: index))), inBucket)
        }
        (indices, counts) = merged.finish()
    }
}

extension SparseHistogram {
    /// The same distribution, without the buckets that hold nothing.
    package init(_ histogram: CompactHistogram) {
        self.init(digits: .two)
        aboveRange = histogram.outOfRange
        addBuckets(of: histogram)
    }

    /// The same distribution, without the buckets that hold nothing.
    package init(_ histogram: LatencyHistogram<UInt64>) {
        self.init(digits: .three)
        aboveRange = histogram.aboveRange
        belowZero = histogram.belowZero
        addBuckets(of: histogram)
    }

    /// A distribution of nothing but what no bucket could hold.
    init(digits: Digits, aboveRange: UInt64, belowZero: UInt64) {
        self.init(digits: digits)
        self.aboveRange = aboveRange
        self.belowZero = belowZero
    }

    /// Puts together what a file says, and refuses what does not fit together.
    ///
    /// - Throws: `HdrDecodingError` where the exact figures contradict the buckets.
    init(
        decoded: HdrDecoding.Buckets,
        minimum: Int64,
        maximum: Int64,
        sum: Int64,
        aboveRange: UInt64,
        belowZero: UInt64
    ) throws(HdrDecodingError) {
        self.init(digits: decoded.digits)
        self.aboveRange = aboveRange
        self.belowZero = belowZero
        indices = decoded.indices
        counts = decoded.counts
        count = counts.reduce(0, &+)
        guard let first = indices.first, let last = indices.last else { throw .contradiction("no buckets") }
        guard minimum >= 0, maximum >= minimum, maximum <= HistogramLayout.highestMicroseconds,
            layout.index(of: UInt64(minimum)) == Int(first), layout.index(of: UInt64(maximum)) == Int(last)
        else { throw .contradiction("minimum or maximum outside the outermost buckets") }
        guard sum >= 0, decoded.sumBounds.contains(sum) else { throw .contradiction("sum outside the buckets") }
        (minimumMicroseconds, maximumMicroseconds, sumMicroseconds) = (minimum, maximum, sum)
    }
}

/// Two ascending lists of buckets made into one.
private struct BucketMerge {
    private let indices: [Int32]
    private let counts: [UInt64]
    private var next = 0
    private var merged: (indices: [Int32], counts: [UInt64]) = ([], [])

    init(_ indices: [Int32], _ counts: [UInt64]) {
        self.indices = indices
        self.counts = counts
        merged.indices.reserveCapacity(indices.count + 64)
        merged.counts.reserveCapacity(indices.count + 64)
    }

    /// Takes a bucket of the other list, whose indices never fall.
    mutating func take(_ index: Int32, _ count: UInt64) {
        while next < indices.count, indices[next] <= index {
            put(indices[next], counts[next])
            next += 1
        }
        put(index, count)
    }

    mutating func finish() -> ([Int32], [UInt64]) {
        merged.indices.append(contentsOf: indices[next...])
        merged.counts.append(contentsOf: counts[next...])
        return merged
    }

    private mutating func put(_ index: Int32, _ count: UInt64) {
        if merged.indices.last == index {
            merged.counts[merged.counts.count - 1] &+= count
        } else {
            merged.indices.append(index)
            merged.counts.append(count)
        }
    }
}
