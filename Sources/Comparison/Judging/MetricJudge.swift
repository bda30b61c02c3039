import Glibc
package import Rules
import Values

/// One observation is one run's quantile, on a logarithmic scale.
struct MetricJudge {
    let base: [RunFigures]
    let candidate: [RunFigures]
    let options: ComparisonOptions
    /// Number of metrics judged together.
    private(set) var family = 1
    /// Key: the number of figures of each side.
    private(set) var distributions: [[Int]: MannWhitney] = [:]

    /// Judges the gates as one family, and the other metrics that were measured as another, in that order.
    mutating func judge(gates: [ComparedQuantile], others: [ComparedQuantile]) -> [MetricComparison] {
        family = max(1, gates.count)
        let measured = others.map { tested($0, gating: false) }.filter { $0.shift != nil }
        return judged(gates.map { tested($0, gating: true) }) + judged(measured)
    }

    private func judged(_ metrics: [Tested]) -> [MetricComparison] {
        let worse = HolmCorrection.adjusted(metrics.map(\.comparison.regressionP))
        let better = HolmCorrection.adjusted(metrics.map(\.comparison.improvementP))
        return metrics.indices.map { index in
            var comparison = metrics[index].comparison
            (comparison.regressionAdjustedP, comparison.improvementAdjustedP) = (worse[index], better[index])
            if let shift = metrics[index].shift {
                comparison.verdict = verdict(comparison, shift, metrics[index].margin)
                if comparison.verdict == .inconclusive {
                    comparison.runsNeededPerSide = runsNeeded(metrics[index], shift)
                }
            }
            comparison.text = MetricText.sentence(comparison)
            return comparison
        }
    }

    private struct Tested {
        var comparison: MetricComparison
        /// Logarithms; nil if a side was not measured.
        var shift: ShiftEstimate?
        var margin = 0.0
    }

    private mutating func tested(_ quantile: ComparedQuantile, gating: Bool) -> Tested {
        let percent = options.marginPercent(of: quantile)
        var comparison = MetricComparison(
            metric: quantile.name,
            gating: gating,
            base: side(quantile, base),
            candidate: side(quantile, candidate),
            marginPercent: percent,
            appliedMarginPercent: percent
        )
        let (before, after) = (Self.logarithms(comparison.base), Self.logarithms(comparison.candidate))
        guard let median = comparison.base.medianMicroseconds, !after.isEmpty,
            let shift = ShiftEstimate(
                from: before,
                to: after,
                confidence: ComparisonMethod.confidence,
                distribution: distribution(before.count, after.count)
            )
        else { return Tested(comparison: comparison) }
        // Margin and floor must both be exceeded.
        let margin = log1p(max(percent / 100, options.floorMicroseconds / max(1, median)))
        comparison.appliedMarginPercent = expm1(margin) * 100
        comparison.ratio = exp(shift.shift)
        comparison.ratioLow = shift.low.map { exp($0) }
        comparison.ratioHigh = shift.high.map { exp($0) }
        comparison.achievedConfidencePercent = shift.confidence.map { $0 * 100 }
        comparison.regressionP = shift.probability(ofNoMoreThan: margin)
        comparison.improvementP = shift.probability(ofNoLessThan: -margin)
        return Tested(comparison: comparison, shift: shift, margin: margin)
    }

    private mutating func distribution(_ baseCount: Int, _ candidateCount: Int) -> MannWhitney {
        if let known = distributions[[baseCount, candidateCount]] { return known }
        let distribution = MannWhitney(baseCount, candidateCount)
        distributions[[baseCount, candidateCount]] = distribution
        return distribution
    }

    /// 0 µs means less than the clock's resolution.
    private static func logarithms(_ side: MetricComparison.Side) -> [Double] {
        side.runsMicroseconds.compactMap { $0.map { log(max(1, $0)) } }
    }

    /// The interval decides "no regression"; a change must be significant after Holm's correction.
    private func verdict(_ comparison: MetricComparison, _ shift: ShiftEstimate, _ margin: Double) -> FigureVerdict {
        // A probability such as 4/252 must not miss its level by a rounding error.
        let level = ComparisonMethod.significance * (1 + 1e-9)
        if comparison.regressionAdjustedP ?? 1 <= level { return .regression }
        if comparison.improvementAdjustedP ?? 1 <= level { return .improvement }
        guard let high = shift.high, high < margin else { return .inconclusive }
        return .noRegression
    }

    private func runsNeeded(_ metric: Tested, _ shift: ShiftEstimate) -> Int? {
        RunsNeeded.perSide(
            base: Self.logarithms(metric.comparison.base),
            candidate: Self.logarithms(metric.comparison.candidate),
            shift: shift.shift,
            margin: metric.margin,
            tail: (1 - ComparisonMethod.confidence) / 2,
            family: family
        )
    }

    private func side(_ quantile: ComparedQuantile, _ runs: [RunFigures]) -> MetricComparison.Side {
        var side = MetricComparison.Side(runsMicroseconds: runs.map { quantile.microseconds(in: $0) })
        side.medianMicroseconds = OrderStatistics.median(side.runsMicroseconds.compactMap(\.self))
        side.spread = OrderStatistics.standardDeviation(Self.logarithms(side))
        return side
    }
}

extension MetricText {
    /// For example `+18.2%`, or `12.3 times` from a factor of ten on.
    package static func change(ratio: Double) -> String {
        guard ratio < 10 else { return rounded(ratio, places: 1) + " times" }
        let percent = (ratio - 1) * 100
        let text = rounded(percent, places: 1) + "%"
        return percent < 0 ? text : "+" + text
    }

    package static func interval(_ comparison: MetricComparison) -> String? {
        guard let low = comparison.ratioLow, let high = comparison.ratioHigh else { return nil }
        return "\(change(ratio: low)) to \(change(ratio: high))"
    }

    static func sentence(_ comparison: MetricComparison) -> String {
        guard let ratio = comparison.ratio else {
            return "\(comparison.metric) was not measured on \(missing(comparison))"
        }
        let applied = margin(comparison)
        let interval = interval(comparison) ?? "too few runs for an interval"
        let figures = "\(comparison.metric): \(change(ratio: ratio)) (\(interval))"
        return switch comparison.verdict {
        case .regression: "\(figures), slower beyond the margin of \(applied)"
        case .improvement: "\(figures), faster beyond the margin of \(applied)"
        case .noRegression: "\(figures), within the margin of \(applied)"
        case .inconclusive, .notMeasured:
            figures
                + (comparison.unprovedChange.map { ", \($0) beyond the margin of \(applied), not yet proved" }
                    ?? ", not yet proved to be within the margin of \(applied)")
                + ": \(counsel(comparison.moreRuns))"
        }
    }

    private static func missing(_ comparison: MetricComparison) -> String {
        switch (comparison.base.medianMicroseconds, comparison.candidate.medianMicroseconds) {
        case (nil, nil): "either side"
        case (nil, _): "the base"
        default: "the candidate"
        }
    }

    private static func margin(_ comparison: MetricComparison) -> String {
        let isFloor = comparison.appliedMarginPercent > comparison.marginPercent * (1 + 1e-9)
        return percent(comparison.appliedMarginPercent) + (isFloor ? " (from --floor)" : "")
    }

    private static func counsel(_ more: Int?) -> String {
        more.map { "make \(GroupedDigits.counted($0, "more run")) on each side" }
            ?? "runs differ so much, or the change is so near its margin, that over \(RunsNeeded.most) runs on each side"
            + " would be needed to tell"
    }
}
