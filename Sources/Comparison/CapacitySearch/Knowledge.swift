import Glibc
import Results
import Values

/// One break of a run; its difficulty grows in the direction in which a break becomes harder.
struct CapacityTrial: Equatable {
    /// Logarithm of the actual size, not of the planned one.
    var difficulty: Double
    var outcome: JudgedBreak.Outcome

    var held: Bool { outcome == .held }
}

extension CapacityQuestion {
    /// Whether the breaks of one run differ in size.
    var variesWithinRun: Bool { quantity == .viewers && watchMaximumSeconds == nil }

    private var sign: Double { quantity.isHarderWithMore ? 1 : -1 }

    /// Whole numbers from 1 on.
    private var values: ClosedRange<Double> {
        let least = max(floor.isFinite ? floor : 1, 1)
        return least...max(least, ceiling.isFinite ? ceiling : 1e15)
    }

    var difficulties: ClosedRange<Double> {
        let ends = [difficulty(of: values.lowerBound), difficulty(of: values.upperBound)].sorted()
        return ends[0]...ends[1]
    }

    func difficulty(of value: Double) -> Double { sign * log(max(value.isFinite ? value : 1e300, 0.5)) }

    func value(of difficulty: Double) -> Double { exp(min(max(sign * difficulty, -600), 600)) }

    func size(of difficulty: Double) -> Double {
        min(max(value(of: clamped(difficulty)).rounded(), values.lowerBound), values.upperBound)
    }

    func clamped(_ difficulty: Double) -> Double {
        min(max(difficulty, difficulties.lowerBound), difficulties.upperBound)
    }

    /// Rounds by default to the easier side, so that rounding promises nothing.
    func rounded(_ value: Double, easier: Bool = true) -> Double {
        // A value that was whole before its logarithm was taken stays whole.
        let slack = 1e-9 * value
        let isDown = quantity.isHarderWithMore == easier
        return max(isDown ? (value + slack).rounded(.down) : (value - slack).rounded(.up), 1)
    }

    func trials(of run: CapacityRunResult) -> [CapacityTrial] {
        run.breaks.map { judged in
            CapacityTrial(difficulty: difficulty(of: run.size(of: judged, quantity)), outcome: judged.outcome)
        }
    }
}

extension [CapacityTrial] {
    /// Breaks that tell something of the target.
    ///
    /// Ignores breaks right after a missed one, whatever their outcome: they often meet a weakened target. Counting them
    /// underestimates a fresh target; counting only those that held overestimates it.
    var evidence: [CapacityTrial] {
        let breaksToRecover = 2
        var recovering = 0
        return filter { trial in
            let counts = recovering == 0 && trial.outcome != .censored
            // A break that missed because of the generator may have overloaded the target too.
            recovering = trial.held ? Swift.max(recovering - 1, 0) : breaksToRecover
            return counts
        }
    }
}

struct CapacityEstimate {
    enum Reason {
        case nothingTried
        case measured
        case everythingHeld
        case generatorLimited
        case nothingHeld
    }

    /// Without words; `found` also for an interval that is too wide.
    ///
    /// The value is whole, rounded to the easier side; an end beyond the allowed sizes is nil.
    var answer = CapacityAnswer.unknown
    var reason = Reason.nothingTried
    /// Half of the interval, as a share of the value; a nil end counts as the limit of the allowed sizes.
    var relativeWidth: Double?
}

/// The posterior of a search's runs, and whether it is precise enough.
struct Knowledge {
    private typealias End = (cause: CapacityStep.Cause, difficulty: Double)

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

    private let asked: CapacityQuestion
    private let runs: [(run: CapacityRunResult, trials: [CapacityTrial])]
    private let trials: [CapacityTrial]
    private let posterior: CapacityPosterior?
    /// The hardest difficulty that can be tried.
    private let limit: Double
    private let isLimitOfGenerator: Bool

