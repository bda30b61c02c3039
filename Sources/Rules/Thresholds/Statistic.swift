/// Figure of a distribution: the last word of a duration's metric name.
package enum Statistic: String, CaseIterable, Sendable {
    case p50
    case p90
    case p95
    case p99
    case p999 = "p99.9"
    case min
    case max
    case mean

    /// From 0 to 100; nil if not a percentile.
    package var percentile: Double? {
        switch self {
        case .p50: 50
        case .p90: 90
        case .p95: 95
        case .p99: 99
        case .p999: 99.9
        case .min, .max, .mean: nil
        }
    }

    /// Fewest samples for which the percentile is not merely the maximum.
    package var samplesNeeded: UInt64 {
        switch self {
        case .p50: 2
        case .p90: 10
        case .p95: 20
        case .p99: 100
        case .p999: 1_000
        case .min, .max, .mean: 1
        }
    }
}
