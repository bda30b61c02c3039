package import HLS

/// The date ranges that one playlist has listed, so that an ID that comes again is known.
///
/// Bounded: the oldest are forgotten.
package struct DateRangeHistory: Sendable {
    private static let limit = 512

    private var starts: [String: WallTime] = [:]
    private var order: [String] = []

    package init() {}

    /// Takes up a version's ranges.
    ///
    /// - Returns: For each ID that was known with another START-DATE, the first one it had.
    package mutating func note(_ playlist: MediaPlaylist) -> [String: WallTime] {
        var earlier: [String: WallTime] = [:]
        for range in playlist.dateRanges.prefix(Self.limit) {
            guard let start = range.startDate else { continue }
            if let known = starts[range.id] {
                if known != start { earlier[range.id] = known }
                continue
            }
            if order.count >= Self.limit { starts[order.removeFirst()] = nil }
            starts[range.id] = start
            order.append(range.id)
        }
        return earlier
    }
}
