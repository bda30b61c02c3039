package import AdServing
package import HLS
package import Profile
package import Values

/// Reads each version of live playlists once for all viewers of a loop, to which it is confined.
///
/// Unchanged breaks stay the same object, so that a viewer detects a change by one comparison.
package final class InterstitialReader {
    /// Enough for one per viewer of a loop and its renditions; beyond it all are read anew, which loses earlier facts.
    private static let keptPlaylists = 65_536

    private let plan: BreakPlan
    private let runStart: WallTime
    private let playedAddress: PlayedAddress
    private var playlists: [String: PlaylistReader] = [:]

    /// Nil if the plan's viewers look for neither interstitials nor stitched breaks; `runStart` is the instant under
    /// which pre-rolls are recorded.
    package init?(_ plan: BreakPlan, runStart: WallTime, playedAddress: PlayedAddress = PlayedAddress()) {
        guard plan.playsInterstitials || plan.recognisesStitched else { return nil }
        (self.plan, self.runStart, self.playedAddress) = (plan, runStart, playedAddress)
    }

    /// For a delta update, `playlist` is the merged one.
    package func schedule(in playlist: MediaPlaylist, url: String) -> BreakOffers {
        if playlists.count >= Self.keptPlaylists, playlists[url] == nil { playlists.removeAll() }
        return playlists[url, default: reader(of: url)].schedule(in: playlist, url: url)
    }

    private func reader(of url: String) -> PlaylistReader {
        PlaylistReader(plan, runStart: runStart, playedAddress: playedAddress, url: url)
    }
}

private struct PlaylistReader {
    /// Ids are never used again (bis-22 section 4.4.5.1), so the oldest are forgotten.
    private static let keptIDs = 256
    /// The last tags in tag order, since each is searched for among the others.
    private static let readTags = 1_024

    private let fallbackDuration: Duration
    private let runStart: WallTime
    private let readsInterstitials: Bool
    private var stitched: StitchedReader?
    private var known: [String: ScheduledInterstitial] = [:]
    private var latest = BreakOffers.empty

    init(_ plan: BreakPlan, runStart: WallTime, playedAddress: PlayedAddress, url: String) {
        fallbackDuration = plan.podDuration
        self.runStart = runStart
        readsInterstitials = plan.playsInterstitials
        stitched =
            plan.recognisesStitched
            ? StitchedReader(
                fallbackDuration: plan.podDuration,
                ads: plan.stitchedAds,
                playedAddress: playedAddress,
                url: url
            ) : nil
    }

    mutating func schedule(in playlist: MediaPlaylist, url: String) -> BreakOffers {
        let listed = readsInterstitials ? interstitials(in: playlist, url: url) : []
        let stitched = stitched?.breaks(in: playlist) ?? []
        let isSame =
            listed.elementsEqual(latest.interstitials, by: ===)
            && stitched.elementsEqual(latest.stitched, by: ===)
        if !isSame { latest = BreakOffers(interstitials: listed, stitched: stitched) }
        return latest
    }

    private mutating func interstitials(in playlist: MediaPlaylist, url: String) -> [ScheduledInterstitial] {
        let preloads = playlist.preloads(base: url).suffix(Self.readTags)
        var found: [ScheduledInterstitial] = []
        for interstitial in playlist.interstitials(base: url).suffix(Self.readTags) {
            let preload = preloads.first { $0.match(interstitial) == .matches }
            found.append(scheduled(interstitial, preload, in: playlist))
        }
        let listed = preloads.isEmpty ? [] : Set(playlist.dateRanges.map(\.id))
        for preload in preloads where !listed.contains(preload.targetID) {
            guard preload.targetClass == Interstitial.classAttribute else { continue }
            found.append(scheduled(nil, preload, in: playlist))
        }
        if known.count > Self.keptIDs { known = Dictionary(found.map { ($0.id, $0) }) { first, _ in first } }
        return found
    }

