import Rules

/// `Report/Schema/capacity.fields` describes each member.
package struct JudgedBreak: Equatable, Codable, Sendable {
    package enum Outcome: String, Codable, Sendable, CaseIterable {
        case held
        case missed
        /// Not held, possibly because of podswarm or its machine: no information on the target.
        case censored
    }

    package struct Requests: Equatable, Codable, Sendable {
        package var kind: String
        package var count: UInt64
        package var errors: [String: UInt64] = [:]
        package var p50Microseconds: Int64?
        package var p99Microseconds: Int64?
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
    package var watching: Int = 0
    package var due: UInt64 = 0
    package var onTime: UInt64 = 0
    package var late: UInt64 = 0
    package var failed: [String: UInt64] = [:]
    package var skipped: [String: UInt64] = [:]
    package var unresolved: UInt64 = 0
    package var outcome: Outcome
    package var broken: [String]
    package var limits: [String] = []
    package var slowestResponseMicroseconds: Int64 = 0
    package var peakPodRequestsPerSecond: Double = 0
    package var peakRequestsPerSecond: Double = 0
    package var servedPerSecond: Double?
    package var requests: [Requests] = []
    package var edges: [Edge] = []

    package var onTimePercent: Double? { due == 0 ? nil : Double(onTime) * 100 / Double(due) }

    /// Missed break whose audience was lost before it; the start is since the Unix epoch.
    package static func lost(startMicroseconds: Int64, planned: Int, reason: String) -> JudgedBreak {
        JudgedBreak(key: "", startMicroseconds: startMicroseconds, planned: planned, outcome: .missed, broken: [reason])
    }

    package var beginning: Requests? {
        requests.filter { RequestKind(name: $0.kind)?.beginsBreak == true }.max { $0.count < $1.count }
            ?? requests.max { $0.count < $1.count }
    }
}
