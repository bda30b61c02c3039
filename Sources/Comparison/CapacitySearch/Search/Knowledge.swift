import Glibc
import Results

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
    private let settings: CapacitySettings
    private let scale: DifficultyScale
    private let trials: [CapacityTrial]
    private let lastConfirmation: CapacityRun?
    private let searches: Int

    init(_ settings: CapacitySettings, _ runs: [CapacityRun]) {
        self.settings = settings
        self.runs = runs.count
        let scale = DifficultyScale(settings: settings)
        self.scale = scale
        trials = runs.flatMap(\.trials)
        limit = Self.limit(trials, scale)
        let byRun = runs.map { Evidence.observations(of: $0, on: scale) }
        posterior =
            byRun.joined().isEmpty ? nil : CapacityPosterior(runs: byRun, bounds: scale.bounds, share: settings.share)
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
        guard let value = estimate.value, isNarrow(estimate) else { return nil }
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
        guard let value = estimate.value, let width = estimate.relativeWidth else { return false }
        // One viewer of five is 20 %, and there is no size in between.
        let ends = [estimate.lower, estimate.upper].compactMap { $0 }
        return width <= settings.within || ends.allSatisfy { scale.areNeighbours($0, value) }
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
        (estimate.betweenBreaks, estimate.betweenRuns) = (posterior.betweenBreaks, posterior.betweenRuns)
        let hardestHeld = outcomes.held.map { scale.difficulty(of: $0.size) }.max()
        let easiestMissed = outcomes.missed.map { scale.difficulty(of: $0.size) }.min()
        let median = posterior.capacity(0.5)
        if outcomes.missed.isEmpty || median >= limit.difficulty {
            let value = outcomes.missed.isEmpty ? hardestHeld ?? limit.difficulty : limit.difficulty
            estimate.kind = .atLeast
            estimate.reason = limit.isGenerator ? .generatorLimited : .everythingHeld
            fill(&estimate, posterior, value, hasEasierEnd: true, hasHarderEnd: false)
        } else if outcomes.held.isEmpty || median <= scale.bounds.lowerBound {
            let value = outcomes.held.isEmpty ? easiestMissed ?? scale.bounds.lowerBound : scale.bounds.lowerBound
            (estimate.kind, estimate.reason) = (.below, .nothingHeld)
            fill(&estimate, posterior, value, hasEasierEnd: false, hasHarderEnd: true)
        } else {
            (estimate.kind, estimate.reason) = (.found, .measured)
            estimate.medianHeld = scale.value(of: posterior.middle(0.5))
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
        let ends = settings.isHarderWithMore ? (easierEnd, harderEnd) : (harderEnd, easierEnd)
        (estimate.value, estimate.lower, estimate.upper) = (value, ends.0, ends.1)
        let reached = [max(easier, scale.bounds.lowerBound), min(harder, max(limit.difficulty, difficulty))].map(
            scale.value
        )
        estimate.relativeWidth = abs(reached[1] - reached[0]) / 2 / scale.value(of: difficulty)
    }
}
