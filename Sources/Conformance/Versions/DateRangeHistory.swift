package import HLS

/// The date ranges that one playlist has listed, so that an ID that comes again is known.
///
/// Bounded: the oldest are forgotten.
package struct DateRangeHistory: Sendable {
    /// What was known before of the IDs that a version lists.
    package struct Earlier: Hashable, Sendable {
        /// For each ID that was known with another START-DATE and had left the playlist since, the first one it had.
        package internal(set) var starts: [String: WallTime] = [:]
        /// IDs that come with SCTE35-IN alone and had SCTE35-OUT before, which may have left the window since.
        package internal(set) var leftSplices: Set<String> = []

        package init() {}
    }

    private struct Known {
        let start: WallTime
        var isSpliceOut: Bool
        /// Where the furthest version ended that listed it.
        var endMediaSequence: UInt64
        /// What the ID stands for since it was used again.
        var laterStart: WallTime?
    }

    private static let limit = 512

    /// Two ranges that are told under one ID at the same time do not follow one another: edges that disagree about the
    /// start of a break do not use its ID again.
    private static let segmentsWithout: UInt64 = 2

    private var known: [String: Known] = [:]
    private var order: [String] = []

    package init() {}

    /// Takes up a version's ranges.
    ///
    /// - Returns: What was known of them before.
    package mutating func note(_ playlist: MediaPlaylist) -> Earlier {
        var earlier = Earlier()
        for range in playlist.dateRanges.prefix(Self.limit) {
            guard let start = range.startDate else { continue }
            let isSpliceOut = range.scte35Out != nil
            if let first = known[range.id] {
                let end = playlist.endMediaSequence
                known[range.id]?.endMediaSequence = max(end, first.endMediaSequence)
                if first.start != start {
                    let hadLeft =
                        end >= first.endMediaSequence.addingReportingOverflow(Self.segmentsWithout).partialValue
                    if first.laterStart == start || hadLeft {
                        known[range.id]?.laterStart = start
                        earlier.starts[range.id] = first.start
                    }
                } else if isSpliceOut, !first.isSpliceOut {
                    known[range.id]?.isSpliceOut = true
                }
                if first.isSpliceOut, !isSpliceOut, range.scte35In != nil { earlier.leftSplices.insert(range.id) }
                continue
            }
            if order.count >= Self.limit { known[order.removeFirst()] = nil }
            known[range.id] = Known(
                start: start,
                isSpliceOut: isSpliceOut,
                endMediaSequence: playlist.endMediaSequence
            )
            order.append(range.id)
        }
        return earlier
    }
}
