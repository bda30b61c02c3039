import Glibc
import Results
import Values

/// The posterior of a search's runs, and whether it is precise enough.
struct Knowledge {
    struct Limit {
        var difficulty: Double
        var isGenerator: Bool
    }

    /// An answer that needs confirmation.
    struct End {
        var cause: CapacityStep.Cause
        var difficulty: Double
    }

    /// Probability outside the interval, found by simulation so that nine of ten intervals contain the truth.
    ///
    /// The prior's large noise gives the posterior a long tail at the easier side.
    private static let tails = (easier: 0.09, harder: 0.05)
    /// No model is more precise.
    private static let leastMargin = 0.015
    /// Noise above which the easier side is widened, and the factor.
    ///
    /// The noise prior outweighs few breaks: if the actual noise is larger, the truth lies lower.
    private static let widening = (from: 0.1, by: 8.0)
    /// Fewer do not show the noise between runs.
    private static let leastSearches = 3
    /// Resolution of the generator's limit, as a logarithm.
    private static let leastGap = 0.15
    /// Probability required to say that a capacity lies beyond the possible difficulties.
    private static let certainty = 0.95

    let posterior: CapacityPosterior?
    let limit: Limit
    let runs: Int
    private let asked: CapacityQuestion
    private let scale: DifficultyScale
    private let trials: [CapacityTrial]
    private let lastConfirmation: CapacityRun?
    private let searches: Int

    init(_ asked: CapacityQuestion, _ runs: [CapacityRun]) {
        self.asked = asked
        self.runs = runs.count
        let scale = DifficultyScale(asked: asked)
        self.scale = scale
        trials = runs.flatMap(\.trials)
        limit = Self.limit(trials, scale)
        let byRun = runs.map { Evidence.observations(of: $0, on: scale) }
        posterior =
            byRun.joined().isEmpty
            ? nil : CapacityPosterior(runs: byRun, bounds: scale.bounds, share: asked.sharePercent / 100)
        searches = runs.count { $0.kind == .search && $0.isWhole }
        lastConfirmation = runs.last { $0.kind == .confirmation && $0.isWhole && Self.saysEnough($0) }
    }

    private static func saysEnough(_ run: CapacityRun) -> Bool {
        2 * run.trials.count { $0.outcome != .censored } > run.trials.count
    }

    /// The midpoint between the hardest break within the generator's limit and the easiest one beyond it.
    private static func limit(_ trials: [CapacityTrial], _ scale: DifficultyScale) -> Limit {
        let ceiling = scale.bounds.upperBound
        let made = trials.filter { $0.outcome != .censored }.map { scale.difficulty(of: $0.size) }.max()
        let floor = made ?? scale.bounds.lowerBound
        let tooMuch = trials.filter { $0.outcome == .censored }.map { scale.difficulty(of: $0.size) }
            .filter { $0 > floor + 1e-9 }.min()
        guard let tooMuch else { return Limit(difficulty: ceiling, isGenerator: false) }
        let gap = tooMuch - floor
        return Limit(difficulty: min(gap > Self.leastGap ? floor + gap / 2 : floor, ceiling), isGenerator: true)
    }

    /// The generator was the limit even for the easiest break.
    var isHopeless: Bool {
        let easiest = scale.bounds.lowerBound + 1e-9
        return posterior == nil
            && trials.contains { $0.outcome == .censored && scale.difficulty(of: $0.size) <= easiest }
    }

    var end: End? {
        guard let posterior else { return nil }
        let easiest = scale.bounds.lowerBound
        let isMissed = trials.contains { $0.outcome == .missed }
        if !isMissed || isBeyondLimit(posterior) { return End(cause: .bounded, difficulty: limit.difficulty) }
        if isBelowEasiest(posterior) { return End(cause: .bounded, difficulty: easiest) }
        let estimate = estimate
        guard let value = estimate.answer.value, isNarrow(estimate) else { return nil }
        guard searches >= Self.leastSearches else { return nil }
        return End(cause: .narrow, difficulty: scale.difficulty(of: value))
    }

