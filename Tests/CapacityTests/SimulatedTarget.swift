import Glibc
import Results
import Values

@testable import Comparison

/// A target of which the truth is known: each break carries so much, give or take what runs and breaks vary.
struct SimulatedTarget {
    enum Noise {
        case normal
        /// Student's t with three degrees of freedom, of the same standard deviation.
        case heavyTailed
        case none
    }

    /// What holds in half of all breaks.
    var middle = 1_000.0
    var betweenRuns = 0.04
    var betweenBreaks = 0.06
    var noise = Noise.normal
    /// By how much a missed break lowers the logarithm of what the one or two after it carry.
    var afterEffect = 0.0
    var isHarderWithMore = true
    var generatorLimit = Double.infinity
    /// Whether two misses in a row end every run, and not only an escalation.
    var endsEveryRun = false
    var chance: SplitMix64

    init(seed: UInt64) { chance = SplitMix64(seed: seed &* 1_000_003 &+ 17) }

    /// Has the breaks of a step, and ends what two misses in a row end.
    mutating func run(_ kind: CapacityRunResult.Kind, _ sizes: [Double]) -> CapacityRunResult {
        let shift = noise == .none ? 0 : betweenRuns * normal()
        var (outcomes, weakened, misses): ([JudgedBreak.Outcome], Int, Int) = ([], 0, 0)
        for size in sizes {
            let carried =
                log(middle) + (isHarderWithMore ? 1 : -1) * (shift + deviation() - weakness(weakened))
            let holds = isHarderWithMore ? log(size) <= carried : log(size) >= carried
            weakened = holds ? max(weakened - 1, 0) : 1 + Int(chance.next() % 2)
            outcomes.append(size > generatorLimit ? .censored : holds ? .held : .missed)
            misses = outcomes.last == .held ? 0 : misses + 1
            if kind == .escalation || endsEveryRun, misses == 2 { break }
        }
        return CapacityRunResult(kind, zip(sizes, outcomes))
    }

    private func weakness(_ breaksLeft: Int) -> Double { breaksLeft > 0 ? afterEffect : 0 }

    private mutating func deviation() -> Double {
        switch noise {
        case .none: return 0
        case .normal: return betweenBreaks * normal()
        case .heavyTailed:
            let squares = (0..<3).reduce(0) { sum, _ in
                let value = normal()
                return sum + value * value
            }
            return betweenBreaks * normal() / squares.squareRoot()
        }
    }

    /// Box and Muller's transformation.
    private mutating func normal() -> Double {
        (-2 * log(1 - chance.unit())).squareRoot() * cos(2 * .pi * chance.unit())
    }

    /// What a fresh target holds in 95 % of breaks, relative to the middle.
    var truthOverMiddle: Double {
        let sign = isHarderWithMore ? 1.0 : -1
        switch noise {
        case .none: return 1
        case .normal: return exp(sign * NormalDistribution.quantile(0.05) * hypot(betweenRuns, betweenBreaks))
        case .heavyTailed:
            let nodes = (-50...50).map { Double($0) / 10 }
            let weights = nodes.map { exp(-$0 * $0 / 2) }
            let scale = betweenBreaks / 3.0.squareRoot()
            return exp(
                sign
                    * Bisection.root(from: -1, to: 1) { value in
                        let below = zip(nodes, weights).reduce(0) { sum, node in
                            let rest = (value - betweenRuns * node.0) / scale
                            return sum + node.1 * StudentDistribution.cumulative(rest, degreesOfFreedom: 3)
                        }
                        return below / weights.reduce(0, +) >= 0.05
                    }
            )
        }
    }
}

extension CapacityQuestion {
    /// Breaks of a channel have one size in a run.
    static func asked(
        _ quantity: Quantity = .viewers,
        floor: Double = 1,
        upTo ceiling: Double,
        from start: Double? = nil,
        runs: Int = 12,
        breaksPerRun: Int = 10,
        ofChannel: Bool = false
    ) -> CapacityQuestion {
        var asked = CapacityQuestion(quantity)
        (asked.floor, asked.ceiling, asked.from) = (floor, ceiling, start ?? floor)
        (asked.withinPercent, asked.sharePercent) = (10, 95)
        (asked.runsMaximum, asked.breaksPerRun) = (runs, breaksPerRun)
        asked.watchMaximumSeconds = ofChannel ? 600 : nil
        return asked
    }
}

extension CapacityRunResult {
    init(_ kind: Kind, _ breaks: some Sequence<(Double, JudgedBreak.Outcome)>) {
        self.init(kind, startedAtMicroseconds: 0, endedAtMicroseconds: 0)
        for (size, outcome) in breaks {
            sizes.append(size)
            var judged = JudgedBreak.lost(startMicroseconds: 0, planned: Int(exactly: size) ?? .max, reason: "")
            judged.outcome = outcome
            self.breaks.append(judged)
        }
    }
}

extension CapacityDocument {
    init(_ asked: CapacityQuestion, seed: UInt64) {
        self.init(asked: asked, search: SearchDescription(startedAtMicroseconds: 0))
        search.seed = seed
    }

    var estimate: CapacityEstimate { Knowledge(asked, runs).estimate }

    mutating func finish(on target: inout SimulatedTarget) -> CapacityStep.Cause {
        while true {
            switch next {
            case .done(let end): return end
            case .run(let kind, let sizes): runs.append(target.run(kind, sizes))
            }
        }
    }
}
