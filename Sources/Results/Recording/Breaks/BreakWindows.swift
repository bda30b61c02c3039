import Values

/// Events within 30 s of a break's start, on its grid, so that windows add up without loss in any order.
///
/// Steps begin with 1 ms, so that a burst answered in 90 ms is resolved, and become coarser as events spread.
package struct BurstWindow: Equatable, Codable, Sendable, EmptyWhereMissing, CheckedWhenRead {
    package static let reachMicroseconds: Int64 = 30_000_000
    /// Each is a divisor of the next and of the reach.
    package static let stepLengths: [Int64] = [1_000, 5_000, 10_000, 50_000, 100_000]
    /// More steps become coarser; of the coarsest length the whole window is stored.
    package static let stepLimit = 240

    package private(set) var stepMicroseconds = stepLengths[0]
    /// Counted from the break's start; negative before it.
    private var firstStep: Int64 = 0
    package private(set) var counts: [UInt32] = []
    package private(set) var earlier: UInt64 = 0
    package private(set) var later: UInt64 = 0
    package private(set) var firstOffset: Int64?
    package private(set) var lastOffset: Int64?

    package init() {}

    package var firstStepMicroseconds: Int64? { counts.isEmpty ? nil : firstStep &* stepMicroseconds }

    package var spreadMicroseconds: Int64? { firstOffset.flatMap { first in lastOffset.map { $0 &- first } } }

    /// `offset` is in microseconds from the break's start, negative before it.
    mutating func count(offset: Int64) {
        firstOffset = min(firstOffset ?? offset, offset)
        lastOffset = max(lastOffset ?? offset, offset)
        if offset < -Self.reachMicroseconds {
            earlier &+= 1
        } else if offset >= Self.reachMicroseconds {
            later &+= 1
        } else {
            if !counts.indices.contains(indexOfStep(at: offset)) { makeRoom(from: offset, to: offset) }
            counts[indexOfStep(at: offset)] &+= 1
        }
    }

    mutating func add(_ other: BurstWindow) {
        if let first = other.firstStepMicroseconds {
            coarsen(to: other.stepMicroseconds)
            makeRoom(from: first, to: first &+ Int64(other.counts.count) &* other.stepMicroseconds &- 1)
            for (index, count) in other.counts.enumerated() {
                counts[indexOfStep(at: first &+ Int64(index) &* other.stepMicroseconds)] &+= count
            }
        }
        earlier &+= other.earlier
        later &+= other.later
        firstOffset = [firstOffset, other.firstOffset].compactMap(\.self).min()
        lastOffset = [lastOffset, other.lastOffset].compactMap(\.self).max()
    }

    /// Out of range if the step is not stored yet.
    private func indexOfStep(at offset: Int64) -> Int {
        Int(Self.step(of: offset, length: stepMicroseconds) &- firstStep)
    }

    fileprivate static func step(of offset: Int64, length: Int64) -> Int64 {
        offset >= 0 ? offset / length : (offset &+ 1) / length &- 1
    }

    private mutating func makeRoom(from first: Int64, to last: Int64) {
        var (first, last) = (first, last)
        if let kept = firstStepMicroseconds {
            first = min(first, kept)
            last = max(last, kept &+ Int64(counts.count) &* stepMicroseconds &- 1)
        }
        let fitting = Self.stepLengths.first { length in
            length >= stepMicroseconds
                && Self.step(of: last, length: length) &- Self.step(of: first, length: length) < Int64(Self.stepLimit)
        }
        coarsen(to: fitting ?? Self.stepLengths[Self.stepLengths.count - 1])
        let (lowest, highest) = (
            Self.step(of: first, length: stepMicroseconds), Self.step(of: last, length: stepMicroseconds)
        )
        if counts.isEmpty {
            firstStep = lowest
        } else if lowest < firstStep {
            counts.insert(contentsOf: repeatElement(0, count: Int(firstStep &- lowest)), at: 0)
            firstStep = lowest
        }
        let missing = Int(highest &+ 1 &- firstStep) - counts.count
        if missing > 0 { counts.append(contentsOf: repeatElement(0, count: missing)) }
    }

    private mutating func coarsen(to length: Int64) {
        guard length > stepMicroseconds else { return }
        guard let first = firstStepMicroseconds else {
            stepMicroseconds = length
            return
        }
        let begin = Self.step(of: first, length: length)
        var joined: [UInt32] = []
        for (index, count) in counts.enumerated() {
            let step = Self.step(of: first &+ Int64(index) &* stepMicroseconds, length: length)
            if step &- begin >= joined.count { joined.append(0) }
            joined[Int(step &- begin)] &+= count
        }
        (stepMicroseconds, firstStep, counts) = (length, begin, joined)
    }

    package var problem: String? {
        guard Self.stepLengths.contains(stepMicroseconds) else { return "no step" }
        guard !counts.isEmpty else { return nil }
        let reach = Self.reachMicroseconds / stepMicroseconds
        let isSound =
            counts.count <= Int(2 * reach) && (-reach...reach - Int64(counts.count)).contains(firstStep)
            && (stepMicroseconds == Self.stepLengths.last || counts.count <= Self.stepLimit)
        return isSound ? nil : "outside the window"
    }
}

