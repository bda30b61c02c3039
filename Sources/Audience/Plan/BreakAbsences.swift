import Chance
import LoadProfile
import Time

/// Lets some of those who watch leave at each break, and some of these come back as new viewers.
///
/// Whoever comes back stays for as long as the one who left would have stayed.
struct BreakAbsences {
    private(set) var visits: [AudienceSchedule.Visit]
    private(set) var nextNumber: Int
    /// Of each person that is still to be reckoned with, the latest visit, as an index.
    private var latest: [Int]
    private var chance: SplitMix64
    private let end: Int64

    /// - Parameters:
    ///   - visits: Of those who would watch if there were no breaks.
    ///   - nextNumber: That of the first viewer that comes back.
    ///   - seed: The same gives the same.
    ///   - end: Of the run, in nanoseconds from its start.
    init(_ visits: [AudienceSchedule.Visit], nextNumber: Int, seed: UInt64, end: Int64) {
        self.visits = visits
        self.nextNumber = nextNumber
        latest = Array(visits.indices)
        chance = SplitMix64(seed: seed &+ 0x4C45_4156)
        self.end = end
    }

    /// A break goes by; to be called in the order of time.
    ///
    /// - Parameters:
    ///   - pause: From its start to its end, in nanoseconds from the start of the run.
    ///   - leaves: Who leaves, and who comes back.
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

    /// Never none: whoever comes comes after the one who goes, and whoever goes has seen the break begin.
    private mutating func moment(within length: Duration) -> Int64 {
        1 + Int64(chance.unit() * Double(length.nanosecondsHeld))
    }

    private static func rounded(_ whole: Int, _ share: Double) -> Int { Int((Double(whole) * share).rounded()) }
}
