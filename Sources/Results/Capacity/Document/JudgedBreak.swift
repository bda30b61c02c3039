import Rules

package struct JudgedBreak: Equatable, Codable, Sendable {
    package enum Outcome: String, Codable, Sendable, CaseIterable {
        case held
        case missed
        /// The break did not hold, and podswarm or its machine may be the reason: no information on the target.
        case censored
    }

    /// Requests of one kind around the break.
    package struct Requests: Equatable, Codable, Sendable {
        package var kind: String
        package var count: UInt64
        /// Errors that count against the target, by stable code.
        package var errors: [String: UInt64] = [:]
        /// Answered requests only; nil without any.
        package var p50Microseconds: Int64?
        package var p99Microseconds: Int64?

        package var errorCount: UInt64 { errors.values.reduce(0, &+) }
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
    package var planned: Int
    package var watching: Int
    package var due: UInt64
    package var onTime: UInt64
    package var late: UInt64
    /// Viewers without their pod, by reason.
    package var failed: [String: UInt64]
    package var skipped: [String: UInt64]
    package var unresolved: UInt64
    package var outcome: Outcome
    /// The violated parts of the rule, with figures; empty for a break that held.
    package var broken: [String]
    /// Limits of podswarm or its machine during the break; a break that held can have some.
    package var limits: [String]
    package var slowestResponseMicroseconds: Int64
    /// Highest rate in one second: pods and lists that begin the break, and all kinds.
    package var peakPodRequestsPerSecond: Double
    package var peakRequestsPerSecond: Double
    /// Viewers that got their pod in a second, from the first request until 95 % of them had it; nil if none got it.
    package var servedPerSecond: Double?
    package var requests: [Requests]
    package var edges: [Edge]

    /// Nil if no viewer was due.
    package var onTimePercent: Double? { due == 0 ? nil : Double(onTime) * 100 / Double(due) }
}

extension JudgedBreak {
    /// A missed break without counts, because its audience was lost before.
    ///
    /// `startMicroseconds` is since the Unix epoch.
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
