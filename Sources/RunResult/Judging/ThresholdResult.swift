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
    /// Why a threshold without an observed value failed.
    package var reason: String?

    package init(
        text: String,
        metric: String,
        comparison: String,
        limit: Double,
        unit: MetricUnit,
        observed: Double?,
        passed: Bool,
        reason: String? = nil
    ) {
        self.text = text
        self.metric = metric
        self.comparison = comparison
        self.limit = limit
        self.unit = unit
        self.observed = observed
        self.passed = passed
        self.reason = reason
    }

    /// The observed value with its unit, as a summary shows it.
    package var observedText: String {
        guard let observed else { return reason ?? "no samples" }
        return switch unit {
        case .microseconds: MetricText.time(microseconds: observed)
        case .percent: MetricText.percent(observed)
        case .count: MetricText.number(observed)
        }
    }
}
