import Profile
import Values

/// Makes some viewers leave at each break, and some of these return as new viewers.
///
/// A returning viewer stays until its predecessor would have left.
struct BreakAbsences {
    private(set) var visits: [AudienceSchedule.Visit]
    private(set) var nextNumber: Int
    /// Index of the latest visit of each user who may still be watching.
    private var latest: [Int]
    private var chance: SplitMix64
    private let end: Int64

    /// `visits` are those of a run without breaks.
    ///
    /// `end` is in nanoseconds from the start of the run.
    init(_ visits: [AudienceSchedule.Visit], nextNumber: Int, seed: UInt64, end: Int64) {
        self.visits = visits
        self.nextNumber = nextNumber
        latest = Array(visits.indices)
        chance = SplitMix64(seed: seed &+ 0x4C45_4156)
        self.end = end
    }

    /// Applies a break.
    ///
    /// Must be called in order of time. `pause` is in nanoseconds from the start of the run.
    mutating func pass(_ pause: Range<Int64>, _ leaves: BreakLeaves) {
        let start = pause.lowerBound
        latest.removeAll { visits[$0].leavesAt <= start }
        var watching = latest.indices.filter { visits[latest[$0]].joinsAt <= start }
        let leaving = Self.rounded(watching.count, leaves.share)
        let returning = Self.rounded(leaving, leaves.returns)
        for picked in 0..<leaving {
            watching.swapAt(picked, picked + Int(chance.next() % UInt64(watching.count - picked)))
            let place = watching[picked]
            let until = visits[latest[place]].leavesAt
            let goes = start + moment(within: leaves.within)
            let comes = max(goes, pause.upperBound) + moment(within: leaves.returnsWithin)
            guard goes < until else { continue }
            visits[latest[place]].leavesAt = goes
            guard picked < returning, comes < min(until, end) else { continue }
            visits.append(.init(number: nextNumber, joinsAt: comes, leavesAt: until))
            latest[place] = visits.count - 1
            nextNumber += 1
        }
    }

    /// At least 1 ns: a viewer leaves after the break began, and returns after its predecessor left.
    private mutating func moment(within length: Duration) -> Int64 {
        1 + Int64(chance.unit() * Double(length.nanosecondsHeld))
    }

    private static func rounded(_ whole: Int, _ share: Double) -> Int { Int((Double(whole) * share).rounded()) }
}
