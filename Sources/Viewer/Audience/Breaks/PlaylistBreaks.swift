package import AdServing
package import HLS
package import Profile
package import Values

/// Reads the breaks that a live playlist announces by EXT-X-DATERANGE.
package struct AnnouncedBreaks: Sendable {
    /// Nil selects the ranges with SCTE35-OUT.
    private let classAttribute: String?
    private let fallbackDuration: Duration

    package init(classAttribute: String?, fallbackDuration: Duration) {
        (self.classAttribute, self.fallbackDuration) = (classAttribute, fallbackDuration)
    }

    /// Nil for a plan whose breaks come from elsewhere.
    package init?(_ plan: BreakPlan) {
        for case .dateRange(let classAttribute) in plan.source.each {
            self.init(classAttribute: classAttribute, fallbackDuration: plan.podDuration)
            return
        }
        return nil
    }

    /// Sorted by start.
    package func breaks(in playlist: MediaPlaylist) -> [ScheduledBreak] {
        playlist.dateRanges.compactMap(scheduled).sorted { $0.start < $1.start }
    }

    private func scheduled(_ range: DateRange) -> ScheduledBreak? {
        let isBreak = classAttribute.map { $0 == range.classAttribute } ?? (range.scte35Out != nil)
        guard isBreak, let start = range.startDate else { return nil }
        return ScheduledBreak(
            start: start,
            duration: range.duration ?? range.plannedDuration ?? fallbackDuration,
            key: range.id,
            ordinal: Self.trailingNumber(of: range.id) ?? 1,
            dateRangeID: range.id,
            scte35: range.scte35Out.flatMap(SpliceText.base64)
        )
    }

    private static func trailingNumber(of id: String) -> Int? {
        Int(String(decoding: id.utf8.reversed().prefix(while: \.isDigit).reversed(), as: UTF8.self))
    }
}

/// Announcements of breaks that viewers already know by the wall clock, for comparison.
package struct ScheduledAnnouncements: Sendable {
    private let interval: Duration
    private let schedule: BreakSchedule

    /// Nil for a plan whose breaks do not all follow one rule of the wall clock.
    package init?(_ plan: BreakPlan) {
        let first: Duration
        switch plan.source {
        case .every(let interval, let offset): (self.interval, first) = (interval, offset)
        case .guideMinute: (interval, first) = (.seconds(60), .zero)
        case .list, .dateRange, .trigger, .several, .none: return nil
        }
        guard interval > .zero else { return nil }
        let epoch = WallTime(microseconds: 0)
        schedule = .every(interval: interval, epoch: epoch, firstOffset: first, duration: plan.podDuration)
    }

    /// Gives each announced break the identity of the nearest scheduled one.
    package func breaks(in playlist: MediaPlaylist) -> [ScheduledBreak] {
        let slack = Duration.seconds(playlist.targetDurationSeconds) * 2
        return playlist.dateRanges.compactMap { range in
            guard range.scte35Out != nil, let start = range.startDate,
                var nearest = schedule.latest(startingBy: start + interval / 2) ?? schedule.scheduled(ordinal: 1)
            else { return nil }
            let distance = nearest.start.duration(since: start)
            guard distance <= slack, distance >= .zero - slack else { return nil }
            nearest.dateRangeID = range.id
            return nearest
        }
    }
}

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
    private let beaconAttributes: [String]
    private var stitched: StitchedReader?
    private var known: [String: ScheduledInterstitial] = [:]
    private var latest = BreakOffers.empty

    init(_ plan: BreakPlan, runStart: WallTime, playedAddress: PlayedAddress, url: String) {
        fallbackDuration = plan.podDuration
        self.runStart = runStart
        (readsInterstitials, beaconAttributes) = (plan.playsInterstitials, plan.beaconAttributes)
        stitched = plan.recognisesStitched ? StitchedReader(plan, playedAddress: playedAddress, url: url) : nil
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
        if let known = known[id], known.tag == interstitial, known.preload == preload, known.start == start {
            return known
        }
        // The date of a pre-roll is meaningless.
        let isCued = interstitial.map { $0.cue.contains(.pre) } ?? false
        let from = isCued ? runStart : interstitial?.startDate ?? preload?.endDate ?? runStart
        let duration = interstitial?.announcedDuration ?? fallbackDuration
        let scheduled = ScheduledBreak(start: from, duration: duration, key: id, ordinal: 0, dateRangeID: id)
        let planned = PlannedBreak(scheduled, source: isCued ? .preRoll : .interstitial)
        let range = beaconAttributes.isEmpty ? nil : playlist.dateRanges.first { $0.id == id }
        let beacons = beaconAttributes.compactMap { range?.attributes[$0]?.text }
        let new = ScheduledInterstitial(
            tag: interstitial,
            preload: preload,
            start: start,
            planned: planned,
            ofApplication: beacons
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
    /// URLs that the application requests when it begins.
    package let applicationBeacons: [String]
    /// The first event that the date range's tracking lists twice.
    package let doubledEvent: String?
    package let planned: PlannedBreak

    package init(
        tag: Interstitial?,
        preload: PreloadRange?,
        start: WallTime?,
        planned: PlannedBreak,
        ofApplication beacons: [String] = []
    ) {
        (self.tag, self.preload, self.start, applicationBeacons) = (tag, preload, start, beacons)
        self.occupied = tag.flatMap(Self.occupied)
        self.planned = planned
        let signaling = tag?.creativeSignaling.flatMap(CreativeSignaling.init(attribute:))
        self.doubledEvent = signaling?.doubledEvent
        self.beacons = DueBeacon.all(signaling, total: tag?.announcedDuration)
    }

    package var id: String { planned.scheduled.key }

    package var isPostRoll: Bool { tag?.cue.contains(.post) ?? false }

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
        if let tag { return .interstitial(tag.content) }
        guard let uri = preload?.uri else { return nil }
        let path = uri.prefix { $0 != "?" && $0 != "#" }
        return .interstitial(path.hasSuffix(".m3u8") ? .asset(uri: uri) : .assetList(uri: uri))
    }
}

/// Reads the stitched breaks of successive versions of one live playlist.
struct StitchedReader {
    private var gathered = StitchedBreaks()
    private var known: [StitchedBreakVersion] = []
    /// Minimum length of a break whose length the playlist does not state.
    private let fallbackDuration: Duration
    private let playedAddress: PlayedAddress
    private let ads: [PathPattern]
    /// Parts of the playlist's own URL that may be its session's.
    private let own: [String]

    init(_ plan: BreakPlan, playedAddress: PlayedAddress, url: String) {
        (fallbackDuration, ads, self.playedAddress) = (plan.podDuration, plan.stitchedAds, playedAddress)
        own = PlayedAddress.sessionIDs(in: url)
    }

    /// Reuses the earlier version's object for each unchanged break.
    mutating func breaks(in playlist: MediaPlaylist) -> [StitchedBreakVersion] {
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
        let duration = ended ?? found.plannedDuration ?? max(found.listedDuration, least)
        let scheduled = ScheduledBreak(start: start, duration: duration, key: found.key, ordinal: 0)
        let planned = known.flatMap { $0.planned.scheduled == scheduled ? $0.planned : nil }
        return StitchedBreakVersion(
            planned: planned ?? .init(scheduled, source: .stitched),
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

    init(planned: PlannedBreak, firstDate: WallTime, segments: [Segment], firstSequence: UInt64?, hasEnded: Bool) {
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
}
