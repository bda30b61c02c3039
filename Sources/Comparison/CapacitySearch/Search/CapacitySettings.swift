import Glibc
import Results

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

    func size(of difficulty: Double) -> Double {
        min(max(value(of: clamped(difficulty)).rounded(), floor), ceiling)
    }

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
