import Comparison
package import Results
import Rules
import Values

extension CapacityAnswer {
    /// The estimate in words; `reason` replaces the estimate's own reason for the end of the search.
    init(_ estimate: CapacityEstimate, of asked: CapacityQuestion, endedBy reason: String?) {
        let width = estimate.relativeWidth ?? .infinity
        let kind: Kind =
            switch estimate.bound {
            case .unknown: .unknown
            case .measured: width * 100 <= asked.withinPercent + 1e-9 ? .found : .wide
            case .atLeast: asked.quantity.isHarderWithMore ? .atLeast : .below
            case .atMost: asked.quantity.isHarderWithMore ? .below : .atLeast
            }
        self.init(
            kind: kind,
            value: estimate.value,
            lower: estimate.lower,
            upper: estimate.upper,
            halfHeld: estimate.medianHeld,
            runNoisePercent: estimate.betweenRuns.map { $0 * 100 },
            breakNoisePercent: estimate.betweenBreaks.map { $0 * 100 },
            reason: [reason, estimate.words(of: asked)].compactMap(\.self).joined(separator: "; ").nonEmpty,
            text: Self.text(kind, estimate, asked)
        )
    }

    private static func text(_ kind: Kind, _ estimate: CapacityEstimate, _ asked: CapacityQuestion) -> String {
        let share = MetricText.percent(asked.sharePercent)
        guard let value = estimate.value else { return "Nothing is known yet." }
        let number = asked.quantity.number(value)
        let ends = [estimate.lower, estimate.upper].compactMap(\.self).map { asked.quantity.number($0) }
        let interval = ends.count == 2 ? " (90 % interval: \(ends[0]) to \(ends[1]))" : ""
        guard asked.quantity == .viewers else {
            let what = "\(asked.quantity.word) of \(number) ms holds the breaks of \(asked.audience)"
            switch kind {
            case .found, .wide: return "A \(what) in \(share) of breaks\(interval)."
            case .atLeast: return "A \(what); less was not asked for."
            case .below: return "Not even a \(what)."
            case .unknown: return "Nothing is known yet."
            }
        }
        let isOne = number == "1"
        let what = isOne ? "1 viewer holds" : "\(number) viewers hold"
        switch kind {
        case .found, .wide: return "\(what) in \(share) of breaks\(interval)."
        case .atLeast: return "At least \(what); more was out of reach."
        case .below: return "Not even the break of \(number) viewer\(isOne ? "" : "s") holds."
        case .unknown: return "Nothing is known yet."
        }
    }
}

extension CapacityQuestion {
    fileprivate var audience: String { "\(quantity.number(Double(viewers ?? 0))) viewers" }
}

extension CapacityEstimate {
    fileprivate func words(of asked: CapacityQuestion) -> String? {
        switch reason {
        case .nothingTried, .measured: nil
        case .everythingHeld:
            asked.ceilingReason.map { "the ceiling is that of this machine (\($0)); add machines" }
                ?? "everything held up to the ceiling (--ceiling)"
        case .generatorLimited: "podswarm or its machine was the limit beyond that: add machines"
        case .nothingHeld: "nothing that was tried held"
        }
    }
}

extension CapacityQuestion.Quantity {
    package func number(_ value: Double) -> String { GroupedDigits.text(rounding: value) }

    fileprivate var word: String {
        switch self {
        case .viewers: "audience"
        case .jitter: "jitter"
        case .lead: "lead"
        }
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
