import Values

/// Only buckets in use, for the sums of a run, journals and files.
package struct SparseHistogram: BucketedDurations, Equatable {
    package enum Digits: Int, Sendable {
        case two = 2
        case three = 3

        var layout: HistogramLayout { self == .two ? .twoDigits : .threeDigits }
    }

    package let digits: Digits
    package var layout: HistogramLayout { digits.layout }

    private var buckets = BucketList()
    package private(set) var count: UInt64 = 0
    package private(set) var minimumMicroseconds: Int64 = 0
    package private(set) var maximumMicroseconds: Int64 = 0
    package private(set) var sumMicroseconds: Int64 = 0
    package private(set) var aboveRange: UInt64 = 0
    package private(set) var belowZero: UInt64 = 0

    package init(digits: Digits) { self.digits = digits }

    package var outOfRange: UInt64 { aboveRange &+ belowZero }

    package var isEmpty: Bool { count == 0 && outOfRange == 0 }

    package func forEachBucket(_ visit: (_ index: Int, _ count: UInt64) -> Void) {
        for index in buckets.indices.indices { visit(Int(buckets.indices[index]), buckets.counts[index]) }
    }

    /// Fewer digits are added by the low ends of their buckets.
    package mutating func add(_ other: SparseHistogram) {
        aboveRange &+= other.aboveRange
        belowZero &+= other.belowZero
        guard takeFigures(of: other) else { return }
        buckets.add(layout == other.layout ? other.buckets : BucketList(other, in: layout))
    }

    /// Reserves half as many buckets again as the other uses.
    mutating func takeRoom(like other: SparseHistogram) {
        let count = other.buckets.indices.count
        buckets.takeRoom(for: count + count / 2)
    }

    mutating func add(_ other: LatencyHistogram) {
        aboveRange &+= other.aboveRange
        belowZero &+= other.belowZero
        addBuckets(of: other)
    }

    /// `visit` gives microseconds with their counts, ascending; `later` durations count as above the range.
    mutating func add(ascending visit: ((Int64, UInt64) -> Void) -> Void, later: UInt64) {
        var added = SparseHistogram(digits: digits)
        visit { microseconds, times in
            let own = microseconds.multipliedReportingOverflow(by: Int64(clamping: times))
            let sum = added.sumMicroseconds.addingReportingOverflow(own.partialValue)
            guard (0...Self.highestMicroseconds).contains(microseconds), !own.overflow, !sum.overflow else {
                added.aboveRange &+= times
                return
            }
            added.buckets.append(Int32(layout.index(of: UInt64(clamping: microseconds))), times)
            added.minimumMicroseconds = added.count == 0 ? microseconds : added.minimumMicroseconds
            added.maximumMicroseconds = microseconds
            added.sumMicroseconds = sum.partialValue
            added.count &+= times
        }
        added.aboveRange &+= later
        add(added)
    }

    private mutating func addBuckets(of other: some BucketedDurations) {
        guard takeFigures(of: other) else { return }
        buckets.add(BucketList(other, in: layout))
    }

    /// False without buckets to add.
    private mutating func takeFigures(of other: some BucketedDurations) -> Bool {
        guard other.count > 0 else { return false }
        let sum = sumMicroseconds.addingReportingOverflow(other.sumMicroseconds)
        // A sum beyond 290,000 years comes from a damaged file.
        guard !sum.overflow else {
            aboveRange &+= other.count
            return false
        }
        minimumMicroseconds =
            count == 0 ? other.minimumMicroseconds : min(minimumMicroseconds, other.minimumMicroseconds)
        maximumMicroseconds = max(maximumMicroseconds, other.maximumMicroseconds)
        sumMicroseconds = sum.partialValue
        count &+= other.count
        return true
    }
}

extension SparseHistogram {
    package init(_ histogram: CompactHistogram) {
        self.init(digits: .two)
        aboveRange = histogram.outOfRange
        addBuckets(of: histogram)
    }

    package init(_ histogram: LatencyHistogram) {
        self.init(digits: .three)
        aboveRange = histogram.aboveRange
        belowZero = histogram.belowZero
        addBuckets(of: histogram)
    }

    init(digits: Digits, aboveRange: UInt64, belowZero: UInt64) {
        self.init(digits: digits)
        self.aboveRange = aboveRange
        self.belowZero = belowZero
    }

    package init(
        hdrBase64 text: String,
        minimum: Int64,
        maximum: Int64,
        sum: Int64,
        aboveRange: UInt64,
        belowZero: UInt64
    ) throws(HdrDecodingError) {
        try self.init(
            decoded: HdrDecoding.buckets(base64: text),
            minimum: minimum,
            maximum: maximum,
            sum: sum,
            aboveRange: aboveRange,
            belowZero: belowZero
        )
    }

    /// Checks the exact figures against the buckets.
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
        buckets = BucketList(indices: decoded.indices, counts: decoded.counts)
        count = decoded.counts.reduce(0, &+)
        guard let first = decoded.indices.first, let last = decoded.indices.last else {
            throw .contradiction("no buckets")
        }
        guard minimum >= 0, maximum >= minimum, maximum <= HistogramLayout.highestMicroseconds,
            layout.index(of: UInt64(minimum)) == Int(first), layout.index(of: UInt64(maximum)) == Int(last)
        else { throw .contradiction("minimum or maximum outside the outermost buckets") }
        guard sum >= 0, decoded.sumBounds.contains(sum) else { throw .contradiction("sum outside the buckets") }
        (minimumMicroseconds, maximumMicroseconds, sumMicroseconds) = (minimum, maximum, sum)
    }
}

