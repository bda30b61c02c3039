import Recording

/// How the news of a break reached the viewers that were watching when it was published.
///
/// With plain polling it spreads over about one target duration, because every viewer polls at its own phase; with
/// blocking reload the server answers all of them at the instant of publication (rfc8216bis section 6.2.5.2).
package struct DiscoveryResult: Equatable, Codable, Sendable {
    /// Viewers that saw it, once each.
    package var viewers: UInt64
    /// The first sight by any viewer, microseconds since the Unix epoch.
    package var firstMicroseconds: Int64
    /// From the first sight on, to 10 ms; nil where the viewer of that rank saw it more than 60 s after the first.
    package var p50Microseconds: Int64?
    package var p90Microseconds: Int64?
    package var p99Microseconds: Int64?
    /// From the first sight to the last, exact.
    package var maximumMicroseconds: Int64
    /// Length of one step: 10, 50 or 100 ms, as fine as the time from the first sight to the last allows.
    package var bucketMilliseconds: Int64
    /// Viewers per step from the first sight on, without the silence after the last.
    package var counts: [UInt32]
    /// Viewers that saw it more than 60 s after the first.
    package var later: UInt64

    /// Nil where nobody saw it.
    init?(_ window: DiscoveryWindow) {
        guard let first = window.firstMicroseconds, let spread = window.spreadMicroseconds else { return nil }
        viewers = window.viewers
        firstMicroseconds = first
        p50Microseconds = window.microseconds(atPercentile: 50)
        p90Microseconds = window.microseconds(atPercentile: 90)
        p99Microseconds = window.microseconds(atPercentile: 99)
        maximumMicroseconds = spread
        (bucketMilliseconds, counts) = window.steps()
        later = window.later
    }
}
