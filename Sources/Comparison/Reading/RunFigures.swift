package import Results
import Rules

/// The figures of one result that a comparison needs; the rest is skipped, so that hundreds of files are read quickly.
package struct RunFigures: Equatable, Sendable {
    package struct Latency: Equatable, Sendable, Decodable {
        package var count: UInt64
        package var minimumMicroseconds: Int64
        package var maximumMicroseconds: Int64
        package var meanMicroseconds: Double
        package var p50Microseconds: Int64
        package var p90Microseconds: Int64
        package var p95Microseconds: Int64
        package var p99Microseconds: Int64
        package var p999Microseconds: Int64
    }

    package struct Requests: Equatable, Sendable, Decodable {
        package var count: UInt64
        package var errors: UInt64
        package var latencies: [String: Latency]
    }

    package struct Break: Equatable, Sendable, Decodable {
        package var due: UInt64
        package var onTime: UInt64
        package var requests: UInt64
        package var slowestResponseMicroseconds: Int64?
        package var isWarmUp: Bool?
    }

    package struct Breaks: Equatable, Sendable, Decodable {
        package var due: UInt64
        package var onTime: UInt64
        package var lateness: Latency?
        /// Delay of the discovery of breaks; nil if not recorded.
        package var discovery: Latency?
        package var each: [Break]
    }

    /// Ends of breaks that viewers scheduled.
    package struct Events: Equatable, Sendable, Decodable {
        package var scheduled: UInt64
        package var failed: UInt64
    }

    package struct Finding: Equatable, Sendable, Decodable {
        package var code: String
        package var severity: String
        package var meaning: String
        package var count: UInt64
        /// Distinct affected viewers; nil in results without the count.
        package var viewers: UInt64?
        package var viewersPercent: Double
        package var allowed: Bool

        var isAdvice: Bool { severity == Severity.advice.rawValue }
    }

    package struct Health: Equatable, Sendable, Decodable {
        package var withinBudget: Bool
        package var suspect: Bool
        package var reasons: [String]
    }

    /// As the user would write it.
    package var path: String
    /// Version of the source document, which decides the meaning of its figures.
    package var schemaVersion: Int = ResultDocument.schemaVersion
    package var podswarmVersion: String
    package var verdict: RunVerdict
    package var run: RunDescription
    package var health: Health
    package var joined: UInt64
    package var breaks: Breaks
    /// Nil if no viewer scheduled a break.
    package var events: Events?
    package var findings: [Finding]
    package var requests: [String: Requests]
    /// Requested whole distributions, by names such as `pod_manifest.response`.
    package var distributions: [String: LatencyResult] = [:]
}
