import Glibc
import Results
import Values

struct SearchPlan {
    private static let sweeps = 2
    /// Quantiles of the next break's distribution that sizes are taken from; found by simulation.
    private static let levels = 0.02...0.5
    /// Found by simulation: underestimated noise shows only away from the middle.
    private static let widening = 1.8

    private let settings: CapacitySettings
    private let knowledge: Knowledge
    private let seed: UInt64
    private let scale: DifficultyScale

    init(_ settings: CapacitySettings, _ knowledge: Knowledge, seed: UInt64) {
        (self.settings, self.knowledge, self.seed) = (settings, knowledge, seed)
        scale = DifficultyScale(settings: settings)
    }

    /// Closer sizes give no useful information.
    private static let leastDeviation = 0.015

    private var breaks: Int { min(max(settings.breaksPerRun, 1), 1_000) }

    private func size(_ difficulty: Double) -> Double { scale.size(of: min(difficulty, knowledge.limit.difficulty)) }

    func confirmation(of end: Knowledge.End) -> [Double] { [Double](repeating: size(end.difficulty), count: breaks) }

    /// Sizes in the easier half of the next break's distribution, where the capacity lies, in two ascending sweeps.
    ///
    /// A missed break spoils those right after it: harder ones, which would mostly miss anyway. Random order takes one run
    /// more, and three where a miss has an after-effect.
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

    /// For runs whose breaks all have one size: runs take turns over the levels.
    private func sizesOfOneRun(_ posterior: CapacityPosterior) -> [Double] {
        // A few breaks halve a wide range as well as many; the limit on runs is there because noise can be as wide.
        let isWide = posterior.predictiveDeviation > 0.35 && knowledge.runs < 8
        let level = isWide ? 0.5 : [0.5, 0.1, 0.3][knowledge.runs % 3]
        let difficulty = posterior.mean + posterior.predictiveDeviation * NormalDistribution.quantile(level)
        return [Double](repeating: size(difficulty), count: isWide ? min(breaks, 3) : breaks)
    }
}

/// The runs that find the order of magnitude.
struct Escalation {
    static let factor = 1.25
    /// The factor grows where the ceiling is further away.
    static let mostBreaks = 40
    /// Factor by which the next run begins easier after a run in which nothing held.
    private static let descent = 4.0
    /// Factor from run to run if all breaks of a run have one size; found by simulation.
    private static let factorOfRuns = 2.0
    /// Breaks of such a run; found by simulation.
    private static let breaksOfRuns = 2

    /// Nil when the search can begin.
    let sizes: [Double]?

    init(_ settings: CapacitySettings, _ runs: [CapacityRun], limit: Double) {
        let scale = DifficultyScale(settings: settings)
        let easiest = scale.bounds.lowerBound
        let first = settings.start.map { min(scale.clamped(scale.difficulty(of: $0)), limit) } ?? easiest
        let past = runs.filter { $0.kind == .escalation }.flatMap { $0.trials.isEmpty ? [] : [$0.trials] }
        guard settings.variesWithinRun else {
            // If more is easier, the first run may use the largest value at no risk.
            let next =
                settings.isHarderWithMore ? Self.nextRun(after: past, from: first, to: limit, scale) : nil
            sizes = next.map { [Double](repeating: scale.size(of: $0), count: Self.breaksOfRuns) }
            return
        }
        let held = past.joined().filter { $0.outcome == .held }.map { scale.difficulty(of: $0.size) }.max()
        guard let last = past.last, let end = last.last.map({ scale.difficulty(of: $0.size) }) else {
            sizes = Self.series(from: first, to: limit, scale)
            return
        }
        let gaveUp = zip(last, last.dropFirst()).contains { $0.outcome != .held && $1.outcome != .held }
        let asked = past.joined().map { scale.difficulty(of: $0.size) }.min() ?? first
        if gaveUp {
            let isOver = held != nil || asked <= easiest + 1e-9
            sizes = isOver ? nil : Self.series(from: max(easiest, asked - log(Self.descent)), to: limit, scale)
        } else {
            sizes = end >= limit - 1e-9 ? nil : Self.series(from: max(held ?? first, easiest), to: limit, scale)
        }
    }

    /// For runs whose breaks all have one size.
    private static func nextRun(
        after past: [[CapacityTrial]],
        from first: Double,
        to limit: Double,
        _ scale: DifficultyScale
    ) -> Double? {
        let asked = past.joined().map { scale.difficulty(of: $0.size) }
        guard let easiest = asked.min(), let hardest = asked.max() else { return first }
        let held = past.joined().count { $0.outcome == .held }
        if held == asked.count { return hardest >= limit - 1e-9 ? nil : min(hardest + log(factorOfRuns), limit) }
        let floor = scale.bounds.lowerBound
        return held > 0 || easiest <= floor + 1e-9 ? nil : max(easiest - log(descent), floor)
    }

    private static func series(from start: Double, to limit: Double, _ scale: DifficultyScale) -> [Double] {
        let start = min(start, limit)
        let length = limit - start
        let steps = min((length / log(factor)).rounded(.up), Double(mostBreaks - 1))
        var sizes: [Double] = []
        for step in stride(from: 0, through: steps, by: 1) {
            let size = scale.size(of: steps > 0 ? start + length * step / steps : start)
            if size != sizes.last { sizes.append(size) }
        }
        return sizes
    }
}
