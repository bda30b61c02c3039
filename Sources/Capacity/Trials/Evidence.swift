/// What the breaks of a run say of the target, and which of them say nothing.
enum Evidence {
    /// How many breaks after a missed one are left out, whatever came of them.
    static let breaksToRecover = 2

    /// Reads a run.
    ///
    /// Overload leaves something behind: queues, cold caches, connections that are to be opened again. A break right after
    /// a missed one often meets a target that carries less than a fresh one, and counting it would call the fresh one
    /// weaker than it is. To count only those that held would do the reverse. So none of them counts; which they are is
    /// decided by what came before them and not by their own outcome, so that leaving them out prefers no answer.
    static func observations(of run: CapacityRun, on scale: DifficultyScale) -> [Observation] {
        var recovering = 0
        var observations: [Observation] = []
        for trial in run.trials where trial.size > 0 && trial.size.isFinite {
            if recovering == 0, trial.outcome != .censored {
                observations.append(
                    Observation(difficulty: scale.difficulty(of: trial.size), held: trial.outcome == .held)
                )
            }
            // What missed because of the generator may have overloaded the target all the same.
            recovering = trial.outcome == .held ? max(recovering - 1, 0) : breaksToRecover
        }
        return observations
    }
}
