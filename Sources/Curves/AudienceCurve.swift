import Chance
import Time

/// How many watch over time: nobody before the first point, straight lines between points, and after the last as many as then.
///
/// A place in the audience is taken when the line has come up to its number, counted from 0, and given up when the line has
/// come down to it. So at every instant there are as many viewers as the line says, rounded up.
package struct AudienceCurve: Sendable, Equatable {
    /// From when to when somebody watches, in nanoseconds from the start of the run.
    package struct Stay: Sendable, Equatable {
        package var from: Int64
        /// `Int64.max` for who watches to the end.
        package var until: Int64

        package init(from: Int64, until: Int64 = .max) {
            self.from = from
            self.until = until
        }
    }

    private struct Knot: Equatable {
        var at: Int64
        /// How many watch; between two knots it need not be a whole number.
        var level: Double
    }

    private let knots: [Knot]

    /// - Parameters:
    ///   - viewers: The most who watch at once.
    ///   - points: In the order of time; two at one instant are a jump.
    package init(viewers: Int, points: [CurvePoint]) {
        knots = points.map { point in
            let level = Double(viewers) * point.share
            // Shares such as 0.7 have no exact binary form; what is meant is a whole viewer.
            let whole = level.rounded()
            return Knot(at: point.at.nanosecondsHeld, level: abs(level - whole) < 1e-6 ? whole : level)
        }
    }

    /// How many watch at an instant, as the line has it.
    ///
    /// - Parameter instant: In nanoseconds from the start of the run.
    /// - Returns: A number that need not be whole; where the line jumps, what it jumps to.
    package func level(at instant: Int64) -> Double {
        guard let next = knots.firstIndex(where: { $0.at > instant }) else { return knots.last?.level ?? 0 }
        guard next > 0 else { return 0 }
        let (before, after) = (knots[next - 1], knots[next])
        let passed = Double(instant - before.at) / Double(after.at - before.at)
        return before.level + (after.level - before.level) * passed
    }

    /// Who watches from when to when if all keep to the line, in the order in which they come: what viewers are numbered by.
    ///
    /// Who leaves where the line falls is drawn from all who are there.
    ///
    /// - Parameter seed: The same gives the same.
    /// - Returns: As many stays as there are joins.
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

    /// When the line from one knot to the other comes to a place; computed from its number, so that no rounding adds up.
    private static func instant(of place: Int, _ one: Knot, _ other: Knot) -> Int64 {
        let way = Double(other.at - one.at) * (Double(place) - one.level)
        return one.at + Int64(way / (other.level - one.level))
    }
}
