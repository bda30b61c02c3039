package import AdServing
package import HLS
import Values

/// Reads the stitched breaks of successive versions of one live playlist.
///
/// Confined to its loop.
package struct StitchedReader {
    private var gathered = StitchedBreaks()
    private var known: [StitchedBreakVersion] = []
    /// Minimum length of a break whose length the playlist does not state.
    private let fallbackDuration: Duration
    private let playedAddress: PlayedAddress
    /// Patterns that recognise unmarked ads.
    private let ads: [PathPattern]
    /// Parts of the playlist's own URL that may be its session's.
    private let own: [String]

    package init(fallbackDuration: Duration, ads: [PathPattern] = [], playedAddress: PlayedAddress, url: String) {
        self.fallbackDuration = fallbackDuration
        self.ads = ads
        self.playedAddress = playedAddress
        own = PlayedAddress.sessionIDs(in: url)
    }

    /// Reuses the object of the version before for each unchanged break.
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
        let scheduled = ScheduledBreak(
            start: start,
            duration: ended ?? found.plannedDuration ?? max(found.listedDuration, fallbackDuration),
            key: found.key,
            ordinal: 0
        )
        let isPlanned = known?.planned.scheduled == scheduled
        return StitchedBreakVersion(
            planned: isPlanned
                ? known?.planned ?? .init(scheduled, source: .stitched) : .init(scheduled, source: .stitched),
            firstDate: start,
            segments: found.segments.map { segment in
                // Use what this version lists: another viewer may have been shown something else at the same URL.
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