/// First sights of a break on the grid of the wall clock, for 60 s; windows add up without loss.
package struct DiscoveryWindow: Equatable, Codable, Sendable, EmptyWhereMissing, CheckedWhenRead {
    package static let stepMicroseconds: Int64 = 10_000
    package static let stepLimit = 6_000

    /// Begin since the Unix epoch, divided by the step's length.
    private var firstStep: Int64 = 0
    private var kept: [UInt32] = []
    /// Sights beyond 60 s.
    package private(set) var later: UInt64 = 0
    package private(set) var viewers: UInt64 = 0
    package private(set) var firstMicroseconds: Int64?
    package private(set) var lastMicroseconds: Int64?

    package init() {}

    /// Only for viewers present before the break was published: a first playlist does not show how the news spread.
    package mutating func count(at wallMicroseconds: Int64) {
        viewers &+= 1
        firstMicroseconds = min(firstMicroseconds ?? wallMicroseconds, wallMicroseconds)
        lastMicroseconds = max(lastMicroseconds ?? wallMicroseconds, wallMicroseconds)
        put(1, at: BurstWindow.step(of: wallMicroseconds, length: Self.stepMicroseconds))
    }

    mutating func add(_ other: DiscoveryWindow) {
        viewers &+= other.viewers
        later &+= other.later
        firstMicroseconds = [firstMicroseconds, other.firstMicroseconds].compactMap(\.self).min()
        lastMicroseconds = [lastMicroseconds, other.lastMicroseconds].compactMap(\.self).max()
        for (index, count) in other.kept.enumerated() where count > 0 {
            put(count, at: other.firstStep &+ Int64(index))
        }
    }

    private mutating func put(_ count: UInt32, at step: Int64) {
        if kept.isEmpty { firstStep = step }
        if step < firstStep {
            let shift = min(Int(firstStep &- step), Self.stepLimit)
            kept.insert(contentsOf: repeatElement(0, count: shift), at: 0)
            for count in kept.dropFirst(Self.stepLimit) { later &+= UInt64(count) }
            kept = Array(kept.prefix(Self.stepLimit))
            while kept.last == 0 { kept.removeLast() }
            firstStep = step
        }
        // No step of a wall clock is near the end of the integers.
        let index = Int(step &- firstStep)
        guard index < Self.stepLimit else {
            later &+= UInt64(count)
            return
        }
        if index >= kept.count { kept.append(contentsOf: repeatElement(0, count: index + 1 - kept.count)) }
        kept[index] &+= count
    }

    package var spreadMicroseconds: Int64? {
        firstMicroseconds.flatMap { first in lastMicroseconds.map { $0 &- first } }
    }

    /// Visits non-empty steps with their end in microseconds from the first sight, at most the last.
    package func forEachStep(_ visit: (_ microseconds: Int64, _ viewers: UInt64) -> Void) {
        guard let firstMicroseconds, let spread = spreadMicroseconds else { return }
        for (index, count) in kept.enumerated() where count > 0 {
            let end = (firstStep &+ Int64(index) &+ 1) &* Self.stepMicroseconds &- 1
            visit(min(max(end &- firstMicroseconds, 0), spread), UInt64(count))
        }
    }

    /// From the first sight, to 10 ms; nil beyond 60 s.
    package func microseconds(atPercentile percentile: Double) -> Int64? {
        guard viewers > 0 else { return nil }
        let rank = max(1, UInt64(min(max(percentile, 0), 100) / 100 * Double(min(viewers, 1 << 52)) + 0.5))
        if rank >= viewers { return spreadMicroseconds }
        var seen: UInt64 = 0
        var found: Int64?
        forEachStep { microseconds, count in
            seen &+= count
            if found == nil, seen >= rank { found = microseconds }
        }
        return found
    }

    /// Viewers per step of 10 or 50 ms, the finest within `BurstWindow.stepLimit`, or else of 100 ms.
    package func steps() -> (lengthMilliseconds: Int64, counts: [UInt32]) {
        let limit = Int64(BurstWindow.stepLimit)
        let joined: Int64 = [1, 5].first { (Int64(kept.count) &- 1) / $0 < limit } ?? 10
        var counts: [UInt32] = []
        for (index, count) in kept.enumerated() where count > 0 {
            let step = index / Int(joined)
            if step >= counts.count { counts.append(contentsOf: repeatElement(0, count: step + 1 - counts.count)) }
            counts[step] &+= count
        }
        return (joined &* Self.stepMicroseconds / 1_000, counts)
    }

    package var problem: String? {
        let isSound =
            kept.count <= Self.stepLimit && firstStep.magnitude < 1 << 48 && max(later, viewers) < 1 << 48
            && kept.reduce(later) { $0 &+ UInt64($1) } == viewers
            && (kept.isEmpty
                || firstMicroseconds.map { BurstWindow.step(of: $0, length: Self.stepMicroseconds) } == firstStep)
            && (firstMicroseconds == nil) == (lastMicroseconds == nil)
            && firstMicroseconds ?? 0 <= lastMicroseconds ?? 0
        return isSound ? nil : "does not fit together"
    }
}
