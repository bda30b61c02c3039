import Glibc
package import Results
import Values

/// A search for the largest size (or the smallest) at which breaks still hold in a given share.
///
/// Escalation finds the order of magnitude, search runs narrow the posterior's 90 % interval, a confirming run checks the
/// answer; if it contradicts, the search goes on.
///
/// In 300 simulated searches each, the interval contained the truth in 87 % or more, after five runs in the median
/// (`CapacityCalibrationTests`). Noise was 4 % between runs and 6 % between breaks, with heavy tails or after-effects of misses.
/// Noise of 10 and 15 % gave less than 80 %, after eleven runs.
package struct CapacitySearch: Codable, Equatable, Sendable {
    let settings: CapacitySettings
    private(set) var runs: [CapacityRun] = []

    init(_ settings: CapacitySettings) { self.settings = settings }

    package init(_ asked: CapacityQuestion, seed: UInt64) { self.init(CapacitySettings(asked, seed: seed)) }

    /// Counts a run, whole or not.
    mutating func add(_ run: CapacityRun) { runs.append(run) }

    /// A function of settings and runs only, so a reloaded search continues unchanged.
    package func next() -> CapacityStep {
        let knowledge = Knowledge(settings, runs)
        guard runs.count < settings.maximumRuns else {
            return .done(CapacityEnd(cause: .runsUsedUp, estimate: knowledge.estimate))
        }
        guard !knowledge.isHopeless else { return .done(CapacityEnd(cause: .bounded, estimate: knowledge.estimate)) }
        if let sizes = Escalation(settings, runs, limit: knowledge.limit.difficulty).sizes {
            return .run(.escalation, sizes: sizes)
        }
        let plan = SearchPlan(settings, knowledge, seed: settings.seed &+ UInt64(runs.count))
        guard let end = knowledge.end else { return .run(.search, sizes: plan.search) }
        guard knowledge.isConfirmed(end) else { return .run(.confirmation, sizes: plan.confirmation(of: end)) }
        return .done(CapacityEnd(cause: end.cause, estimate: knowledge.estimate))
    }

    var estimate: CapacityEstimate { Knowledge(settings, runs).estimate }
}

package enum CapacityStep: Equatable, Sendable {
    /// One break of each size in this order.
    ///
    /// An escalation lists all sizes up to the ceiling; the caller ends it after two misses in a row.
    case run(CapacityRunResult.Kind, sizes: [Double])
    case done(CapacityEnd)
}

package struct CapacityEnd: Codable, Equatable, Sendable {
    package enum Cause: String, Codable, Sendable {
        /// The interval is narrow enough and a confirming run agreed.
        case narrow
        /// The capacity lies beyond the allowed sizes or the generator's limit.
        case bounded
        case runsUsedUp
    }

    package var cause: Cause
    package var estimate: CapacityEstimate
}

package struct CapacityEstimate: Codable, Equatable, Sendable {
    package enum Bound: String, Codable, Sendable {
        case unknown
        case measured
        case atLeast
        /// The capacity is the value or a smaller number; at the floor: not even the floor holds.
        case atMost
    }

    package enum Reason: String, Codable, Sendable {
        case nothingTried
        case measured
        case everythingHeld
        case generatorLimited
        case nothingHeld
    }

    /// The last confirming run.
    package struct Confirmation: Codable, Equatable, Sendable {
        package var size: Double
        package var held: Int
        package var missed: Int
        /// False if the size lies outside the interval after these breaks are counted.
        package var agrees: Bool
    }

    /// A multiple of the granularity, rounded to the easier side.
    package var value: Double?
    /// Ends of the 90 % interval; nil beyond the allowed sizes.
    package var lower: Double?
    package var upper: Double?
    package var bound: Bound
    package var reason: Reason
    /// Half of the interval, as a share of the value; a nil end counts as the limit of the allowed sizes.
    package var relativeWidth: Double?
    /// The size that half of all breaks hold.
    package var medianHeld: Double?
    /// In natural logarithms.
    package var betweenBreaks: Double?
    package var betweenRuns: Double?
    package var confirmation: Confirmation?
    package var runs: Int
    package var breaks: Int
    /// Breaks of a limited generator, and those soon after a missed one.
    package var breaksLeftOut: Int
}
