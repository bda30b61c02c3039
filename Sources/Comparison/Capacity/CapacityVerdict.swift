import Results
import Rules

struct CapacityVerdict {
    private(set) var verdict: ComparisonVerdict
    private(set) var text: String

    /// `values` are those of base and candidate.
    init(
        quantity: CapacityQuestion.Quantity,
        change: CapacityComparisonDocument.Ratio?,
        values: [Double?],
        comparability: Comparability
    ) {
        guard comparability.comparable else {
            let reasons = comparability.differences.filter { !$0.allowed }.map(\.text)
            verdict = ComparisonVerdict(outcome: .incomparable, reasons: reasons)
            text = "These capacities are not of the same thing."
            return
        }
        let unfit = comparability.unfitRuns.filter { !$0.allowed }
        guard let change, unfit.isEmpty else {
            let reasons = unfit.map { "\($0.path): \($0.reasons.joined(separator: "; "))" }
            verdict = ComparisonVerdict(
                outcome: .inconclusive,
                reasons: reasons.isEmpty ? ["no search of one of the sides says anything certain"] : reasons
            )
            text = "Not decidable: not every search found a capacity."
            return
        }
        let words = Self.words(quantity, change, values)
        let isMoreBetter = quantity.isHarderWithMore
        let (worst, best) =
            isMoreBetter ? (change.lower, change.upper) : (1 / change.upper, 1 / change.lower)
        let what = isMoreBetter ? "capacity" : "need"
        switch (worst, best) {
        case (_, ..<1):
            text = "The \(what) \(isMoreBetter ? "fell" : "grew"): \(words)."
            verdict = ComparisonVerdict(outcome: .regression, reasons: [text])
        case (CapacityComparison.leastRatio..., _):
            let isBetter = worst > 1
            text = isBetter ? "The \(what) is better: \(words)." : "The \(what) is not worse: \(words)."
            verdict = ComparisonVerdict(outcome: .noRegression, reasons: [], improvements: isBetter ? [text] : [])
        default:
            text = "Not decidable: \(words). More searches on each side, or narrower ones (--within), would tell."
            verdict = ComparisonVerdict(outcome: .inconclusive, reasons: [text])
        }
    }

    private static func words(
        _ quantity: CapacityQuestion.Quantity,
        _ change: CapacityComparisonDocument.Ratio,
        _ values: [Double?]
    ) -> String {
        let ends = values.map { $0.map { MetricText.number($0.rounded()) } ?? "unknown" }
        return "\(ends.joined(separator: " to ")) \(quantity.unit), \(signed(change.value)) "
            + "(\(MetricText.number(change.intervalPercent))% interval: \(signed(change.lower)) to \(signed(change.upper)))"
    }

    private static func signed(_ ratio: Double) -> String {
        let percent = (ratio - 1) * 100
        return (percent < 0 ? "" : "+") + MetricText.rounded(percent, places: 1) + "%"
    }
}
