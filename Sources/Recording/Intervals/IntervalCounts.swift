/// Counts since the last pulse, small enough to be sent from every loop every second.
package struct IntervalCounts: Summable, Equatable, Codable, Sendable {
    package var requests: UInt64 = 0
    package var errors: UInt64 = 0
    package var podRequests: UInt64 = 0
    package var findings: UInt64 = 0
    /// Viewers present at the pulse.
    package var activeViewers: Int64 = 0
    package var latenessMaximumMicroseconds: Int64 = 0

    package init() {}

    /// Adds another loop over the same interval.
    package mutating func add(_ other: IntervalCounts) {
        requests &+= other.requests
        errors &+= other.errors
        podRequests &+= other.podRequests
        findings &+= other.findings
        activeViewers &+= other.activeViewers
        latenessMaximumMicroseconds = max(latenessMaximumMicroseconds, other.latenessMaximumMicroseconds)
    }
}
