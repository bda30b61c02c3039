import Values

/// Two significant digits, for distributions that exist in thousands: 5 KB up to 100 ms, at most 13 KB.
package struct CompactHistogram: BucketedDurations, Equatable {
    package var layout: HistogramLayout { .twoDigits }

    private var counts: [UInt32] = []
    package private(set) var count: UInt64 = 0
    package private(set) var minimumMicroseconds: Int64 = 0
    package private(set) var maximumMicroseconds: Int64 = 0
    package private(set) var sumMicroseconds: Int64 = 0
    package private(set) var outOfRange: UInt64 = 0

    package init() {}

    package mutating func record(_ microseconds: Int64) {
        guard microseconds >= 0, microseconds <= Self.highestMicroseconds else {
            outOfRange &+= 1
            return
        }
        minimumMicroseconds = count == 0 ? microseconds : min(minimumMicroseconds, microseconds)
        maximumMicroseconds = max(maximumMicroseconds, microseconds)
        sumMicroseconds &+= microseconds
        count &+= 1
        let index = layout.index(of: UInt64(microseconds))
        makeRoom(for: index)
        counts[index] &+= 1
    }

    mutating func clear() {
        for index in counts.indices { counts[index] = 0 }
        count = 0
        minimumMicroseconds = 0
        maximumMicroseconds = 0
        sumMicroseconds = 0
        outOfRange = 0
    }

    /// Each bucket of the other must lie within one of these.
    package mutating func add(_ other: some BucketedDurations) {
        outOfRange &+= other.outOfRange
        guard other.count > 0 else { return }
        minimumMicroseconds =
            count == 0 ? other.minimumMicroseconds : min(minimumMicroseconds, other.minimumMicroseconds)
        maximumMicroseconds = max(maximumMicroseconds, other.maximumMicroseconds)
        sumMicroseconds &+= other.sumMicroseconds
        count &+= other.count
        makeRoom(for: layout.index(of: UInt64(clamping: other.maximumMicroseconds)))
        other.forEachBucket { index, count in
            counts[layout.index(of: other.layout.lowestValue(in: index))] &+= UInt32(clamping: count)
        }
    }

    package func forEachBucket(_ visit: (_ index: Int, _ count: UInt64) -> Void) {
        for (index, count) in counts.enumerated() where count > 0 { visit(index, UInt64(count)) }
    }

    private mutating func makeRoom(for index: Int) {
        guard index >= counts.count else { return }
        // An array that grows by itself takes up to twice the room, and it must not be copied at each new maximum.
        counts.reserveCapacity((index | 127) + 1)
        counts.append(contentsOf: repeatElement(0, count: index + 1 - counts.count))
    }
}

extension CompactHistogram: CodableByForm, EmptyWhereMissing {
    package init(form: SparseHistogram) {
        self.init()
        add(form)
    }

    package var form: SparseHistogram { SparseHistogram(self) }
}
