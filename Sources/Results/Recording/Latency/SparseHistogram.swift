import Values

/// Only buckets in use, for breaks, the sums of a run, journals and files.
package struct SparseHistogram: BucketedDurations, Summable, CodableByForm, EmptyWhereMissing {
    package let digits: HistogramLayout
    package private(set) var figures = DurationFigures()
    private var buckets = BucketList()

    package init(digits: HistogramLayout) { self.digits = digits }

    package init(_ other: some BucketedDurations) {
        self.init(digits: other.digits)
        add(other)
    }

    package var isEmpty: Bool { count == 0 && outOfRange == 0 }

    package mutating func record(_ microseconds: Int64) {
        guard figures.record(microseconds) else { return }
        buckets.add(1, to: Int32(digits.index(of: UInt64(truncatingIfNeeded: microseconds))))
    }

    package func forEachBucket(_ visit: (_ index: Int, _ count: UInt64) -> Void) {
        for index in buckets.indices.indices { visit(Int(buckets.indices[index]), buckets.counts[index]) }
    }

    /// Fewer digits are added by the low ends of their buckets.
    package mutating func add(_ other: some BucketedDurations) {
        guard figures.add(other.figures) else { return }
        guard let sparse = other as? SparseHistogram, sparse.digits == digits else {
            buckets.add(BucketList(other, in: digits))
            return
        }
        buckets.add(sparse.buckets)
    }

    /// Reserves half as many buckets again as the other uses.
    mutating func takeRoom(like other: SparseHistogram) {
        let count = other.buckets.indices.count
        buckets.takeRoom(for: count + count / 2)
    }

    /// Adds delays after the first sight, to 10 ms; those of a damaged journal may be too long to add up.
    package mutating func add(_ window: DiscoveryWindow) {
        window.forEachStep { microseconds, times in
            let (sum, overflow) = microseconds.multipliedReportingOverflow(by: Int64(clamping: times))
            guard (0...HistogramLayout.highestMicroseconds).contains(microseconds), !overflow else {
                figures.aboveRange &+= times
                return
            }
            let added = DurationFigures(count: times, minimum: microseconds, maximum: microseconds, sum: sum)
            if figures.add(added) { buckets.add(times, to: Int32(digits.index(of: UInt64(microseconds)))) }
        }
        figures.aboveRange &+= window.later
    }

    /// Checks the exact figures against the buckets, which have the count.
    init(decoded: HdrDecoding.Buckets, _ figures: DurationFigures) throws(FormError) {
        digits = decoded.digits
        buckets = BucketList(indices: decoded.indices, counts: decoded.counts)
        self.figures = figures
        self.figures.count = decoded.counts.reduce(0, &+)
        let (minimum, maximum) = (figures.minimum, figures.maximum)
        guard let first = decoded.indices.first, let last = decoded.indices.last else {
            throw .contradiction("no buckets")
        }
        guard minimum >= 0, maximum >= minimum, maximum <= HistogramLayout.highestMicroseconds,
            digits.index(of: UInt64(minimum)) == Int(first), digits.index(of: UInt64(maximum)) == Int(last)
        else { throw .contradiction("minimum or maximum outside the outermost buckets") }
        guard figures.sum >= 0, decoded.sumBounds.contains(figures.sum) else {
            throw .contradiction("sum outside the buckets")
        }
    }

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
        var figures = DurationFigures(minimum: form.minimum, maximum: form.maximum, sum: form.sum)
        (figures.aboveRange, figures.belowZero) = (form.aboveRange, form.belowZero)
        guard let text = form.histogram else {
            guard let digits = form.digits.flatMap(HistogramLayout.init) else { throw FormError("digits: 2 or 3") }
            self.init(digits: digits)
            (self.figures.aboveRange, self.figures.belowZero) = (form.aboveRange, form.belowZero)
            return
        }
        try self.init(decoded: HdrDecoding.buckets(base64: text), figures)
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

private struct BucketList: Equatable {
    private(set) var indices: [Int32] = []
    /// Never zero.
    private(set) var counts: [UInt64] = []

    mutating func add(_ count: UInt64, to index: Int32) {
        let place = indices.partitioningIndex { $0 >= index }
        guard place < indices.count, indices[place] == index else {
            indices.insert(index, at: place)
            counts.insert(count, at: place)
            return
        }
        counts[place] &+= count
    }

    /// In place: a list that grows during a run allocates only for new buckets.
    mutating func add(_ other: BucketList) {
        guard indices.capacity > 0 else {
            self = other
            return
        }
        var from = indices.count - 1
        makeRoom(for: missing(other))
        var place = indices.count - 1
        // From the back, so that nothing is overwritten before it is moved; a shared copy of indices that stay is not copied.
        for next in other.indices.indices.reversed() {
            let index = other.indices[next]
            while from >= 0, indices[from] > index {
                if place > from { (indices[place], counts[place]) = (indices[from], counts[from]) }
                (from, place) = (from - 1, place - 1)
            }
            let isShared = from >= 0 && indices[from] == index
            counts[place] = other.counts[next] &+ (isShared ? counts[from] : 0)
            if place > from { indices[place] = index }
            place -= 1
            if isShared { from -= 1 }
        }
    }

    private func missing(_ other: BucketList) -> Int {
        var place = 0
        return other.indices.count { index in
            while place < indices.count, indices[place] < index { place += 1 }
            return place == indices.count || indices[place] != index
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
        guard count > 0 else { return }
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
    fileprivate init(_ other: some BucketedDurations, in digits: HistogramLayout) {
        let isSame = digits == other.digits
        other.forEachBucket { index, count in
            let own = Int32(isSame ? index : digits.index(of: other.digits.values(in: index).lowerBound))
            if indices.last == own {
                counts[counts.count - 1] &+= count
            } else {
                indices.append(own)
                counts.append(count)
            }
        }
    }
}
