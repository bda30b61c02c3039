import Rules

/// Options of a comparison, declared before any run is read.
package struct ComparisonOptions: Equatable, Sendable {
    package enum Aspect: String, CaseIterable, Sendable {
        case profile
        case host
        case transport
        case clientLimited = "client-limited"
        case suspect
        case interrupted
        case aborted
    }

    /// Nil for the default ones, without those that neither side has measured.
    package var gates: [ComparedQuantile]?
    /// Relative margins in percent, by metric name, that replace the default ones.
    package var marginsPercent: [String: Double] = [:]
    package var floorMicroseconds: Double = 1_000
    package var rateTolerancePoints: Double = 0.1
    package var allowed: Set<Aspect> = []
    /// Whether unfit runs are excluded instead of making the sides incomparable.
    package var leavesUnfitAside: Bool = false
    package var confidence: Double = 0.9
    package var significance: Double = 0.05
    package var seed: UInt64 = 1

    package static let standard = ComparisonOptions()

    /// The relative margin of a metric: the declared one, else 5 % for the median and the mean, 10 % for the rest.
    package func marginPercent(of quantile: ComparedQuantile) -> Double {
        if let declared = marginsPercent[quantile.name] { return declared }
        return switch quantile.statistic {
        case .p50, .mean: 5
        case .p90, .p95, .p99, .p999, .min, .max: 10
        }
    }
}
