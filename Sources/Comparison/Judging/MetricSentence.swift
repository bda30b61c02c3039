package import Rules

extension MetricText {
    /// A change in percent with its sign, for example `+18.2%`; beyond a factor of ten the factor, as in `12.3 times`.
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
            ? "\(applied), which the absolute floor comes to" : applied
    }

    private static func counsel(_ runs: Int?) -> String {
        runs.map { "about \($0) runs on each side would tell" }
            ?? "runs differ so much, or the change is so near its margin, that over \(RunsNeeded.most) runs on each side"
            + " would be needed to tell"
    }
}
