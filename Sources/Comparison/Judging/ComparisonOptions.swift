import Thresholds

/// What was declared before any run was looked at.
package struct ComparisonOptions: Equatable, Sendable {
    /// What runs may differ in without being refused, when the user insists.
    package enum Aspect: String, CaseIterable, Sendable {
        case profile
        case host
        case transport
        case clientLimited = "client-limited"
        case suspect
        case interrupted
        case aborted
    }

    /// Nil for the standard ones, without those that neither side has measured.
    package var gates: [ComparedQuantile]?
    /// Relative margins in percent, by metric name, where they are not the standard ones.
    package var marginsPercent: [String: Double]
    package var floorMicroseconds: Double
    package var rateTolerancePoints: Double
    package var allowed: Set<Aspect>
    /// Whether unfit runs are left aside instead of making the sides incomparable.
    package var leavesUnfitAside: Bool
    /// Two-sided, of the intervals.
    package var confidence: Double
    package var significance: Double
    /// Of the bootstrap.
    package var seed: UInt64

    package init(
        gates: [ComparedQuantile]? = nil,
        marginsPercent: [String: Double] = [:],
        floorMicroseconds: Double = 1_000,
        rateTolerancePoints: Double = 0.1,
        allowed: Set<Aspect> = [],
        leavesUnfitAside: Bool = false,
        confidence: Double = 0.9,
        significance: Double = 0.05,
        seed: UInt64 = 1
    ) {
        self.gates = gates
        self.marginsPercent = marginsPercent
        self.floorMicroseconds = floorMicroseconds
        self.rateTolerancePoints = rateTolerancePoints
        self.allowed = allowed
        self.leavesUnfitAside = leavesUnfitAside
        self.confidence = confidence
        self.significance = significance
        self.seed = seed
    }

    /// The relative margin of a metric: the declared one, else 5 % in the middle of a distribution and 10 % outside.
    ///
    /// - Parameter quantile: The metric.
    /// - Returns: Percent.
    package func marginPercent(of quantile: ComparedQuantile) -> Double {
        if let declared = marginsPercent[quantile.name] { return declared }
        return switch quantile.statistic {
        case .p50, .mean: 5
        case .p90, .p95, .p99, .p999, .min, .max: 10
        }
    }
}
