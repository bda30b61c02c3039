package import Rules

package struct ThresholdResult: Equatable, Codable, Sendable {
    package var text: String
    package var metric: String
    package var comparison: String
    /// In `unit`, as is `observed`.
    package var limit: Double
    package var unit: MetricUnit
    package var observed: Double?
    package var passed: Bool
    package var reason: String?
    /// Present if nothing was observed because no viewer was due or no answer called for such a request: the run neither met
    /// nor missed the threshold.
    package var isUndecided: Bool?
    /// Present if the threshold is a default and not from the profile.
    package var isDefault: Bool?
    /// Number of samples, if too few for a percentile, so that the maximum is shown instead.
    package var maximumOf: UInt64?

    package var failed: Bool { !passed && isUndecided != true }

    package var shownText: String { isDefault == true ? text + " (default)" : text }

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

    /// Noun of the count, if the metric can be a count or a share.
    private func noun(of count: Double) -> String? {
        guard let metric = MetricCatalogue.metric(named: metric), metric.dimension == .shareOrCount else { return nil }
        return metric.noun.map { count == 1 ? String($0.dropLast()) : $0 }
    }
}
