import Chance
import Glibc
import Statistics

/// What runs after the escalation ask for.
struct SearchPlan {
    private let settings: CapacitySettings
    private let knowledge: Knowledge
    private let seed: UInt64
    private let scale: DifficultyScale

    init(_ settings: CapacitySettings, _ knowledge: Knowledge, seed: UInt64) {
        self.settings = settings
        self.knowledge = knowledge
        self.seed = seed
        scale = DifficultyScale(settings: settings)
    }

    /// Sizes nearer to each other than this tell nothing that anybody asks for.
    private static let leastDeviation = 0.015

    private var breaks: Int { min(max(settings.breaksPerRun, 1), 1_000) }

    private func size(_ difficulty: Double) -> Double {
        scale.size(of: min(difficulty, knowledge.limit.difficulty))
    }

    func confirmation(of end: Knowledge.End) -> [Double] {
        [Double](repeating: size(end.difficulty), count: breaks)
    }

    /// Spread over what a break to come is expected to carry, more of it in the lower half, where the capacity lies.
    var search: [Double] {
        var chance = SplitMix64(seed: seed)
        guard let posterior = knowledge.posterior else {
            let first = settings.start.map(scale.difficulty)
            return [Double](
                repeating: size(first ?? (scale.bounds.lowerBound + scale.bounds.upperBound) / 2),
                count: breaks
            )
        }
        if !settings.variesWithinRun {
            // One after the other what ten breaks of one run would be.
            let levels = [0.5, 0.1, 0.3]
            let level = levels[knowledge.runs % levels.count]
            return [Double](
                repeating: size(posterior.mean + posterior.predictiveDeviation * NormalDistribution.quantile(level)),
                count: breaks
            )
        }
        let difficulties = (0..<breaks).map { index in
            let part = (Double(index) + chance.unit()) / Double(breaks)
            let level = Tuning.qlow + (Tuning.qhigh - Tuning.qlow) * part
            return posterior.mean + max(posterior.predictiveDeviation, Self.leastDeviation)
                * NormalDistribution.quantile(level)
        }
        guard Tuning.sweeps > 0 else { return difficulties.shuffled(using: &chance).map(size) }
        return (0..<Tuning.sweeps).flatMap { sweep in
            difficulties.indices.filter { $0 % Tuning.sweeps == sweep }.map { size(difficulties[$0]) }
        }
    }
}
