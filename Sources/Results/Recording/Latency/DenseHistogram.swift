/// Recorded in place; two digits take 5 KB up to 100 ms and at most 13 KB, three take 92 KiB.
package struct DenseHistogram: BucketedDurations {
    package let digits: HistogramLayout
    package private(set) var figures = DurationFigures()
    private var counts: [UInt32] = []

    package init(digits: HistogramLayout) { self.digits = digits }

    @inline(__always)
    package mutating func record(_ microseconds: Int64) {
        guard figures.record(microseconds) else { return }
        let index = digits.index(of: UInt64(truncatingIfNeeded: microseconds))
        if index >= counts.count { makeRoom(for: index) }
        counts[index] &+= 1
    }

    package func forEachBucket(_ visit: (_ index: Int, _ count: UInt64) -> Void) {
        guard count > 0 else { return }
        for index in digits.index(of: UInt64(minimumMicroseconds))...digits.index(of: UInt64(maximumMicroseconds))
        where counts[index] > 0 {
            visit(index, UInt64(counts[index]))
        }
    }

    mutating func clear() {
        let used = count > 0 ? digits.index(of: UInt64(maximumMicroseconds)) + 1 : 0
        for index in 0..<used { counts[index] = 0 }
        figures = DurationFigures()
    }

    mutating func takeRoom(like other: DenseHistogram) { makeRoom(for: other.counts.count - 1) }

    @inline(never)
    private mutating func makeRoom(for index: Int) {
        guard index >= counts.count else { return }
        // Growth during a run would look like a leak, but thousands of distributions must be small. An array that grows by
        // itself takes up to twice the room, and it must not be copied at each new maximum.
        let room = digits == .three ? digits.bucketCount : index + 1
        counts.reserveCapacity(((room - 1) | 127) + 1)
        counts.append(contentsOf: repeatElement(0, count: room - counts.count))
    }
}
