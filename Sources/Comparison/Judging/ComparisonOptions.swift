package import Rules

/// Declared before any run is read.
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
    /// Keyed by metric name; they replace the default ones.
    package var marginsPercent: [String: Double] = [:]
    package var floorMicroseconds: Double = 1_000
    package var rateTolerancePoints: Double = 0.1
    package var allowed: Set<Aspect> = []
    /// Excludes unfit runs instead of making the sides incomparable.
    package var leavesUnfitAside: Bool = false

    package static let standard = ComparisonOptions()

    /// The declared margin, else 5 % for the median and the mean, 10 % for the rest.
    package func marginPercent(of quantile: ComparedQuantile) -> Double {
        if let declared = marginsPercent[quantile.name] { return declared }
        return switch quantile.statistic {
        case .p50, .mean: 5
        case .p90, .p95, .p99, .p999, .min, .max: 10
        }
    }
}

/// A quantile of each run, such as `pod_manifest.response.p99`.
package struct ComparedQuantile: Hashable, Sendable {
    /// Without the statistic, for example `pod_manifest.response`.
    package let distribution: String
    package let statistic: Statistic

    package var name: String { "\(distribution).\(statistic.rawValue)" }

    package init(named name: String) throws(ThresholdError) {
        let problem: String
        switch MetricCatalogue.metric(named: name) {
        case .latency(_?, _, let statistic)?, .breakLateness(let statistic)?, .breakDiscovery(let statistic)?:
            self.init(String(name.dropLast(statistic.rawValue.count + 1)), statistic)
            return
        case .latency?: problem = "'\(name)' is over all request kinds, which results hold apart; name one kind"
        case nil: throw MetricCatalogue.refusal(of: name)
        default:
            problem =
                "'\(name)' has no distribution to take quantiles of; punctuality, errors and findings are always judged"
        }
        throw ThresholdError(problem)
    }

    private init(_ distribution: String, _ statistic: Statistic) {
        (self.distribution, self.statistic) = (distribution, statistic)
    }

    init(_ kind: RequestKind, _ metric: LatencyMetric, _ statistic: Statistic) {
        self.init("\(kind.name).\(metric.name)", statistic)
    }

    /// Nil if the run recorded nothing.
    package func microseconds(in run: RunFigures) -> Double? {
        guard let latency = run.latency(of: distribution), latency.count > 0 else { return nil }
        return switch statistic {
        case .p50: Double(latency.p50Microseconds)
        case .p90: Double(latency.p90Microseconds)
        case .p95: Double(latency.p95Microseconds)
        case .p99: Double(latency.p99Microseconds)
        case .p999: Double(latency.p999Microseconds)
        case .min: Double(latency.minimumMicroseconds)
        case .max: Double(latency.maximumMicroseconds)
        case .mean: latency.meanMicroseconds
        }
    }

    package static let standardGates: [ComparedQuantile] = [
        ComparedQuantile(.podManifest, .response, .p50),
        ComparedQuantile(.podManifest, .response, .p99),
        ComparedQuantile(.playlist, .response, .p99),
    ]

    /// Shown beside the gates.
    package static let informational: [ComparedQuantile] =
        RequestKind.allCases.flatMap { kind in
            [Statistic.p50, .p95, .p99].map { ComparedQuantile(kind, .response, $0) }
                + [.p50, .p99].map { ComparedQuantile(kind, .service, $0) }
                + [.firstByte, .lateness].map { ComparedQuantile(kind, $0, .p99) }
        } + [ComparedQuantile("breaks.lateness", .p99), ComparedQuantile("break_discovery", .p99)]
}
