import JSON

/// How far the dates of a channel are from this machine's clock.
///
/// The freshest playlist tells it: the one whose live edge was the furthest ahead of the wall clock, or the least behind.
/// Neither the order of additions nor how a run is cut into parts matters.
package struct ChannelClock: Equatable, Codable, Sendable {
    /// Wall clock less the live edge of the freshest playlist, in microseconds; nil before the first with dates.
    package private(set) var leastAge: Int64?

    package init(leastAge: Int64? = nil) { self.leastAge = leastAge }

    /// Dates of the channel less this machine's clock; positive where they are ahead.
    ///
    /// Playlists do not tell a clock that differs from a delay in publishing.
    package var offset: Int64? { leastAge.map { 0 &- $0 } }

    package mutating func add(_ other: ChannelClock) {
        guard let age = other.leastAge else { return }
        leastAge = min(leastAge ?? age, age)
    }
}

extension ChannelClock: EmptyWhereMissing {
    package init() { self.init(leastAge: nil) }
}
