package import Thresholds

/// What became of one threshold.
package struct ThresholdResult: Equatable, Codable, Sendable {
    package var text: String
    package var metric: String
    package var comparison: String
    /// In `unit`, as is `observed`.
    package var limit: Double
    package var unit: MetricUnit
    /// Nil where there was nothing to judge.
    package var observed: Double?
    package var passed: Bool
    /// Why nothing was observed.
    package var reason: String?
    /// Present where nothing was observed because no viewer was due or nothing called for such a request: the run
    /// neither met the threshold nor missed it.
    package var isUndecided: Bool?
    /// Present where the profile does not name the threshold.
    package var isDefault: Bool?
    /// The number of samples, where they were too few for a percentile and the maximum is shown in its place.
    package var maximumOf: UInt64?

    package init(
        text: String,
        metric: String,
        comparison: String,
        limit: Double,
        unit: MetricUnit,
        observed: Double?,
        passed: Bool,
        reason: String? = nil,
        isUndecided: Bool? = nil,
        isDefault: Bool? = nil,
        maximumOf: UInt64? = nil
    ) {
        self.text = text
        self.metric = metric
        self.comparison = comparison
        self.limit = limit
        self.unit = unit
        self.observed = observed
        self.passed = passed
        self.reason = reason
        self.isUndecided = isUndecided
        self.isDefault = isDefault
        self.maximumOf = maximumOf
    }

    /// Whether the threshold counts against the run.
    package var failed: Bool { !passed && isUndecided != true }

    /// The threshold as a summary shows it, which says whether it is a default.
    package var shownText: String { isDefault == true ? text + " (default)" : text }

    /// The observed value with its unit, as a summary shows it.
    package var observedText: String {
        let isJudged = comparison != ThresholdComparison.atLeast.rawValue || limit != 0
        let value = observed.map(amount) ?? reason
        return isJudged ? value ?? "no samples" : [value, "not judged"].compactMap(\.self).joined(separator: ", ")
    }

    private func amount(_ observed: Double) -> String {
        switch unit {
        case .microseconds:
            MetricText.time(microseconds: observed) + (maximumOf.map { ", the maximum of \($0)" } ?? "")
        case .percent: MetricText.percent(observed)
        case .count: MetricText.number(observed) + (noun(of: observed).map { " \($0)" } ?? "")
        }
    }

    /// The noun of the count, where the metric's name does not say whether it is a count or a share.
    private func noun(of count: Double) -> String? {
        guard let metric = MetricCatalogue.metric(named: metric), metric.dimension == .shareOrCount else { return nil }
        return metric.noun.map { count == 1 ? String($0.dropLast()) : $0 }
    }
}
