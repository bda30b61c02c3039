import Glibc
import Values

struct SearchPlan {
    private static let sweeps = 2
    /// Quantiles of the next break's distribution that sizes are taken from; found by simulation.
    private static let levels = 0.02...0.5
    /// Factor on the width of that distribution; found by simulation.
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

    /// Least distance between sizes; closer ones give no useful information.
    private static let leastDeviation = 0.015

    private var breaks: Int { min(max(settings.breaksPerRun, 1), 1_000) }

    private func size(_ difficulty: Double) -> Double {
        scale.size(of: min(difficulty, knowledge.limit.difficulty))
    }

    func confirmation(of end: Knowledge.End) -> [Double] {
        [Double](repeating: size(end.difficulty), count: breaks)
    }

    /// Sizes in the easier half of the next break's distribution, where the capacity lies.
    ///
    /// They form two ascending sweeps. A missed break spoils those right after it, so harder ones follow, which would mostly
    /// miss anyway. The target then recovers in the easy beginning of the next sweep. In random order the same search takes one
    /// run more, and three where a miss has an after-effect.
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

    /// Sizes of a run whose breaks all have one size: runs take turns over the levels.
    private func sizesOfOneRun(_ posterior: CapacityPosterior) -> [Double] {
        // While the order of magnitude is unknown, a few breaks halve the range as well as many do. The limit on runs is there
        // because noise can be as wide.
        let isWide = posterior.predictiveDeviation > 0.35 && knowledge.runs < 8
        let level = isWide ? 0.5 : [0.5, 0.1, 0.3][knowledge.runs % 3]
        let difficulty = posterior.mean + posterior.predictiveDeviation * NormalDistribution.quantile(level)
        return [Double](repeating: size(difficulty), count: isWide ? min(breaks, 3) : breaks)
    }
}