private struct BucketList: Equatable {
    private(set) var indices: [Int32] = []
    /// Never zero.
    private(set) var counts: [UInt64] = []

    mutating func append(_ index: Int32, _ count: UInt64) {
        guard indices.last == index else {
            indices.append(index)
            counts.append(count)
            return
        }
        counts[counts.count - 1] &+= count
    }

    /// In place: a list that grows during a run allocates only for new buckets.
    mutating func add(_ other: BucketList) {
        guard indices.capacity > 0 else {
            self = other
            return
        }
        let missing = addShared(other)
        guard missing > 0 else { return }
        let last = indices.count - 1
        makeRoom(for: missing)
        insert(other, missing: missing, last: last)
    }

    /// Returns the number of missing buckets.
    private mutating func addShared(_ other: BucketList) -> Int {
        guard let first = other.indices.first else { return 0 }
        var place = indices.partitioningIndex { $0 >= first }
        var missing = 0
        counts.withUnsafeMutableBufferPointer { counts in
            indices.withUnsafeBufferPointer { indices in
                other.visit { index, count in
                    while place < indices.count, indices[place] < index { place += 1 }
                    if place < indices.count, indices[place] == index { counts[place] &+= count } else { missing += 1 }
                }
            }
        }
        return missing
    }

    @inline(__always)
    private func visit(_ visit: (_ index: Int32, _ count: UInt64) -> Void) {
        indices.withUnsafeBufferPointer { indices in
            counts.withUnsafeBufferPointer { counts in
                for place in indices.indices { visit(indices[place], counts[place]) }
            }
        }
    }

    private mutating func insert(_ other: BucketList, missing: Int, last: Int) {
        indices.withUnsafeMutableBufferPointer { indices in
            counts.withUnsafeMutableBufferPointer { counts in
                var (from, next, missing) = (last, other.indices.count - 1, missing)
                // From the back, so that nothing is overwritten before it is moved.
                while missing > 0 {
                    let index = other.indices[next]
                    guard from < 0 || indices[from] < index else {
                        if indices[from] == index { next -= 1 }
                        indices[from + missing] = indices[from]
                        counts[from + missing] = counts[from]
                        from -= 1
                        continue
                    }
                    indices[from + missing] = index
                    counts[from + missing] = other.counts[next]
                    next -= 1
                    missing -= 1
                }
            }
        }
    }

    /// Writes to the reserved memory: otherwise it becomes resident bit by bit, like a leak.
    mutating func takeRoom(for count: Int) {
        let missing = count - indices.count
        guard missing > 0 else { return }
        indices.append(contentsOf: repeatElement(0, count: missing))
        indices.removeLast(missing)
        counts.append(contentsOf: repeatElement(0, count: missing))
        counts.removeLast(missing)
    }

    private mutating func makeRoom(for count: Int) {
        let needed = indices.count + count
        if needed > min(indices.capacity, counts.capacity) {
            // Arrays that grow by themselves take up to twice the room, and a run's sums stay until its end.
            indices.reserveCapacity(needed + needed / 8)
            counts.reserveCapacity(needed + needed / 8)
        }
        indices.append(contentsOf: repeatElement(0, count: count))
        counts.append(contentsOf: repeatElement(0, count: count))
    }
}

extension BucketList {
    fileprivate init(_ other: some BucketedDurations, in layout: HistogramLayout) {
        let isSame = layout == other.layout
        other.forEachBucket { index, count in
            append(Int32(isSame ? index : layout.index(of: other.layout.lowestValue(in: index))), count)
        }
    }
}

extension SparseHistogram: CodableByForm, EmptyWhereMissing {
    package init() { self.init(digits: .three) }

    package struct Form: Codable {
        /// nil with a histogram, which has them.
        var digits: Int?
        var histogram: String?
        var minimum: Int64 = 0
        var maximum: Int64 = 0
        var sum: Int64 = 0
        var aboveRange: UInt64
        var belowZero: UInt64
    }

    package init(form: Form) throws {
        guard let text = form.histogram else {
            guard let digits = form.digits.flatMap(Digits.init) else { throw FormError("digits: 2 or 3") }
            self.init(digits: digits, aboveRange: form.aboveRange, belowZero: form.belowZero)
            return
        }
        try self.init(
            hdrBase64: text,
            minimum: form.minimum,
            maximum: form.maximum,
            sum: form.sum,
            aboveRange: form.aboveRange,
            belowZero: form.belowZero
        )
    }

    package var form: Form {
        var form = Form(aboveRange: aboveRange, belowZero: belowZero)
        guard count > 0 else {
            form.digits = digits.rawValue
            return form
        }
        form.histogram = HdrEncoding.base64(self)
        (form.minimum, form.maximum, form.sum) = (minimumMicroseconds, maximumMicroseconds, sumMicroseconds)
        return form
    }
}
