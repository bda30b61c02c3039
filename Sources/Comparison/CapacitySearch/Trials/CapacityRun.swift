import Results

struct CapacityTrial: Codable, Equatable, Sendable {
    /// The actual size, not the planned one.
    var size: Double
    var outcome: JudgedBreak.Outcome
}

struct CapacityRun: Codable, Equatable, Sendable {
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
