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
    let settings: CapacitySettings
    private(set) var runs: [CapacityRun] = []

    init(_ settings: CapacitySettings) { self.settings = settings }

    package init(_ asked: CapacityQuestion, seed: UInt64) { self.init(CapacitySettings(asked, seed: seed)) }

    /// Counts a run, whole or not.
    mutating func add(_ run: CapacityRun) { runs.append(run) }

    /// A function of settings and runs only, so a reloaded search continues unchanged.
    package func next() -> CapacityStep {
        let knowledge = Knowledge(settings, runs)
        guard runs.count < settings.maximumRuns else { return .done(.runsUsedUp) }
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

/// Limits and precision of a search for a capacity: an audience or a duration, on a logarithmic scale.
struct CapacitySettings: Sendable {
    var floor: Double
    var ceiling: Double
    /// Nil for the easiest value.
    var start: Double?
    /// Largest half width of the 90 % interval, as a share of the answer.
    var within = 0.10
    /// Share of breaks that hold at the capacity.
    var share = 0.95
    /// Escalation and confirmation included.
    var maximumRuns = 12
    var breaksPerRun = 10
    /// Whether the capacity is the largest value that holds, as for viewers; for jitter and lead it is the smallest.
    var isHarderWithMore = true
    var variesWithinRun = true
    var seed: UInt64 = 1
}

extension CapacitySettings {
    init(_ asked: CapacityQuestion, seed: UInt64) {
        self.init(
            floor: asked.floor,
            ceiling: asked.ceiling,
            start: asked.from,
            within: asked.withinPercent / 100,
            share: asked.sharePercent / 100,
            maximumRuns: asked.runsMaximum,
            breaksPerRun: asked.breaksPerRun,
            isHarderWithMore: asked.quantity.isHarderWithMore,
            variesWithinRun: asked.quantity == .viewers && asked.watchMaximumSeconds == nil,
            seed: seed
        )
    }
}

/// Natural logarithms that grow in the direction in which a break becomes harder; values are whole numbers from 1 on.
struct DifficultyScale {
    let settings: CapacitySettings

    private var sign: Double { settings.isHarderWithMore ? 1 : -1 }

    var bounds: ClosedRange<Double> {
        let ends = [difficulty(of: floor), difficulty(of: ceiling)].sorted()
        return ends[0]...ends[1]
    }

    private var floor: Double { max(settings.floor.isFinite ? settings.floor : 1, 1) }
    private var ceiling: Double { max(floor, settings.ceiling.isFinite ? settings.ceiling : 1e15) }

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
        let isDown = settings.isHarderWithMore == easier
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
