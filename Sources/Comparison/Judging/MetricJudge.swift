import Glibc
package import Rules

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
        let measured = others.map { ($0, estimate($0)) }.filter { $0.1 != nil }
        return judgeFamily(gates.map { ($0, estimate($0)) }, gating: true) + judgeFamily(measured, gating: false)
    }

    private func judgeFamily(_ metrics: [(ComparedQuantile, Estimate?)], gating: Bool) -> [MetricComparison] {
        let worse = HolmCorrection.adjusted(metrics.map(\.1?.regressionP))
        let better = HolmCorrection.adjusted(metrics.map(\.1?.improvementP))
        return metrics.indices.map { index in
            let adjusted = (worse[index] ?? 1, better[index] ?? 1)
            return comparison(metrics[index].0, metrics[index].1, gating: gating, adjusted: adjusted)
        }
    }

    private struct Estimate {
        var shift: ShiftEstimate
        var margin: Double
        var regressionP: Double
        var improvementP: Double
        var baseLogarithms: [Double]
        var candidateLogarithms: [Double]
    }

    private mutating func estimate(_ quantile: ComparedQuantile) -> Estimate? {
        let figures = base.compactMap { quantile.microseconds(in: $0) }
        let logarithms = figures.map(Self.logarithm)
        let others = candidate.compactMap { quantile.microseconds(in: $0) }.map(Self.logarithm)
        guard let median = OrderStatistics.median(figures), !others.isEmpty else { return nil }
        let distribution = distribution(logarithms.count, others.count)
        guard
            let shift = ShiftEstimate(
                from: logarithms,
                to: others,
                confidence: options.confidence,
                distribution: distribution
            )
        else { return nil }
        let margin = margin(of: quantile, around: median)
        return Estimate(
            shift: shift,
            margin: margin,
            regressionP: shift.probability(ofNoMoreThan: margin),
            improvementP: shift.probability(ofNoLessThan: -margin),
            baseLogarithms: logarithms,
            candidateLogarithms: others
        )
    }

    private mutating func distribution(_ baseCount: Int, _ candidateCount: Int) -> MannWhitney {
        if let known = distributions[[baseCount, candidateCount]] { return known }
        let distribution = MannWhitney(baseCount, candidateCount)
        distributions[[baseCount, candidateCount]] = distribution
        return distribution
    }

    /// Margin and floor must both be exceeded.
    private func margin(of quantile: ComparedQuantile, around median: Double) -> Double {
        let relative = options.marginPercent(of: quantile) / 100
        return log1p(max(relative, options.floorMicroseconds / max(1, median)))
    }

    /// 0 µs means less than the clock's resolution.
    private static func logarithm(_ microseconds: Double) -> Double { log(max(1, microseconds)) }

    private func comparison(
        _ quantile: ComparedQuantile,
        _ estimate: Estimate?,
        gating: Bool,
        adjusted: (regression: Double, improvement: Double)
    ) -> MetricComparison {
        var comparison = MetricComparison(
            metric: quantile.name,
            gating: gating,
            base: side(quantile, base),
            candidate: side(quantile, candidate),
            marginPercent: options.marginPercent(of: quantile),
            appliedMarginPercent: options.marginPercent(of: quantile),
            verdict: .notMeasured,
            text: ""
        )
        if let estimate {
            comparison.appliedMarginPercent = expm1(estimate.margin) * 100
            comparison.ratio = exp(estimate.shift.shift)
            comparison.ratioLow = estimate.shift.low.map { exp($0) }
            comparison.ratioHigh = estimate.shift.high.map { exp($0) }
            comparison.achievedConfidencePercent = estimate.shift.confidence.map { $0 * 100 }
            comparison.regressionP = estimate.regressionP
            comparison.regressionAdjustedP = adjusted.regression
            comparison.improvementP = estimate.improvementP
            comparison.improvementAdjustedP = adjusted.improvement
            comparison.verdict = verdict(estimate, adjusted)
            if comparison.verdict == .inconclusive {
                comparison.runsNeededPerSide = runsNeeded(estimate)
            }
        }
        comparison.text = MetricText.sentence(comparison)
        return comparison
    }

    /// The interval decides "no regression"; a change must be significant after Holm's correction.
    private func verdict(_ estimate: Estimate, _ adjusted: (regression: Double, improvement: Double)) -> FigureVerdict {
        // A probability such as 4/252 must not miss its level by a rounding error.
        let level = options.significance * (1 + 1e-9)
        if adjusted.regression <= level { return .regression }
        if adjusted.improvement <= level { return .improvement }
        guard let high = estimate.shift.high, high < estimate.margin else { return .inconclusive }
        return .noRegression
    }

    private func runsNeeded(_ estimate: Estimate) -> Int? {
        RunsNeeded.perSide(
            base: estimate.baseLogarithms,
            candidate: estimate.candidateLogarithms,
            shift: estimate.shift.shift,
            margin: estimate.margin,
            tail: (1 - options.confidence) / 2,
            family: family
        )
    }

    private func side(_ quantile: ComparedQuantile, _ runs: [RunFigures]) -> MetricComparison.Side {
        let figures = runs.map { quantile.microseconds(in: $0) }
        let measured = figures.compactMap(\.self)
        return MetricComparison.Side(
            runsMicroseconds: figures,
            medianMicroseconds: OrderStatistics.median(measured),
            spread: OrderStatistics.standardDeviation(measured.map(Self.logarithm))
        )
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
        guard let interval = interval(comparison) else {
            return "\(comparison.metric): \(change(ratio: ratio)), with too few runs for an interval"
                + "; \(counsel(comparison.runsNeededPerSide))"
        }
        let figures = "\(comparison.metric): \(change(ratio: ratio)) (\(interval))"
        return switch comparison.verdict {
        case .regression: "\(figures), slower beyond the margin of \(applied)"
        case .improvement: "\(figures), faster beyond the margin of \(applied)"
        case .noRegression: "\(figures), within the margin of \(applied)"
        case .inconclusive, .notMeasured:
            "\(figures), neither shown to be within the margin of \(applied) nor beyond it"
                + "; \(counsel(comparison.runsNeededPerSide))"
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
        let applied = percent(comparison.appliedMarginPercent)
        return comparison.appliedMarginPercent > comparison.marginPercent * (1 + 1e-9)
            ? "\(applied), which is the absolute floor" : applied
    }

    private static func counsel(_ runs: Int?) -> String {
        runs.map { "about \($0) runs on each side would tell" }
            ?? "runs differ so much, or the change is so near its margin, that over \(RunsNeeded.most) runs on each side"
            + " would be needed to tell"
    }
}
