import Glibc
import Results
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
    let asked: CapacityQuestion
    let seed: UInt64
    private(set) var runs: [CapacityRun] = []

    package init(_ asked: CapacityQuestion, seed: UInt64) { (self.asked, self.seed) = (asked, seed) }

    /// Counts a run, whole or not.
    mutating func add(_ run: CapacityRun) { runs.append(run) }

    /// A function of question, seed and runs only, so a reloaded search continues unchanged.
    package func next() -> CapacityStep {
        let knowledge = Knowledge(asked, runs)
        guard runs.count < asked.runsMaximum else { return .done(.runsUsedUp) }
        guard !knowledge.isHopeless else { return .done(.bounded) }
        if let sizes = Escalation(asked, runs, limit: knowledge.limit.difficulty).sizes {
            return .run(.escalation, sizes: sizes)
        }
        let plan = SearchPlan(asked, knowledge, seed: seed &+ UInt64(runs.count))
        guard let end = knowledge.end else { return .run(.search, sizes: plan.search) }
        guard knowledge.isConfirmed(end) else { return .run(.confirmation, sizes: plan.confirmation(of: end)) }
        return .done(end.cause)
    }

    var estimate: CapacityEstimate { Knowledge(asked, runs).estimate }
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

    /// Without words; `found` also for an interval that is too wide.
    ///
    /// The value is whole, rounded to the easier side; an end beyond the allowed sizes is nil.
    var answer = CapacityAnswer.unknown
    var reason = Reason.nothingTried
    /// Half of the interval, as a share of the value; a nil end counts as the limit of the allowed sizes.
    var relativeWidth: Double?
}

extension CapacityQuestion {
    /// Whether the breaks of one run differ in size.
    var variesWithinRun: Bool { quantity == .viewers && watchMaximumSeconds == nil }
}

/// Natural logarithms that grow in the direction in which a break becomes harder; values are whole numbers from 1 on.
struct DifficultyScale {
    let asked: CapacityQuestion

    private var sign: Double { asked.quantity.isHarderWithMore ? 1 : -1 }

    var bounds: ClosedRange<Double> {
        let ends = [difficulty(of: floor), difficulty(of: ceiling)].sorted()
        return ends[0]...ends[1]
    }

    private var floor: Double { max(asked.floor.isFinite ? asked.floor : 1, 1) }
    private var ceiling: Double { max(floor, asked.ceiling.isFinite ? asked.ceiling : 1e15) }

    func difficulty(of value: Double) -> Double {
        let value = value.isFinite ? value : 1e300
        return sign * log(max(value, 0.5))
    }

    func value(of difficulty: Double) -> Double { exp(min(max(sign * difficulty, -600), 600)) }

    func size(of difficulty: Double) -> Double { min(max(value(of: clamped(difficulty)).rounded(), floor), ceiling) }

    func clamped(_ difficulty: Double) -> Double { min(max(difficulty, bounds.lowerBound), bounds.upperBound) }

    /// Rounds by default to the easier side, so that rounding promises nothing.
    func rounded(_ value: Double, easier: Bool = true) -> Double {
        // A value that was whole before its logarithm was taken stays whole.
        let slack = 1e-9 * value
        let isDown = asked.quantity.isHarderWithMore == easier
        return max(isDown ? (value + slack).rounded(.down) : (value - slack).rounded(.up), 1)
    }

    func areNeighbours(_ one: Double, _ other: Double) -> Bool { abs(one - other) <= 1 + 1e-9 }
}

struct CapacityTrial: Equatable, Sendable {
    /// The actual size, not the planned one.
    var size: Double
    var outcome: JudgedBreak.Outcome
}

struct CapacityRun: Equatable, Sendable {
    var kind: CapacityRunResult.Kind
    var trials: [CapacityTrial]
    /// False if the run ended early for another reason than two misses in an escalation.
    var isWhole = true
}

extension CapacityRun {
    init(_ run: CapacityRunResult, of quantity: CapacityQuestion.Quantity) {
        let trials = run.breaks.map { judged in
            let size = quantity == .viewers ? Double(max(1, judged.planned)) : run.sizes.first ?? 1
            return CapacityTrial(size: size, outcome: judged.outcome)
        }
        self.init(kind: run.kind, trials: trials, isWhole: run.isWhole)
    }
}

/// Breaks that count as observations of the target.
enum Evidence {
    static let breaksToRecover = 2

    /// Ignores breaks right after a missed one, whatever their outcome: they often meet a weakened target.
    ///
    /// Counting them underestimates a fresh target; counting only those that held overestimates it.
    static func observations(of run: CapacityRun, on scale: DifficultyScale) -> [Observation] {
        var recovering = 0
        var observations: [Observation] = []
        for trial in run.trials where trial.size > 0 && trial.size.isFinite {
            if recovering == 0, trial.outcome != .censored {
                observations.append(
                    Observation(difficulty: scale.difficulty(of: trial.size), held: trial.outcome == .held)
                )
            }
            // A break that missed because of the generator may have overloaded the target too.
            recovering = trial.outcome == .held ? max(recovering - 1, 0) : breaksToRecover
        }
        return observations
    }
}