    private func isBeyondLimit(_ posterior: CapacityPosterior) -> Bool {
        posterior.probability(ofCapacityAtLeast: limit.difficulty) >= Self.certainty
    }

    private func isBelowEasiest(_ posterior: CapacityPosterior) -> Bool {
        posterior.probability(ofCapacityAtLeast: scale.bounds.lowerBound) <= 1 - Self.certainty
    }

    private func isNarrow(_ estimate: CapacityEstimate) -> Bool {
        guard let value = estimate.answer.value, let width = estimate.relativeWidth else { return false }
        // One viewer of five is 20 %, and there is no size in between.
        let ends = [estimate.answer.lower, estimate.answer.upper].compactMap { $0 }
        return width <= asked.withinPercent / 100 || ends.allSatisfy { scale.areNeighbours($0, value) }
    }

    /// The last confirming run had this answer or another one within the present interval.
    func isConfirmed(_ end: End) -> Bool {
        guard let size = lastConfirmation?.trials.first?.size else { return false }
        guard end.cause == .bounded, let posterior else { return agrees(size) }
        return scale.areNeighbours(size, scale.size(of: end.difficulty))
            && (isBeyondLimit(posterior) || isBelowEasiest(posterior))
    }

    private func agrees(_ size: Double) -> Bool {
        guard let posterior else { return false }
        let difficulty = scale.difficulty(of: size)
        let ends = ends(posterior)
        return difficulty >= min(ends.easier, limit.difficulty) - 1e-9
            && difficulty <= max(ends.harder, scale.bounds.lowerBound) + 1e-9
    }

    private func ends(_ posterior: CapacityPosterior) -> (easier: Double, harder: Double) {
        let middle = posterior.capacity(0.5)
        let noise = hypot(posterior.betweenBreaks, posterior.betweenRuns)
        let inflation = 1 + Self.widening.by * max(noise - Self.widening.from, 0)
        let easier = middle - (middle - posterior.capacity(Self.tails.easier)) * inflation
        let harder = posterior.capacity(1 - Self.tails.harder)
        return (min(easier, middle - Self.leastMargin), max(harder, middle + Self.leastMargin))
    }

    var estimate: CapacityEstimate {
        let outcomes = (held: trials.filter { $0.outcome == .held }, missed: trials.filter { $0.outcome == .missed })
        var estimate = CapacityEstimate()
        if trials.contains(where: { $0.outcome == .censored }) { estimate.reason = .generatorLimited }
        guard let posterior else { return estimate }
        estimate.answer.breakNoisePercent = posterior.betweenBreaks * 100
        estimate.answer.runNoisePercent = posterior.betweenRuns * 100
        let hardestHeld = outcomes.held.map { scale.difficulty(of: $0.size) }.max()
        let easiestMissed = outcomes.missed.map { scale.difficulty(of: $0.size) }.min()
        let median = posterior.capacity(0.5)
        if outcomes.missed.isEmpty || median >= limit.difficulty {
            let value = outcomes.missed.isEmpty ? hardestHeld ?? limit.difficulty : limit.difficulty
            estimate.answer.kind = .atLeast
            estimate.reason = limit.isGenerator ? .generatorLimited : .everythingHeld
            fill(&estimate, posterior, value, hasEasierEnd: true, hasHarderEnd: false)
        } else if outcomes.held.isEmpty || median <= scale.bounds.lowerBound {
            let value = outcomes.held.isEmpty ? easiestMissed ?? scale.bounds.lowerBound : scale.bounds.lowerBound
            (estimate.answer.kind, estimate.reason) = (.below, .nothingHeld)
            fill(&estimate, posterior, value, hasEasierEnd: false, hasHarderEnd: true)
        } else {
            (estimate.answer.kind, estimate.reason) = (.found, .measured)
            estimate.answer.halfHeld = scale.value(of: posterior.middle(0.5))
            fill(&estimate, posterior, median, hasEasierEnd: true, hasHarderEnd: true)
        }
        return estimate
    }

