/// What a live page shows of one instant, as the small JSON that is sent to it every second.
///
/// Units stand in the names, as in a result. It holds nothing that a result does not hold: what is redacted there is
/// redacted here.
package struct LiveUpdate: Equatable, Codable, Sendable {
    package struct ViewerState: Equatable, Codable, Sendable {
        package var name: String
        package var count: Int
    }

    package struct Latency: Equatable, Codable, Sendable {
        package struct Figures: Equatable, Codable, Sendable {
            package var count: UInt64
            package var p50Microseconds: Int64
            package var p95Microseconds: Int64
            package var p99Microseconds: Int64
            package var maximumMicroseconds: Int64
        }

        /// The request kind.
        package var kind: String
        package var requests: UInt64
        package var errors: UInt64
        /// Response times since the last update; nil where nothing was answered.
        package var interval: Figures?
        /// Response times since the start.
        package var total: Figures?
    }

    package struct Break: Equatable, Codable, Sendable {
        package struct Burst: Equatable, Codable, Sendable {
            /// Length of one step.
            package var stepMilliseconds: Int
            /// Offset of the first step from the break's start.
            package var firstMilliseconds: Int
            package var counts: [UInt32]
        }

        package var key: String
        package var startMicroseconds: Int64
        package var durationMilliseconds: Int
        package var due: UInt64
        package var onTime: UInt64
        package var late: UInt64
        package var failed: UInt64
        package var unresolved: UInt64
        /// Failed viewers by reason.
        package var reasons: [String: UInt64]
        /// Pod requests around the start; only of the latest break.
        package var burst: Burst?
    }

    package struct Finding: Equatable, Codable, Sendable {
        package var code: String
        package var severity: String
        package var meaning: String
        package var count: UInt64
        package var firstSeenMicroseconds: Int64?
        package var expected: String?
        package var observed: String?
    }

    package struct Generator: Equatable, Codable, Sendable {
        package var cpuCores: Double
        package var loopCores: Int
        package var residentBytes: Int64
        package var openDescriptors: Int
        package var descriptorLimit: Int
        package var lateStarts: Int
        package var droppedStarts: Int
        package var latenessMaximumMicroseconds: Int64
        package var latenessAllowedMicroseconds: Int64
        package var loopDelayMaximumMicroseconds: Int64
        /// Why the run says more of the generator than of the target; empty while it does not.
        package var limits: [String]
    }

    package struct Shard: Equatable, Codable, Sendable {
        package var index: Int
        package var host: String?
        package var state: String
        package var viewers: Int64
        package var requests: UInt64
        package var errors: UInt64
        package var latenessMaximumMicroseconds: Int64
        package var isLimited: Bool

        private enum CodingKeys: String, CodingKey {
            case index
            case host
            case state
            case viewers
            case requests
            case errors
            case latenessMaximumMicroseconds = "lateness_max_us"
            case isLimited = "is_limited"
        }
    }

    package var elapsedSeconds: Int
    /// Nil for a run without an end.
    package var leftSeconds: Int?
    /// Nil where no further break is known.
    package var nextBreakSeconds: Int?
    package var viewers: [ViewerState]
    package var requests: UInt64
    package var errors: UInt64
    package var due: UInt64
    package var onTime: UInt64
    /// Newest first, a dozen at most.
    package var breaks: [Break]
    package var latencies: [Latency]
    /// Gravest first, then in the order of the table.
    package var findings: [Finding]
    package var generator: Generator
    package var point: LivePoint
    /// Nil for a run that is its whole plan.
    package var shards: [Shard]?
}
