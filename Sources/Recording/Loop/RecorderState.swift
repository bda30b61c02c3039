import Rules

/// State that a finished request changes, in one value: a request costs the recorder a single access to it.
struct RecorderState {
    var requests = RequestCounters()
    var edges = EdgeCounters()
    var slowness = SlownessDesk()
    private(set) var breaks: [BreakRecord] = []
    /// Breaks that changed since the last interval, and for each break whether it is among them.
    private var changedBreaks: [Int32] = []
    private var isChanged: [Bool] = []
    var interval = IntervalCounts()

    /// Counts a request; returns whether its answer is among the slowest of its kind and break so far.
    @inline(__always)
    mutating func record(_ sample: borrowing RequestSample) -> Bool {
        let response = requests.record(sample)
        let isError = sample.outcome.isError
        edges.record(sample.edgeSlot, sample.kind, isError: isError, responseMicroseconds: response)
        interval.requests &+= 1
        if isError { interval.errors &+= 1 }
        if sample.sentAt != 0 {
            let lateness = sample.latenessMicroseconds
            if lateness > interval.latenessMaximumMicroseconds { interval.latenessMaximumMicroseconds = lateness }
        }
        guard sample.breakSlot >= 0, Int(sample.breakSlot) < breaks.count else {
            return slowness.isSlow(sample.kind, -1, response)
        }
        markChanged(sample.breakSlot)
        breaks[Int(sample.breakSlot)].countRequest(isError: isError, responseMicroseconds: response)
        if sample.kind.beginsBreak, sample.sentAt != 0 {
            breaks[Int(sample.breakSlot)].sendLateness.record(sample.latenessMicroseconds)
        }
        return slowness.isSlow(sample.kind, sample.breakSlot, response)
    }

    mutating func append(_ record: BreakRecord) -> Int32 {
        breaks.append(record)
        isChanged.append(false)
        slowness.makeRoomForBreak()
        return Int32(breaks.count - 1)
    }

    /// Ignores an invalid slot.
    mutating func withBreak(_ slot: Int32, _ change: (inout BreakRecord) -> Void) {
        guard slot >= 0, Int(slot) < breaks.count else { return }
        markChanged(slot)
        change(&breaks[Int(slot)])
    }

    @inline(__always)
    private mutating func markChanged(_ slot: Int32) {
        guard !isChanged[Int(slot)] else { return }
        isChanged[Int(slot)] = true
        changedBreaks.append(slot)
    }

    mutating func takeChangedBreaks() -> [BreakRecord] {
        defer {
            for slot in changedBreaks { isChanged[Int(slot)] = false }
            changedBreaks.removeAll(keepingCapacity: true)
        }
        return changedBreaks.map { breaks[Int($0)] }
    }
}
