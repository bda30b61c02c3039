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
package struct CapacitySearch: Sendable {
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
            return .done(.runsUsedUp)
        }
        guard !knowledge.isHopeless else { return .done(.bounded) }
        if let sizes = Escalation(settings, runs, limit: knowledge.limit.difficulty).sizes {
            return .run(.escalation, sizes: sizes)
        }
        let plan = SearchPlan(settings, knowledge, seed: settings.seed &+ UInt64(runs.count))
        guard let end = knowledge.end else { return .run(.search, sizes: plan.search) }
        guard knowledge.isConfirmed(end) else { return .run(.confirmation, sizes: plan.confirmation(of: end)) }
        return .done(end.cause)
    }

    var estimate: CapacityEstimate { Knowledge(settings, runs).estimate }
}

package enum CapacityStep: Equatable, Sendable {
    package enum Cause: Sendable {
        /// The interval is narrow enough and a confirming run agreed.
        case narrow
        /// The capacity lies beyond the allowed sizes or the generator's limit.
        case bounded
        case runsUsedUp
    }

    /// One break of each size in this order.
    ///
    /// An escalation lists all sizes up to the ceiling; the caller ends it after two misses in a row.
    case run(CapacityRunResult.Kind, sizes: [Double])
    case done(Cause)
}

struct CapacityEstimate {
    enum Reason {
        case nothingTried
        case measured
        case everythingHeld
        case generatorLimited
        case nothingHeld
    }

    /// `found` also for an interval that is too wide.
    var kind = CapacityAnswer.Kind.unknown
    var reason = Reason.nothingTried
    /// Whole, rounded to the easier side.
    var value: Double?
    /// Ends of the 90 % interval; nil beyond the allowed sizes.
    var lower: Double?
    var upper: Double?
    /// Half of the interval, as a share of the value; a nil end counts as the limit of the allowed sizes.
    var relativeWidth: Double?
    /// The size that half of all breaks hold.
    var medianHeld: Double?
    /// In natural logarithms.
    var betweenBreaks: Double?
    var betweenRuns: Double?
}
