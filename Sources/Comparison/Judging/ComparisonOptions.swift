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
    package var marginsPercent: [String: Double]
    package var floorMicroseconds: Double
    package var rateTolerancePoints: Double
    package var allowed: Set<Aspect>
    /// Whether unfit runs are excluded instead of making the sides incomparable.
    package var leavesUnfitAside: Bool
    package var confidence: Double
    package var significance: Double
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

    /// The relative margin of a metric: the declared one, else 5 % for the median and the mean, 10 % for the rest.
    package func marginPercent(of quantile: ComparedQuantile) -> Double {
        if let declared = marginsPercent[quantile.name] { return declared }
        return switch quantile.statistic {
        case .p50, .mean: 5
        case .p90, .p95, .p99, .p999, .min, .max: 10
        }
    }
}
