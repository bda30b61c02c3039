import Values
import Viewer

/// Stratified: some viewers of each persona, spread evenly over its visits.
struct ViewerSample {
    /// A single viewer would not show its persona's variance.
    private static let fewest = 2

    private struct Stratum {
        let persona: UInt8
        var visits: [AudienceSchedule.Visit] = []
        /// In `counted`.
        var places: Range<Int> = 0..<0

        var weight: Double { Double(visits.count) / Double(max(places.count, 1)) }
    }

    private var strata: [Stratum]
    private(set) var counted: [AudienceSchedule.Visit] = []

    /// `visits` are in the order of joining; `persona` maps a viewer's number to its persona's index.
    init(of visits: [AudienceSchedule.Visit], persona: (Int) -> UInt8) {
        let byPersona = Dictionary(grouping: visits) { persona($0.number) }
        strata = byPersona.sorted { $0.key < $1.key }.map { Stratum(persona: $0.key, visits: Self.spread($0.value)) }
    }

    /// Every n-th of the result joins and leaves as all of them do.
    private static func spread(_ visits: [AudienceSchedule.Visit]) -> [AudienceSchedule.Visit] {
        let together = max(Int(Double(visits.count).squareRoot()), 1)
        return stride(from: 0, to: visits.count, by: together).flatMap { first in
            visits[first..<min(first + together, visits.count)]
                .sorted { ($0.leavesAt, $0.joinsAt, $0.number) < ($1.leavesAt, $1.joinsAt, $1.number) }
        }
    }

    func sized(share: Double) -> ViewerSample {
        var sample = self
        sample.counted = []
        for index in strata.indices {
            let all = strata[index].visits
            let wanted = Int((Double(all.count) * min(max(share, 0), 1)).rounded())
            let size = min(all.count, max(wanted, Self.fewest))
            let first = sample.counted.count
            // Neither the earliest nor the latest of a part represents the others.
            sample.counted += (0..<size).map { all[(2 * $0 + 1) * all.count / (2 * size)] }
            sample.strata[index].places = first..<sample.counted.count
        }
        return sample
    }

    /// Number of viewers that a counted one represents.
    func weight(ofPersona persona: UInt8) -> Double { strata.first { $0.persona == persona }?.weight ?? 1 }

    var joiningAtOnce: ViewerSample {
        var sample = self
        for place in counted.indices {
            sample.counted[place].joinsAt = 0
            sample.counted[place].leavesAt = .max
        }
        return sample
    }

    func viewerSeconds(of run: Duration) -> Double {
        let end = run.nanosecondsHeld
        let nanoseconds = strata.reduce(0.0) { sum, stratum in
            counted[stratum.places].reduce(sum) {
                $0 + Double(max(min($1.leavesAt, end) &- $1.joinsAt, 0)) * stratum.weight
            }
        }
        return max(nanoseconds / 1e9, 1)
    }

    /// Two standard errors, by stratified sampling without replacement (Cochran, Sampling Techniques, 5.3).
    func error(of figures: [Double]) -> Double {
        let variance = strata.reduce(0.0) { sum, stratum in
            let (all, some) = (Double(stratum.visits.count), Double(stratum.places.count))
            guard some > 1, some < all else { return sum }
            let part = figures[stratum.places]
            let mean = part.reduce(0, +) / some
            let spread = part.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (some - 1)
            return sum + all * all * (1 - some / all) * spread / some
        }
        return 2 * variance.squareRoot()
    }
}
