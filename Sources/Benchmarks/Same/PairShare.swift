import Chance
import Comparison

/// How often `podswarm compare` would call five runs worse than five others.
struct PairShare {
    var options = ComparisonOptions()
    var pairs = 2_000
    static let side = 5

    /// Pairs drawn from the same runs, no run on both sides.
    func regressions(among runs: [RunFigures]) throws -> Double {
        var generator = SplitMix64(seed: 1)
        return try share {
            let drawn = runs.shuffled(using: &generator)
            return (Array(drawn[..<Self.side]), Array(drawn[Self.side..<2 * Self.side]))
        }
    }

    /// Pairs of some runs of one side and some of the other.
    func regressions(from base: [RunFigures], to candidate: [RunFigures]) throws -> Double {
        var generator = SplitMix64(seed: 1)
        return try share {
            (
                Array(base.shuffled(using: &generator)[..<Self.side]),
                Array(candidate.shuffled(using: &generator)[..<Self.side])
            )
        }
    }

    private func share(_ draw: () -> ([RunFigures], [RunFigures])) throws -> Double {
        var called = 0
        for _ in 0..<pairs {
            let (base, candidate) = draw()
            let document = ReleaseComparison(options: options).compare(
                .init(inputs: [], runs: base),
                against: .init(inputs: [], runs: candidate)
            )
            guard document.verdict.outcome != .incomparable else {
                throw BenchmarkError.unusable(
                    program: "podswarm",
                    reason: document.verdict.reasons.joined(separator: "; ")
                )
            }
            called += document.verdict.outcome == .regression ? 1 : 0
        }
        return Double(called) * 100 / Double(pairs)
    }
}