    private mutating func scheduled(_ interstitial: Interstitial?, _ preload: PreloadRange?, in playlist: MediaPlaylist)
        -> ScheduledInterstitial
    {
        let id = interstitial?.id ?? preload?.targetID ?? ""
        let start = interstitial.flatMap { self.start(of: $0, in: playlist) }
        if let known = known[id], known.says(interstitial, preload, start: start) { return known }
        // The date of a pre-roll is meaningless.
        let isCued = interstitial.map { $0.cue.contains(.pre) } ?? false
        let from = isCued ? runStart : interstitial?.startDate ?? preload?.endDate ?? runStart
        let duration = interstitial?.announcedDuration ?? fallbackDuration
        let scheduled = ScheduledBreak(start: from, duration: duration, key: id, ordinal: 0, dateRangeID: id)
        let new = ScheduledInterstitial(
            tag: interstitial,
            preload: preload,
            start: start,
            planned: PlannedBreak(scheduled, source: isCued ? .preRoll : .interstitial)
        )
        known[id] = new
        return new
    }

    private func start(of interstitial: Interstitial, in playlist: MediaPlaylist) -> WallTime? {
        if interstitial.cue.contains(.post) { return playlist.hasEndList ? playlist.endProgramDate : nil }
        guard interstitial.snap.contains(.out) else { return interstitial.startDate }
        guard let edge = playlist.endProgramDate, interstitial.startDate <= edge else { return interstitial.startDate }
        // The boundary stays the same after its segment has left the window.
        if let first = playlist.programDate(at: 0), interstitial.startDate < first {
            return known[interstitial.id]?.start ?? interstitial.startDate
        }
        return playlist.nearestBoundary(to: interstitial.startDate) ?? interstitial.startDate
    }
}

/// One object for all viewers of a loop while it does not change.
package final class ScheduledInterstitial: Sendable {
    /// Nil for one known only from a preload range (bis-22 appendix F).
    package let tag: Interstitial?
    package let preload: PreloadRange?
    /// START-DATE; with X-SNAP=OUT the nearest listed segment boundary; with CUE=POST the end of the presentation.
    package let start: WallTime?
    /// Duration for which it holds up the programme; nil if the playlist does not say.
    package let occupied: Duration?
    /// Beacons of the date range itself, sorted by offset from its start.
    package let beacons: [DueBeacon]
    /// The first event that the date range's tracking lists twice.
    package let doubledEvent: String?
    package let planned: PlannedBreak

    package init(tag: Interstitial?, preload: PreloadRange?, start: WallTime?, planned: PlannedBreak) {
        (self.tag, self.preload, self.start) = (tag, preload, start)
        self.occupied = tag.flatMap(Self.occupied)
        self.planned = planned
        let signaling = tag?.creativeSignaling.flatMap(CreativeSignaling.init(attribute:))
        self.doubledEvent = signaling?.doubledEvent
        self.beacons = DueBeacon.all(signaling, total: tag?.announcedDuration)
    }

    package var id: String { planned.scheduled.key }

    package var isPostRoll: Bool { tag?.cue.contains(.post) ?? false }

    /// Whether both have the same contents, so that the other one can replace this one.
    package func says(_ tag: Interstitial?, _ preload: PreloadRange?, start: WallTime?) -> Bool {
        self.start == start && self.tag == tag && self.preload == preload
    }

    /// URIs are not compared: a relative one may differ between renditions.
    package func isUnchanged(from old: ScheduledInterstitial) -> Bool {
        guard var before = old.tag, let tag else { return old.tag == nil }
        before.content = tag.content
        return before == tag
    }

    private static func occupied(_ tag: Interstitial) -> Duration? {
        if let offset = tag.resumeOffset { return max(offset, .zero) }
        return tag.announcedDuration.map { tag.playoutDuration(ofAssets: $0) }
    }
}

extension ScheduledInterstitial: BreakOffer {
    /// Guessed from the URI while only a preload range is known.
    package var content: OfferedContent? {
        switch tag?.content {
        case .asset(let uri): return .asset(uri: uri)
        case .assetList(let uri): return .assetList(uri: uri)
        case nil: break
        }
        guard let uri = preload?.uri else { return nil }
        let path = uri.prefix { $0 != "?" && $0 != "#" }
        return path.hasSuffix(".m3u8") ? .asset(uri: uri) : .assetList(uri: uri)
    }
}
