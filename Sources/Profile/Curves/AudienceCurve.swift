import Values

/// Viewers over time: 0 before the first point, linear between points, constant after the last.
///
/// Viewer n, counted from 0, joins when the line rises to n and leaves when it falls to n.
package struct AudienceCurve: Sendable, Equatable {
    /// Presence in nanoseconds from the start of the run.
    package struct Stay: Sendable, Equatable {
        package var from: Int64
        package var until: Int64

        package init(from: Int64, until: Int64 = .max) { (self.from, self.until) = (from, until) }
    }

    private struct Knot: Equatable {
        var at: Int64
        var level: Double
    }

    private let knots: [Knot]

    /// `points` are in order of time; two at one instant are a jump; a share of 1 means `viewers`.
    package init(viewers: Int, points: [CurvePoint]) {
        knots = points.map { point in
            let level = Double(viewers) * point.share
            // Shares such as 0.7 have no exact binary form.
            let whole = level.rounded()
            return Knot(at: point.at.nanosecondsHeld, level: abs(level - whole) < 1e-6 ? whole : level)
        }
    }

    /// Unrounded, at nanoseconds from the start; at a jump, the value after it.
    package func level(at instant: Int64) -> Double {
        guard let next = knots.firstIndex(where: { $0.at > instant }) else { return knots.last?.level ?? 0 }
        guard next > 0 else { return 0 }
        let (before, after) = (knots[next - 1], knots[next])
        let passed = Double(instant - before.at) / Double(after.at - before.at)
        return before.level + (after.level - before.level) * passed
    }

    /// Stays in order of joining, which numbers the viewers.
    ///
    /// Leaving viewers are drawn at random from those present; equal seeds give equal stays.
    package func stays(seed: UInt64) -> [Stay] {
        guard var before = knots.first else { return [] }
        var (stays, present): ([Stay], [Int]) = ([], [])
        var chance = SplitMix64(seed: seed &+ 0x4355_5256)
        before.level = 0
        for knot in knots {
            let (from, to) = (Int(before.level.rounded(.up)), Int(knot.level.rounded(.up)))
            if to > from { stays.reserveCapacity(stays.count + to - from) }
            for place in from..<max(from, to) {
                present.append(stays.count)
                stays.append(Stay(from: Self.instant(of: place, before, knot)))
            }
            for place in stride(from: from - 1, through: to, by: -1) {
                present.swapAt(Int(chance.next() % UInt64(present.count)), present.count - 1)
                guard let leaving = present.popLast() else { break }
                stays[leaving].until = Self.instant(of: place, before, knot)
            }
            before = knot
        }
        return stays
    }

    /// Computed from the place's number, so that rounding errors do not add up.
    private static func instant(of place: Int, _ one: Knot, _ other: Knot) -> Int64 {
        let way = Double(other.at - one.at) * (Double(place) - one.level)
        return one.at + Int64(way / (other.level - one.level))
    }
}

package struct CurvePoint: Sendable, Equatable {
    package var at: Duration
    package var share: Double

    package init(at: Duration, share: Double) { (self.at, self.share) = (at, share) }
}