    init(_ asked: CapacityQuestion, _ runs: [CapacityRunResult]) {
        self.asked = asked
        self.runs = runs.map { ($0, asked.trials(of: $0)) }
        trials = self.runs.flatMap(\.trials)
        (limit, isLimitOfGenerator) = Self.limit(trials, asked.difficulties)
        let evidence = self.runs.map(\.trials.evidence)
        posterior =
            evidence.joined().isEmpty
            ? nil : CapacityPosterior(runs: evidence, bounds: asked.difficulties, share: asked.sharePercent / 100)
    }

    /// The midpoint between the hardest break within the generator's limit and the easiest one beyond it.
    private static func limit(_ trials: [CapacityTrial], _ allowed: ClosedRange<Double>) -> (Double, Bool) {
        let floor = trials.filter { $0.outcome != .censored }.map(\.difficulty).max() ?? allowed.lowerBound
        let tooMuch = trials.filter { $0.outcome == .censored }.map(\.difficulty).filter { $0 > floor + 1e-9 }.min()
        guard let tooMuch else { return (allowed.upperBound, false) }
        let gap = tooMuch - floor
        return (min(gap > leastGap ? floor + gap / 2 : floor, allowed.upperBound), true)
    }

    private var easiest: Double { asked.difficulties.lowerBound }

    /// The generator was the limit even for the easiest break.
    private var isHopeless: Bool {
        posterior == nil && trials.contains { $0.outcome == .censored && $0.difficulty <= easiest + 1e-9 }
    }

    /// An answer that needs confirmation.
    private var end: End? {
        guard let posterior else { return nil }
        let isMissed = trials.contains { $0.outcome == .missed }
        if !isMissed || isBeyondLimit(posterior) { return (.bounded, limit) }
        if isBelowEasiest(posterior) { return (.bounded, easiest) }
        let estimate = estimate
        guard let value = estimate.answer.value, isNarrow(estimate.answer, value, estimate.relativeWidth),
            runs.count(where: { $0.run.kind == .search && $0.run.isWhole }) >= Self.leastSearches
        else { return nil }
        return (.narrow, asked.difficulty(of: value))
    }

    private func isBeyondLimit(_ posterior: CapacityPosterior) -> Bool {
        1 - posterior.capacities.below(limit) >= Self.certainty
    }

    private func isBelowEasiest(_ posterior: CapacityPosterior) -> Bool {
        1 - posterior.capacities.below(easiest) <= 1 - Self.certainty
    }

    private func isNarrow(_ answer: CapacityAnswer, _ value: Double, _ width: Double?) -> Bool {
        guard let width else { return false }
        // One viewer of five is 20 %, and there is no size in between.
        let ends = [answer.lower, answer.upper].compactMap(\.self)
        return width <= asked.withinPercent / 100 || ends.allSatisfy { Self.areNeighbours($0, value) }
    }

    private static func areNeighbours(_ one: Double, _ other: Double) -> Bool { abs(one - other) <= 1 + 1e-9 }

    /// The last confirming run had this answer or another one within the present interval.
    private func isConfirmed(_ end: End) -> Bool {
        let last = runs.last { run, trials in
            let counted = trials.count { $0.outcome != .censored }
            return run.kind == .confirmation && run.isWhole && 2 * counted > trials.count
        }
        guard let posterior, let difficulty = last?.trials.first?.difficulty else { return false }
        guard end.cause == .bounded else {
            let ends = ends(posterior)
            return difficulty >= min(ends.easier, limit) - 1e-9 && difficulty <= max(ends.harder, easiest) + 1e-9
        }
        return Self.areNeighbours(asked.value(of: difficulty).rounded(), asked.size(of: end.difficulty))
            && (isBeyondLimit(posterior) || isBelowEasiest(posterior))
    }

    private func ends(_ posterior: CapacityPosterior) -> (easier: Double, harder: Double) {
        let middle = posterior.capacities.quantile(0.5)
        let noise = hypot(posterior.betweenBreaks, posterior.betweenRuns)
        let inflation = 1 + Self.widening.by * max(noise - Self.widening.from, 0)
        let easier = middle - (middle - posterior.capacities.quantile(Self.tails.easier)) * inflation
        let harder = posterior.capacities.quantile(1 - Self.tails.harder)
        return (min(easier, middle - Self.leastMargin), max(harder, middle + Self.leastMargin))
    }

