/// Counts since the last pulse, small enough to be sent from every loop every second.
package struct IntervalCounts: Equatable, Codable, Sendable {
    package var requests: UInt64 = 0
    package var errors: UInt64 = 0
    package var podRequests: UInt64 = 0
    package var findings: UInt64 = 0
    /// Viewers present at the pulse.
    package var activeViewers: Int64 = 0
    package var latenessMaximumMicroseconds: Int64 = 0

    package init() {}

    /// Sum of two loops for one interval.
    package static func + (lhs: IntervalCounts, rhs: IntervalCounts) -> IntervalCounts {
        var sum = lhs
        sum.requests &+= rhs.requests
        sum.errors &+= rhs.errors
        sum.podRequests &+= rhs.podRequests
        sum.findings &+= rhs.findings
        sum.activeViewers &+= rhs.activeViewers
        sum.latenessMaximumMicroseconds = max(lhs.latenessMaximumMicroseconds, rhs.latenessMaximumMicroseconds)
        return sum
    }
}
