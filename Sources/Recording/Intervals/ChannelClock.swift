import Values

/// Offset of a channel's dates from this machine's clock.
///
/// Taken from the freshest playlist: the one whose live edge was furthest ahead of the wall clock, or least behind. The order
/// of additions and the division of a run do not matter.
package struct ChannelClock: Equatable, Codable, Sendable {
    /// Wall clock minus live edge of the freshest playlist, in microseconds; nil before the first with dates.
    package private(set) var leastAge: Int64?

    package init(leastAge: Int64? = nil) { self.leastAge = leastAge }

    /// Dates of the channel minus this machine's clock; positive if they are ahead.
    ///
    /// Playlists do not show whether a clock differs or publishing is delayed.
    package var offset: Int64? { leastAge.map { 0 &- $0 } }

    package mutating func add(_ other: ChannelClock) {
        guard let age = other.leastAge else { return }
        leastAge = min(leastAge ?? age, age)
    }
}

extension ChannelClock: EmptyWhereMissing {
    package init() { self.init(leastAge: nil) }
}
