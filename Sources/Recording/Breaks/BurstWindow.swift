import Values

/// Events around a break's start, in steps whose length depends on their spread.
///
/// The window reaches from 30 s before the start to 30 s after it; events outside go into two overflow counters. Steps are
/// stored from the first used one to the last. They begin with 1 ms, so that a burst answered in 90 ms is resolved, and become
/// coarser as events spread, which limits the size. Every length divides the next, and steps lie on the grid of the break's
/// start, so that windows of different loops add up without loss and in any order.
package struct BurstWindow: Equatable, Codable, Sendable {
    /// Events are stored less than this long before the start or after it.
    package static let reachMicroseconds: Int64 = 30_000_000
    /// Possible step lengths, each a divisor of the next and of the reach.
    package static let stepLengths: [Int64] = [1_000, 5_000, 10_000, 50_000, 100_000]
    /// Steps stored before they become coarser; of the coarsest length the whole window is stored.
    package static let stepLimit = 240

    package private(set) var stepMicroseconds = stepLengths[0]
    /// Number of the first stored step, counted from the break's start; negative before it.
    private var firstStep: Int64 = 0
    package private(set) var counts: [UInt32] = []
    package private(set) var earlier: UInt64 = 0
    package private(set) var later: UInt64 = 0
    /// Offset of the first event from the break's start, in microseconds.
    package private(set) var firstOffset: Int64?
    package private(set) var lastOffset: Int64?

    package init() {}

    /// Offset of the first stored step from the break's start; nil if the window is empty.
    package var firstStepMicroseconds: Int64? { counts.isEmpty ? nil : firstStep &* stepMicroseconds }

    package var spreadMicroseconds: Int64? {
        guard let firstOffset, let lastOffset else { return nil }
        return lastOffset.subtractingReportingOverflow(firstOffset).partialValue
    }

    /// Counts one request or viewer, at microseconds from the break's start; negative before it.
    mutating func count(offset: Int64) {
        firstOffset = min(firstOffset ?? offset, offset)
        lastOffset = max(lastOffset ?? offset, offset)
        if offset < -Self.reachMicroseconds {
            earlier &+= 1
        } else if offset >= Self.reachMicroseconds {
            later &+= 1
        } else {
            let index = indexOfStep(at: offset)
            if counts.indices.contains(index) {
                counts[index] &+= 1
            } else {
                makeRoom(from: offset, to: offset)
                counts[indexOfStep(at: offset)] &+= 1
            }
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
}

extension BurstWindow {
    /// Index in `counts` of an offset within the reach; outside its range if that step is not stored yet.
    private func indexOfStep(at offset: Int64) -> Int {
        Int(Self.step(of: offset, length: stepMicroseconds) &- firstStep)
    }

    private static func step(of offset: Int64, length: Int64) -> Int64 {
        offset >= 0 ? offset / length : (offset &+ 1) / length &- 1
    }

    /// Extends the steps to all offsets between two within the reach, coarsening them at the limit.
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

    /// Joins neighbouring steps until they have a length; no effect if they are already as long.
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
}

extension BurstWindow: EmptyWhereMissing, CheckedWhenRead {
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
