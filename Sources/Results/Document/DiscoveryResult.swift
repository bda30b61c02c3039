import Recording

/// Spread of a new break among the viewers present at its publication.
///
/// With plain polling it spreads over about one target duration, because every viewer polls at its own phase; with blocking
/// reload the server answers all of them at the instant of publication (rfc8216bis section 6.2.5.2).
package struct DiscoveryResult: Equatable, Codable, Sendable {
    package var viewers: UInt64
    /// First sight by any viewer, in microseconds since the Unix epoch.
    package var firstMicroseconds: Int64
    /// From the first sight, to 10 ms; nil if the viewer of that rank saw it more than 60 s later.
    package var p50Microseconds: Int64?
    package var p90Microseconds: Int64?
    package var p99Microseconds: Int64?
    /// From the first sight to the last, exact.
    package var maximumMicroseconds: Int64
    /// Length of a step: 10, 50 or 100 ms, the finest that the maximum allows.
    package var bucketMilliseconds: Int64
    /// Viewers per step from the first sight on, without empty steps after the last.
    package var counts: [UInt32]
    /// Viewers that saw it more than 60 s after the first.
    package var later: UInt64

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
