import Rulebook

/// One break of a search, as it was judged.
package struct JudgedBreak: Equatable, Codable, Sendable {
    /// What it says of the target.
    package enum Outcome: String, Codable, Sendable, CaseIterable {
        case held
        case missed
        /// It did not hold, and podswarm or its machine may be why: of the target it says nothing.
        case censored
    }

    /// What was asked for around it, of one kind.
    package struct Requests: Equatable, Codable, Sendable {
        package var kind: String
        package var count: UInt64
        /// Those that count against the target, by their stable codes.
        package var errors: [String: UInt64]
        /// Of those that were answered; nil where none was.
        package var p50Microseconds: Int64?
        package var p99Microseconds: Int64?

        package var errorCount: UInt64 { errors.values.reduce(0, &+) }

        package init(
            kind: String,
            count: UInt64,
            errors: [String: UInt64] = [:],
            p50Microseconds: Int64? = nil,
            p99Microseconds: Int64? = nil
        ) {
            self.kind = kind
            self.count = count
            self.errors = errors
            self.p50Microseconds = p50Microseconds
            self.p99Microseconds = p99Microseconds
        }
    }

    package struct Edge: Equatable, Codable, Sendable {
        package var address: String
        package var pop: String
        package var count: UInt64
        package var errors: UInt64
        package var p99Microseconds: Int64?
    }

    package var key: String
    package var startMicroseconds: Int64
    /// Viewers that were planned to watch then.
    package var planned: Int
    /// Viewers that watched, at most.
    package var watching: Int
    package var due: UInt64
    package var onTime: UInt64
    package var late: UInt64
    /// Viewers without their pod, by why.
    package var failed: [String: UInt64]
    package var skipped: [String: UInt64]
    package var unresolved: UInt64
    package var outcome: Outcome
    /// What of the rule it broke, with the figures; empty where it held.
    package var broken: [String]
    /// What limited podswarm or its machine meanwhile; it may stand beside a break that held.
    package var limits: [String]
    package var slowestResponseMicroseconds: Int64
    /// In one second, of pods and lists that begin the break, and of all kinds.
    package var peakPodRequestsPerSecond: Double
    package var peakRequestsPerSecond: Double
    /// Viewers that were given their pod in a second, from the first request to when 95 % of them had it; nil where nobody had.
    package var servedPerSecond: Double?
    package var requests: [Requests]
    package var edges: [Edge]

    /// Of viewers due that had their pod in time; nil where nobody was due.
    package var onTimePercent: Double? { due == 0 ? nil : Double(onTime) * 100 / Double(due) }
}

extension JudgedBreak {
    /// A break that was to be and of which nothing was counted: whoever should have asked for it was lost before.
    ///
    /// - Parameters:
    ///   - startMicroseconds: Since the Unix epoch.
    ///   - planned: Viewers that were planned to watch then.
    ///   - reason: What became of it.
    /// - Returns: A break that was missed.
    package static func lost(startMicroseconds: Int64, planned: Int, reason: String) -> JudgedBreak {
        JudgedBreak(
            key: "",
            startMicroseconds: startMicroseconds,
            planned: planned,
            watching: 0,
            due: 0,
            onTime: 0,
            late: 0,
            failed: [:],
            skipped: [:],
            unresolved: 0,
            outcome: .missed,
            broken: [reason],
            limits: [],
            slowestResponseMicroseconds: 0,
            peakPodRequestsPerSecond: 0,
            peakRequestsPerSecond: 0,
            servedPerSecond: nil,
            requests: [],
            edges: []
        )
    }
}
