import AdServing
package import Profile
package import Values

/// Join and leave times, equal for a plan, a seed and a start in every process.
///
/// A returning user is a new viewer with a session of its own. Churn comes on top: a replacement takes the place of its viewer
/// here.
package struct AudienceSchedule: Sendable {
    package struct Visit: Sendable, Equatable {
        package var number: Int
        /// Nanoseconds from the start of the run.
        package var joinsAt: Int64
        package var leavesAt: Int64 = .max
    }

    /// Sorted by `joinsAt`.
    package private(set) var visits: [Visit]
    package private(set) var nextNumber: Int

    /// `runStart` is when the first viewer joins.
    package init(_ plan: LoadPlan, runStart: WallTime) {
        let audience = plan.audience
        let stays = AudienceCurve(viewers: audience.viewers, points: audience.points).stays(seed: plan.seed)
        visits = stays.enumerated().map { Visit(number: $0, joinsAt: $1.from, leavesAt: $1.until) }
        nextNumber = visits.count
        guard let curve = audience.curve else { return }
        let end = plan.duration.nanosecondsHeld
        if let regions = curve.regions { move(by: regions, AudienceTraits(audience, seed: plan.seed)) }
        visits.removeAll { $0.joinsAt >= end || $0.joinsAt >= $0.leavesAt }
        if let leaves = curve.breakLeaves {
            var (latest, chance) = (Array(visits.indices), SplitMix64(seed: plan.seed &+ 0x4C45_4156))
            for pause in Self.breaks(of: plan, leaves, runStart: runStart) {
                pass(pause, leaves, until: end, &latest, &chance)
            }
        }
        visits.sort { ($0.joinsAt, $0.number) < ($1.joinsAt, $1.number) }
    }

    private mutating func move(by regions: CurvePlan.Regions, _ traits: AudienceTraits) {
        let offsets = regions.offsets.mapValues(\.nanosecondsHeld)
        for index in visits.indices {
            let region = traits.values(ofViewer: visits[index].number)[regions.trait]
            guard let offset = region.flatMap({ offsets[$0] }) else { continue }
            visits[index].joinsAt = visits[index].joinsAt.addingClamped(offset)
            visits[index].leavesAt = visits[index].leavesAt.addingClamped(offset)
        }
    }

    /// Nanoseconds from the start of the run.
    private static func breaks(of plan: LoadPlan, _ leaves: BreakLeaves, runStart: WallTime) -> [Range<Int64>] {
        let length = plan.breaks.podDuration.nanosecondsHeld
        if let instants = leaves.instants {
            return instants.map { $0.nanosecondsHeld..<$0.nanosecondsHeld.addingClamped(length) }
        }
        let calendar = BreakCalendar(plan.breaks, runStart: runStart)
        guard !calendar.countsFromClick else { return [] }
        let (timebase, end) = (Timebase(start: .zero, wallStart: runStart), plan.duration.nanosecondsHeld)
        var breaks: [Range<Int64>] = []
        var last = WallTime(microseconds: runStart.microseconds.subtractingClamped(1))
        while let next = calendar.nextBreak(after: last, clickedAt: runStart, isFirst: true) {
            let start = timebase.instant(of: next.start).nanoseconds
            guard start < end else { break }
            breaks.append(start..<start.addingClamped(next.duration.nanosecondsHeld))
            last = next.start
        }
        return breaks
    }

    /// Lets a share of the viewers leave in a break, and some of them return until they would have left.
    ///
    /// Must be called in order of time; `pause` and `end` are in nanoseconds from the start of the run. `latest` has the
    /// index of the latest visit of each user who may still be watching.
    private mutating func pass(
        _ pause: Range<Int64>,
        _ leaves: BreakLeaves,
        until end: Int64,
        _ latest: inout [Int],
        _ chance: inout SplitMix64
    ) {
        let start = pause.lowerBound
        latest.removeAll { visits[$0].leavesAt <= start }
        var watching = latest.indices.filter { visits[latest[$0]].joinsAt <= start }
        let leaving = Self.rounded(watching.count, leaves.share)
        let returning = Self.rounded(leaving, leaves.returns)
        for picked in 0..<leaving {
            watching.swapAt(picked, picked + Int(chance.next() % UInt64(watching.count - picked)))
            let place = watching[picked]
            let until = visits[latest[place]].leavesAt
            let goes = start + Self.moment(within: leaves.within, &chance)
            let comes = max(goes, pause.upperBound) + Self.moment(within: leaves.returnsWithin, &chance)
            guard goes < until else { continue }
            visits[latest[place]].leavesAt = goes
            guard picked < returning, comes < min(until, end) else { continue }
            visits.append(.init(number: nextNumber, joinsAt: comes, leavesAt: until))
            latest[place] = visits.count - 1
            nextNumber += 1
        }
    }

    /// At least 1 ns: a viewer leaves after the break began, and returns after its predecessor left.
    private static func moment(within length: Duration, _ chance: inout SplitMix64) -> Int64 {
        1 + Int64(chance.unit() * Double(length.nanosecondsHeld))
    }

    private static func rounded(_ whole: Int, _ share: Double) -> Int { Int((Double(whole) * share).rounded()) }

    /// Viewers of one process or loop.
    package func part(_ isIn: (Int) -> Bool) -> AudienceSchedule {
        var part = self
        part.visits.removeAll { !isIn($0.number) }
        return part
    }

    /// Peak of concurrent viewers.
    package var most: Int {
        let leaves = sortedLeaves
        var (most, gone) = (0, 0)
        for (joined, visit) in visits.enumerated() {
            while gone < leaves.count, leaves[gone] <= visit.joinsAt { gone += 1 }
            most = max(most, joined + 1 - gone)
        }
        return most
    }

    /// Steps are whole tenths of a second.
    package func course(over run: Duration, steps limit: Int = 600) -> AudienceCourse {
        let tenth: Int64 = 100_000_000
        let end = run.nanosecondsHeld
        let step = max(tenth, (end / Int64(max(1, limit)) + tenth - 1) / tenth * tenth)
        let leaves = sortedLeaves
        var (joined, gone) = (0, 0)
        let viewers = stride(from: 0, through: end, by: Int(step)).map { instant in
            while joined < visits.count, visits[joined].joinsAt <= instant { joined += 1 }
            while gone < leaves.count, leaves[gone] <= instant { gone += 1 }
            return joined - gone
        }
        return AudienceCourse(step: .nanoseconds(step), viewers: viewers)
    }

    private var sortedLeaves: [Int64] { visits.lazy.map(\.leavesAt).filter { $0 < .max }.sorted() }
}

package struct AudienceCourse: Sendable, Equatable {
    package var step: Duration
    package var viewers: [Int]
}