    private func fill(
        _ estimate: inout CapacityEstimate,
        _ posterior: CapacityPosterior,
        _ difficulty: Double,
        hasEasierEnd: Bool,
        hasHarderEnd: Bool
    ) {
        let value = scale.rounded(scale.value(of: difficulty))
        let interval = ends(posterior)
        let (easier, harder) = (min(interval.easier, difficulty), max(interval.harder, difficulty))
        let easierEnd =
            hasEasierEnd && easier >= scale.bounds.lowerBound - 1e-9 ? scale.rounded(scale.value(of: easier)) : nil
        let harderEnd =
            hasHarderEnd && harder <= limit.difficulty + 1e-9
            ? scale.rounded(scale.value(of: harder), easier: false) : nil
        let ends = asked.quantity.isHarderWithMore ? (easierEnd, harderEnd) : (harderEnd, easierEnd)
        (estimate.answer.value, estimate.answer.lower, estimate.answer.upper) = (value, ends.0, ends.1)
        let reached = [max(easier, scale.bounds.lowerBound), min(harder, max(limit.difficulty, difficulty))].map(
            scale.value
        )
        estimate.relativeWidth = abs(reached[1] - reached[0]) / 2 / scale.value(of: difficulty)
    }
}

struct SearchPlan {
    private static let sweeps = 2
    /// Quantiles of the next break's distribution that sizes are taken from; found by simulation.
    private static let levels = 0.02...0.5
    /// Found by simulation: underestimated noise shows only away from the middle.
    private static let widening = 1.8

    private let asked: CapacityQuestion
    private let knowledge: Knowledge
    private let seed: UInt64
    private let scale: DifficultyScale

    init(_ asked: CapacityQuestion, _ knowledge: Knowledge, seed: UInt64) {
        (self.asked, self.knowledge, self.seed) = (asked, knowledge, seed)
        scale = DifficultyScale(asked: asked)
    }

    /// Closer sizes give no useful information.
    private static let leastDeviation = 0.015

    private var breaks: Int { min(max(asked.breaksPerRun, 1), 1_000) }

    private func size(_ difficulty: Double) -> Double { scale.size(of: min(difficulty, knowledge.limit.difficulty)) }

    func confirmation(of end: Knowledge.End) -> [Double] { [Double](repeating: size(end.difficulty), count: breaks) }

    /// Sizes in the easier half of the next break's distribution, where the capacity lies, in two ascending sweeps.
    ///
    /// A missed break spoils those right after it: harder ones, which would mostly miss anyway. Random order takes one run
    /// more, and three where a miss has an after-effect.
    var search: [Double] {
        var chance = SplitMix64(seed: seed)
        guard let posterior = knowledge.posterior else {
            return [Double](repeating: size(scale.difficulty(of: asked.from)), count: breaks)
        }
        guard asked.variesWithinRun else { return sizesOfOneRun(posterior) }
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

    init(_ asked: CapacityQuestion, _ runs: [CapacityRun], limit: Double) {
        let scale = DifficultyScale(asked: asked)
        let easiest = scale.bounds.lowerBound
        let first = min(scale.clamped(scale.difficulty(of: asked.from)), limit)
        let past = runs.filter { $0.kind == .escalation }.flatMap { $0.trials.isEmpty ? [] : [$0.trials] }
        guard asked.variesWithinRun else {
            // If more is easier, the first run may use the largest value at no risk.
            let next = asked.quantity.isHarderWithMore ? Self.nextRun(after: past, from: first, to: limit, scale) : nil
            sizes = next.map { [Double](repeating: scale.size(of: $0), count: Self.breaksOfRuns) }
            return
        }
        let held = past.joined().filter { $0.outcome == .held }.map { scale.difficulty(of: $0.size) }.max()
        guard let last = past.last, let end = last.last.map({ scale.difficulty(of: $0.size) }) else {
            sizes = Self.series(from: first, to: limit, scale)
            return
        }
        let gaveUp = zip(last, last.dropFirst()).contains { $0.outcome != .held && $1.outcome != .held }
        let tried = past.joined().map { scale.difficulty(of: $0.size) }.min() ?? first
        if gaveUp {
            let isOver = held != nil || tried <= easiest + 1e-9
            sizes = isOver ? nil : Self.series(from: max(easiest, tried - log(Self.descent)), to: limit, scale)
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
