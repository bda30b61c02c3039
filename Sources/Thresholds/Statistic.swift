/// The last word of a duration's metric name: which figure of its distribution is meant.
package enum Statistic: String, CaseIterable, Sendable {
    case p50
    case p90
    case p95
    case p99
    case p999 = "p99.9"
    case min
    case max
    case mean
}