    var estimate: CapacityEstimate {
        let held = trials.filter(\.held).map(\.difficulty)
        let missed = trials.filter { $0.outcome == .missed }.map(\.difficulty)
        var estimate = CapacityEstimate()
        if trials.contains(where: { $0.outcome == .censored }) { estimate.reason = .generatorLimited }
        guard let posterior else { return estimate }
        estimate.answer.breakNoisePercent = posterior.betweenBreaks * 100
        estimate.answer.runNoisePercent = posterior.betweenRuns * 100
        let median = posterior.capacities.quantile(0.5)
        if missed.isEmpty || median >= limit {
            estimate.answer.kind = .atLeast
            estimate.reason = isLimitOfGenerator ? .generatorLimited : .everythingHeld
            fill(&estimate, posterior, missed.isEmpty ? held.max() ?? limit : limit, hasHarderEnd: false)
        } else if held.isEmpty || median <= easiest {
            (estimate.answer.kind, estimate.reason) = (.below, .nothingHeld)
            fill(&estimate, posterior, held.isEmpty ? missed.min() ?? easiest : easiest, hasEasierEnd: false)
        } else {
            (estimate.answer.kind, estimate.reason) = (.found, .measured)
            estimate.answer.halfHeld = asked.value(of: posterior.middles.quantile(0.5))
            fill(&estimate, posterior, median)
        }
        return estimate
    }

    private func fill(
        _ estimate: inout CapacityEstimate,
        _ posterior: CapacityPosterior,
        _ difficulty: Double,
        hasEasierEnd: Bool = true,
        hasHarderEnd: Bool = true
    ) {
        let interval = ends(posterior)
        let (easier, harder) = (min(interval.easier, difficulty), max(interval.harder, difficulty))
        let easierEnd = hasEasierEnd && easier >= easiest - 1e-9 ? asked.rounded(asked.value(of: easier)) : nil
        let harderEnd =
            hasHarderEnd && harder <= limit + 1e-9 ? asked.rounded(asked.value(of: harder), easier: false) : nil
        let ends = asked.quantity.isHarderWithMore ? (easierEnd, harderEnd) : (harderEnd, easierEnd)
        let value = asked.value(of: difficulty)
        (estimate.answer.value, estimate.answer.lower, estimate.answer.upper) = (asked.rounded(value), ends.0, ends.1)
        let reached = [max(easier, easiest), min(harder, max(limit, difficulty))].map(asked.value)
        estimate.relativeWidth = abs(reached[1] - reached[0]) / 2 / value
    }
}

extension Knowledge {
    /// A function of question, seed and runs only, so a reloaded search continues unchanged.
    func next(seed: UInt64) -> CapacityStep {
        guard runs.count < asked.runsMaximum else { return .done(.runsUsedUp) }
        guard !isHopeless else { return .done(.bounded) }
        if let sizes = escalation { return .run(.escalation, sizes: sizes) }
        guard let end else { return .run(.search, sizes: search(seed: seed &+ UInt64(runs.count))) }
        guard isConfirmed(end) else {
            return .run(.confirmation, sizes: sizes(end.difficulty, count: asked.breaksPerRun))
        }
        return .done(end.cause)
    }

    private func size(_ difficulty: Double) -> Double { asked.size(of: min(difficulty, limit)) }

    private func sizes(_ difficulty: Double, count: Int) -> [Double] {
        [Double](repeating: size(difficulty), count: count)
    }

    private static let sweeps = 2
    /// Quantiles of the next break's distribution that sizes are taken from; found by simulation.
    private static let levels = 0.02...0.5
    /// Found by simulation: underestimated noise shows only away from the middle.
    private static let spread = 1.8
    /// Closer sizes give no useful information.
    private static let leastDeviation = 0.015

