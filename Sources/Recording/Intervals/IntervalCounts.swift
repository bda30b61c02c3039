/// What happened since the last pulse: small enough to be sent from every loop every second.
package struct IntervalCounts: Equatable, Codable, Sendable {
    package var requests: UInt64 = 0
    package var errors: UInt64 = 0
    package var podRequests: UInt64 = 0
    package var findings: UInt64 = 0
    /// Viewers that are there at the moment of the pulse.
    package var activeViewers: Int64 = 0
    /// The largest lateness of a request in the interval.
    package var latenessMaximumMicroseconds: Int64 = 0

    package init() {}

    /// Adds the pulse of another loop for the same interval.
    ///
    /// - Parameters:
    ///   - lhs: One loop's pulse, or a sum.
    ///   - rhs: Another loop's.
    /// - Returns: The sum over both loops.
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
