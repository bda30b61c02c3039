import Rules

/// In one value: a request needs a single access.
struct RecorderState {
    var set = RecorderSet()
    var slowness = SlownessDesk()
    private(set) var breaks: [BreakRecord] = []
    private var changedBreaks: [Int] = []
    private var isChanged: [Bool] = []
    var interval = IntervalCounts()

    @inline(__always)
    mutating func record(_ sample: borrowing RequestSample) -> Bool {
        let response = set.requests.record(sample)
        set.edges.record(sample, at: Int(sample.edgeSlot), responseMicroseconds: response)
        if !sample.groups.isEmpty { recordGroups(sample, responseMicroseconds: response) }
        interval.requests &+= 1
        if sample.outcome.isError { interval.errors &+= 1 }
        if sample.sentAt != 0 {
            let lateness = sample.latenessMicroseconds
            if lateness > interval.latenessMaximumMicroseconds { interval.latenessMaximumMicroseconds = lateness }
        }
        guard let place = place(of: sample.breakSlot) else { return slowness.isSlow(sample.kind, nil, response) }
        markChanged(place)
        breaks[place].record(sample, responseMicroseconds: response)
        return slowness.isSlow(sample.kind, place, response)
    }

    @inline(never)
    private mutating func recordGroups(_ sample: borrowing RequestSample, responseMicroseconds response: Int64) {
        let place = place(of: sample.breakSlot)
        for number in sample.groups.numbers {
            set.groups.record(sample, at: number, responseMicroseconds: response)
            if let place { breaks[place].groups.record(sample, of: number, responseMicroseconds: response) }
        }
    }

    /// nil without a kept break.
    @inline(__always)
    func place(of slot: BreakSlot) -> Int? {
        guard case .kept(let place) = slot, breaks.indices.contains(Int(place)) else { return nil }
        return Int(place)
    }

    mutating func append(_ record: BreakRecord) -> BreakSlot {
        breaks.append(record)
        isChanged.append(false)
        slowness.makeRoomForBreak()
        return .kept(Int32(breaks.count - 1))
    }

    mutating func withBreak(_ slot: BreakSlot, _ change: (inout BreakRecord) -> Void) {
        guard let place = place(of: slot) else { return }
        markChanged(place)
        change(&breaks[place])
    }

    @inline(__always)
    private mutating func markChanged(_ place: Int) {
        guard !isChanged[place] else { return }
        isChanged[place] = true
        changedBreaks.append(place)
    }

    mutating func takeChangedBreaks() -> [BreakRecord] {
        defer {
            for place in changedBreaks { isChanged[place] = false }
            changedBreaks.removeAll(keepingCapacity: true)
        }
        return changedBreaks.map { breaks[$0] }
    }
}
