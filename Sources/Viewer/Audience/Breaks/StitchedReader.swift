package import AdServing
package import HLS
package import Values

/// Reads the stitched breaks of successive versions of one live playlist.
package struct StitchedReader {
    private var gathered = StitchedBreaks()
    private var known: [StitchedBreakVersion] = []
    /// Minimum length of a break whose length the playlist does not state.
    private let fallbackDuration: Duration
    private let playedAddress: PlayedAddress
    private let ads: [PathPattern]
    /// Parts of the playlist's own URL that may be its session's.
    private let own: [String]

    package init(fallbackDuration: Duration, ads: [PathPattern] = [], playedAddress: PlayedAddress, url: String) {
        (self.fallbackDuration, self.ads, self.playedAddress) = (fallbackDuration, ads, playedAddress)
        own = PlayedAddress.sessionIDs(in: url)
    }

    /// Reuses the earlier version's object for each unchanged break.
    package mutating func breaks(in playlist: MediaPlaylist) -> [StitchedBreakVersion] {
        gathered.read(playlist, isAd: ads.isEmpty ? nil : { [ads] in ads.occur(in: $0) })
        known = gathered.breaks.compactMap { found in
            guard let start = found.startDate else { return nil }
            let version = version(of: found, start: start, in: playlist)
            return known.first { $0.isSame(as: version) } ?? version
        }
        return known
    }

    private func version(of found: StitchedBreak, start: WallTime, in playlist: MediaPlaylist) -> StitchedBreakVersion {
        let firstListed = playlist.mediaSequence(at: 0)
        let known = known.first { $0.key == found.key }
        let ended = found.endDate?.duration(since: start)
        let least = found.hasUnreadableLength ? .seconds(playlist.targetDurationSeconds) : fallbackDuration
        let scheduled = ScheduledBreak(
            start: start,
            duration: ended ?? found.plannedDuration ?? max(found.listedDuration, least),
            key: found.key,
            ordinal: 0
        )
        let isPlanned = known?.planned.scheduled == scheduled
        return StitchedBreakVersion(
            planned: isPlanned
                ? known?.planned ?? .init(scheduled, source: .stitched) : .init(scheduled, source: .stitched),
            firstDate: start,
            segments: found.segments.map { segment in
                // An unlisted segment's URI may come from another viewer, who was shown something else at the same URL.
                let index = Int(clamping: Int64(clamping: segment.mediaSequence) &- Int64(clamping: firstListed))
                let isListed = playlist.segments.indices.contains(index)
                let uri = isListed ? playlist.uri(of: playlist.segments[index]) : segment.uri
                let name = isListed ? Redaction.name(of: uri, own: nil) : nil
                return .init(sequence: segment.mediaSequence, hash: playedAddress.hash(of: uri, own: own), name: name)
            },
            firstSequence: found.isJoinedInTheMiddle ? nil : found.firstMediaSequence,
            hasEnded: found.isEnded
        )
    }
}

/// One object for all viewers of a loop.
package final class StitchedBreakVersion: Sendable {
    package struct Segment: Sendable, Equatable {
        package var sequence: UInt64
        /// Hash of its URI without the session's own parts.
        package var hash: UInt64
        /// The end of its path, redacted; nil if this version does not list it.
        package var name: String?

        /// Compares what was shown, whether or not it is still listed.
        package static func == (lhs: Segment, rhs: Segment) -> Bool {
            lhs.sequence == rhs.sequence && lhs.hash == rhs.hash
        }
    }

    package let planned: PlannedBreak
    package let firstDate: WallTime
    package let segments: [Segment]
    /// Nil if the first ad segment was gone when the break was first seen.
    package let firstSequence: UInt64?
    package let hasEnded: Bool

    package init(
        planned: PlannedBreak,
        firstDate: WallTime,
        segments: [Segment],
        firstSequence: UInt64?,
        hasEnded: Bool
    ) {
        (self.planned, self.firstDate, self.segments) = (planned, firstDate, segments)
        (self.firstSequence, self.hasEnded) = (firstSequence, hasEnded)
    }

    package var key: String { planned.scheduled.key }

    /// Compares the ads that both share; those of two renditions may differ.
    package func agrees(with other: StitchedBreakVersion) -> Bool {
        guard self !== other, let first = segments.first, let next = other.segments.first else { return true }
        let shared = max(first.sequence, next.sequence)
        return zip(segments.drop { $0.sequence < shared }, other.segments.drop { $0.sequence < shared }).allSatisfy {
            $0.sequence != $1.sequence || $0.hash == $1.hash
        }
    }

    package func isSame(as other: StitchedBreakVersion) -> Bool {
        key == other.key && firstDate == other.firstDate && segments == other.segments && hasEnded == other.hasEnded
    }
}

extension StitchedBreakVersion: BreakOffer {
    package var start: WallTime? { firstDate }
    package var content: OfferedContent? { nil }
    package var beacons: [DueBeacon] { [] }
}
