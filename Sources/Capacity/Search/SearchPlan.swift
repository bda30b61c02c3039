import Chance
import Glibc
import Statistics

/// What runs after the escalation ask for.
struct SearchPlan {
    /// Ascending series of sizes in a run.
    private static let sweeps = 2
    /// The part of the distribution of what a break carries that sizes are taken from; found by simulation.
    private static let levels = 0.02...0.5
    /// How much wider than it is that distribution is taken; found by simulation.
    ///
    /// Noise that is larger than it seems shows only in sizes away from the middle.
    private static let widening = 1.8

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

    /// Spread over what a break to come is expected to carry, in its easier half, where the capacity lies.
    ///
    /// In two ascending sweeps and not in any order: a break that misses spoils those right after it, and so it is followed
    /// by harder ones, which would mostly miss anyway and tell little, and then by the easy beginning of the next sweep, in
    /// which the target recovers. Shuffled, the same search takes one run more, and three where
    /// a miss leaves something behind.
    var search: [Double] {
        var chance = SplitMix64(seed: seed)
        guard let posterior = knowledge.posterior else {
            let first = settings.start.map(scale.difficulty)
            return [Double](
                repeating: size(first ?? (scale.bounds.lowerBound + scale.bounds.upperBound) / 2),
                count: breaks
            )
        }
        guard settings.variesWithinRun else { return sizesOfOneRun(posterior) }
        let difficulties = (0..<breaks).map { index in
            let part = (Double(index) + chance.unit()) / Double(breaks)
            let level = Self.levels.lowerBound + (Self.levels.upperBound - Self.levels.lowerBound) * part
            return posterior.mean + max(posterior.predictiveDeviation * Self.widening, Self.leastDeviation)
                * NormalDistribution.quantile(level)
        }
        return (0..<Self.sweeps).flatMap { sweep in
            difficulties.indices.filter { $0 % Self.sweeps == sweep }.map { size(difficulties[$0]) }
        }
    }

    /// Where all breaks of a run have one size, the runs take turns over the sizes.
    private func sizesOfOneRun(_ posterior: CapacityPosterior) -> [Double] {
        // As long as not even the order of magnitude is known, a few breaks halve what is left as well as many.
        // Not for ever, because noise can be as wide.
        let isWide = posterior.predictiveDeviation > 0.35 && knowledge.runs < 8
        let level = isWide ? 0.5 : [0.5, 0.1, 0.3][knowledge.runs % 3]
        let difficulty = posterior.mean + posterior.predictiveDeviation * NormalDistribution.quantile(level)
        return [Double](repeating: size(difficulty), count: isWide ? min(breaks, 3) : breaks)
    }
}
