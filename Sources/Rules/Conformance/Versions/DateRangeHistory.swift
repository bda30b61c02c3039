package import HLS

/// The date ranges that one playlist has listed, to recognise reused IDs; keeps a limited number of the newest.
package struct DateRangeHistory: Sendable {
    /// Earlier knowledge about the IDs that a version lists.
    package struct Earlier: Hashable, Sendable {
        /// First START-DATE of each ID that left the playlist and came back with another one.
        package internal(set) var starts: [String: WallTime] = [:]
        /// IDs with SCTE35-IN alone that had SCTE35-OUT before, which may have left the window since.
        package internal(set) var leftSplices: Set<String> = []

        package init() {}
    }

    private struct Known {
        let start: WallTime
        var isSpliceOut: Bool
        /// End of the furthest version that listed it.
        var endMediaSequence: UInt64
        /// Start of the reused ID.
        var laterStart: WallTime?
    }

    private static let limit = 512

    /// Minimum distance in segments between two uses of an ID: edges that disagree about a break's start do not reuse its ID.
    private static let segmentsWithout: UInt64 = 2

    private var known: [String: Known] = [:]
    private var order: [String] = []

    package init() {}

    /// Records a version's ranges, and returns the earlier knowledge about them.
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