    /// Sizes in the easier half of the next break's distribution, where the capacity lies, in two ascending sweeps.
    ///
    /// A missed break spoils those right after it: harder ones, which would mostly miss anyway. Random order takes one run
    /// more, and three where a miss has an after-effect.
    private func search(seed: UInt64) -> [Double] {
        var chance = SplitMix64(seed: seed)
        guard let posterior else {
            return [Double](repeating: asked.size(of: asked.difficulty(of: asked.from)), count: asked.breaksPerRun)
        }
        guard asked.variesWithinRun else { return sizesOfOneRun(posterior) }
        let difficulties = (0..<asked.breaksPerRun).map { index in
            let part = (Double(index) + chance.unit()) / Double(asked.breaksPerRun)
            let level = Self.levels.lowerBound + (Self.levels.upperBound - Self.levels.lowerBound) * part
            return posterior.mean + max(posterior.predictiveDeviation * Self.spread, Self.leastDeviation)
                * NormalDistribution.quantile(level)
        }
        return (0..<Self.sweeps).flatMap { sweep in
            difficulties.indices.filter { $0 % Self.sweeps == sweep }.map { size(difficulties[$0]) }
        }
    }

    /// For runs whose breaks all have one size: runs take turns over the levels.
    private func sizesOfOneRun(_ posterior: CapacityPosterior) -> [Double] {
        // A few breaks halve a wide range as well as many; the limit on runs is there because noise can be as wide.
        let isWide = posterior.predictiveDeviation > 0.35 && runs.count < 8
        let level = isWide ? 0.5 : [0.5, 0.1, 0.3][runs.count % 3]
        let difficulty = posterior.mean + posterior.predictiveDeviation * NormalDistribution.quantile(level)
        return sizes(difficulty, count: isWide ? min(asked.breaksPerRun, 3) : asked.breaksPerRun)
    }

    private static let factor = 1.25
    /// The factor grows where the ceiling is further away.
    private static let mostBreaks = 40
    /// Factor by which the next run begins easier after a run in which nothing held.
    private static let descent = 4.0
    /// Factor from run to run if all breaks of a run have one size; found by simulation.
    private static let factorOfRuns = 2.0
    /// Breaks of such a run; found by simulation.
    private static let breaksOfRuns = 2

    /// Sizes of the run that finds the order of magnitude; nil when the search can begin.
    private var escalation: [Double]? {
        let first = min(asked.clamped(asked.difficulty(of: asked.from)), limit)
        let past = runs.filter { $0.run.kind == .escalation && !$0.trials.isEmpty }.map(\.trials)
        guard asked.variesWithinRun else {
            // If more is easier, the first run may use the largest value at no risk.
            let next = asked.quantity.isHarderWithMore ? nextRun(after: past.flatMap(\.self), from: first) : nil
            return next.map { [Double](repeating: asked.size(of: $0), count: Self.breaksOfRuns) }
        }
        guard let last = past.last, let end = last.last?.difficulty else { return series(from: first) }
        let held = past.joined().filter(\.held).map(\.difficulty).max()
        let gaveUp = zip(last, last.dropFirst()).contains { !$0.held && !$1.held }
        guard gaveUp else { return end >= limit - 1e-9 ? nil : series(from: max(held ?? first, easiest)) }
        let tried = past.joined().map(\.difficulty).min() ?? first
        let isOver = held != nil || tried <= easiest + 1e-9
        return isOver ? nil : series(from: max(easiest, tried - log(Self.descent)))
    }

    /// For runs whose breaks all have one size.
    private func nextRun(after past: [CapacityTrial], from first: Double) -> Double? {
        let tried = past.map(\.difficulty)
        guard let least = tried.min(), let most = tried.max() else { return first }
        let held = past.count(where: \.held)
        if held == past.count { return most >= limit - 1e-9 ? nil : min(most + log(Self.factorOfRuns), limit) }
        return held > 0 || least <= easiest + 1e-9 ? nil : max(least - log(Self.descent), easiest)
    }

    private func series(from start: Double) -> [Double] {
        let start = min(start, limit)
        let length = limit - start
        let steps = min((length / log(Self.factor)).rounded(.up), Double(Self.mostBreaks - 1))
        var sizes: [Double] = []
        for step in stride(from: 0, through: steps, by: 1) {
            let size = asked.size(of: steps > 0 ? start + length * step / steps : start)
            if size != sizes.last { sizes.append(size) }
        }
        return sizes
    }
}
