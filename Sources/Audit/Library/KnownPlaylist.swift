import AdServing
import HLS
import Results
import Rules
import Values
import Viewer

/// An object that its viewers hold: a value would be copied at every poll.
///
/// Confined to its loop, so an exclusivity check of each access would find nothing.
package final class KnownPlaylist {
    /// Edges of a CDN may alternate between a few versions.
    private static let keptVersions = 4
    /// The newest is kept however large it is.
    private static let keptBytes = 32 << 20
    /// Each moment has two forms of delta updates, and viewers of a slow server are several moments apart.
    private static let keptDeltas = 12
    /// Viewers of one channel are a few versions apart.
    private static let keptMerges = 16
    private static let keptTransitions = 16
    private static let keptSights = 64
    private static let keptConflicts = 8
    private static let keptBreaks = 32

    let url: String
    /// Variables of the multivariant playlist that named the URL (bis-22 section 4.4.2.3).
    let imports: [String: String]
    private let rules: VersionRules
    @exclusivity(unchecked) var users = 1
    var isRedirected = false
    @exclusivity(unchecked) private(set) var versions: [SharedPlaylist] = []
    /// Keyed by body hash: a forgotten version is not new when it comes again.
    @exclusivity(unchecked) private var sights: [Int: Instant] = [:]
    /// `merged` is nil if the two versions do not match.
    private var merges: [(delta: Int, previous: Int, merged: SharedPlaylist?)] = []
    private var transitions: [(from: Int, to: Int, result: VersionTransition)] = []
    /// Full playlists only.
    @exclusivity(unchecked) private var dateRanges = DateRangeHistory()
    private var deviations = RenditionDeviations()
    private var rhythm = UpdateRhythm()
    private var edge = EdgeChecks.Edge()
    @exclusivity(unchecked) private var askedAt: Instant = .zero
    /// Newest version that was compared with others.
    var compared = 0
    /// Breaks by media sequence number: segments that edges gave differently.
    private(set) var conflicts: [UInt64: BreakSlot] = [:]
    /// Beginning of the last version that announced a break while covering its start; earlier versions must announce it, too.
    private var confirmed: [(key: String, at: WallTime)] = []

    init(url: String, imports: [String: String], rules: VersionRules) {
        (self.url, self.imports, self.rules) = (url, imports, rules)
    }

    /// Nearly all answers are the newest version.
    func version(ofBody body: UnsafeRawBufferPointer) -> SharedPlaylist? {
        var index = versions.count - 1
        while index >= 0 {
            let version = versions[index]
            guard !version.isBody(body) else { return version }
            index -= 1
        }
        return nil
    }

    /// Adds a version that viewers joined with before they chose this URL.
    func adopt(_ shared: SharedPlaylist) {
        versions = [shared]
        _ = dateRanges.note(shared.playlist)
    }

    func keep(_ shared: SharedPlaylist) {
        let isAlike = { (version: SharedPlaylist) in version.isDelta == shared.isDelta }
        if versions.count(where: isAlike) == (shared.isDelta ? Self.keptDeltas : Self.keptVersions),
            let oldest = versions.firstIndex(where: isAlike)
        {
            versions.remove(at: oldest)
        }
        versions.append(shared)
        while versions.count > 1, versions.reduce(0, { $0 + $1.keptBytes }) > Self.keptBytes { versions.removeFirst() }
    }

    /// Nil if it is older than two target durations, or if viewers are given different ones at a time.
    func newest(now: Instant) -> SharedPlaylist? {
        let whole = versions.last { !$0.isDelta }
        let merged = merges.last { $0.merged != nil }?.merged
        let known = [whole, merged].compactMap(\.self)
        guard let newest = known.max(by: { $0.sight.at < $1.sight.at }), isOneForAll else { return nil }
        return now &- newest.sight.at <= newest.targetNanoseconds &* 2 ? newest : nil
    }

    private var isOneForAll: Bool {
        for index in versions.indices.dropFirst() where !versions[index].isDelta {
            let others = versions[..<index].contains {
                !$0.isDelta && $0.playlist.isOfSameMoment(as: versions[index].playlist)
            }
            if others { return false }
        }
        return true
    }

    /// False for a known conflict; only those of the newest segments are kept.
    func addConflict(at mediaSequence: UInt64, _ slot: BreakSlot) -> Bool {
        guard conflicts[mediaSequence] == nil else { return false }
        conflicts[mediaSequence] = slot
        if conflicts.count > Self.keptConflicts, let oldest = conflicts.keys.min() { conflicts[oldest] = nil }
        return true
    }

    subscript(confirmed key: String) -> WallTime? {
        get { confirmed.first { $0.key == key }?.at }
        set {
            confirmed.removeAll { $0.key == key }
            if let newValue { confirmed.append((key, newValue), atMost: Self.keptBreaks) }
        }
    }

    func asked(at instant: Instant, targetNanoseconds target: Int64) {
        if instant &- askedAt > Int64(Double(target) * UpdateRhythm.widestGap) { rhythm.forget() }
        askedAt = max(askedAt, instant)
    }

    /// Violation if versions that take the channel further come too late in the mean; reported once.
    private func rhythmViolation(of playlist: MediaPlaylist, now: Instant) -> Violation? {
        let next = EdgeChecks.Edge(of: playlist)
        guard ReloadRule.isReloaded(playlist), next > edge else { return nil }
        let before = askedAt
        asked(at: now, targetNanoseconds: Int64(clamping: playlist.targetDurationSeconds) &* 1_000_000_000)
        edge = next
        let (last, at) = (Duration.nanoseconds(before.nanoseconds), Duration.nanoseconds(now.nanoseconds))
        return rhythm.updated(playlist, after: last, at: at, targets: rules.staleAfterTargets)
    }

    /// A delta update has only some facts.
    func sight(of playlist: MediaPlaylist, now: Instant) -> PlaylistSight {
        var sight = PlaylistSight(at: firstSeen(playlist.text.withUnsafeBytes(Self.hash), now: now))
        if playlist.skippedSegments == 0 {
            sight.earlier = dateRanges.note(playlist)
            sight.rhythm = rhythmViolation(of: playlist, now: now)
        }
        return sight
    }

    /// Four sums at a time: in a single one, as that of `Hasher`, each step would wait for the one before.
    private static func hash(_ body: UnsafeRawBufferPointer) -> Int {
        var (sums, index) = (SIMD4<UInt64>(repeating: 0x9E37_79B9_7F4A_7C15), 0)
        while index &+ 32 <= body.count {
            sums = (sums ^ body.loadUnaligned(fromByteOffset: index, as: SIMD4<UInt64>.self)) &* 0x9FB2_1C65_1E98_DF25
            sums ^= sums &>> 32
            index &+= 32
        }
        var hash = Hasher()
        hash.combine(sums)
        hash.combine(bytes: UnsafeRawBufferPointer(rebasing: body[index...]))
        return hash.finalize()
    }

    /// The older half is forgotten if there are too many.
    private func firstSeen(_ hash: Int, now: Instant) -> Instant {
        if sights.count >= Self.keptSights {
            let known = sights.values.sorted()
            sights = sights.filter { $0.value > known[known.count / 2] }
            sights.reserveCapacity(Self.keptSights)
        }
        if let first = sights[hash] { return first }
        sights[hash] = now
        return now
    }

    /// `channel`: URLs of the channel's playlists; empty if references are relative to other URLs.
    func deviations(
        of playlist: MediaPlaylist,
        as member: ChannelMembers.Member,
        beside reference: SharedPlaylist?,
        of channel: [String]
    ) -> [Violation] {
        guard let reference, isOneForAll else {
            deviations.forget()
            return []
        }
        let found = RenditionChecks.violations(
            of: playlist,
            as: member.kind,
            beside: reference.playlist,
            addresses: RenditionAddresses(own: url, reference: reference.url, channel: channel),
            tolerance: rules.tolerance
        )
        return deviations.confirmed(found, beside: reference.version)
    }

    func transition(from previous: SharedPlaylist, to next: SharedPlaylist) -> VersionTransition {
        if let known = transitions.last(where: { $0.to == next.version && $0.from == previous.version }) {
            return known.result
        }
        let result = VersionChecks.transition(
            from: previous.playlist,
            to: next.playlist,
            elapsed: .nanoseconds(max(next.sight.at &- previous.sight.at, 0)),
            splice: transitions.last { $0.to == previous.version }?.result.splice,
            earlier: next.sight.earlier,
            isSeenBefore: next.sight.at < previous.sight.at,
            // A break is late when it is for the viewers nearest to the live edge.
            lead: rules.players.map(next.announcementLead).max(),
            tolerance: rules.tolerance
        )
        transitions.append((previous.version, next.version, result), atMost: Self.keptTransitions)
        return result
    }

    /// Nil if not tried yet, inner nil if the two do not match.
    func merge(of delta: SharedPlaylist, after previous: SharedPlaylist) -> SharedPlaylist?? {
        merges.last { $0.delta == delta.version && $0.previous == previous.version }.map { $0.merged }
    }

    func merged(like playlist: MediaPlaylist, mismatch: DeltaMismatch?) -> SharedPlaylist? {
        merges.lazy.compactMap { $0.merged }.last { $0.mismatch == mismatch && $0.playlist.text == playlist.text }
    }

    func keep(_ merged: SharedPlaylist?, of delta: SharedPlaylist, after previous: SharedPlaylist) {
        merges.append((delta.version, previous.version, merged), atMost: Self.keptMerges)
    }
}

/// Filled from the multivariant playlists that a loop has read.
struct ChannelMembers {
    struct Member {
        let kind: RenditionKind
        /// The channel's first variant.
        let reference: String
        let channel: [String]
    }

    /// Targets may name new playlists for each session.
    private static let limit = 1_024

    private var members: [String: Member] = [:]

    /// Playlists of each pathway are compared with its first variant.
    mutating func learn(_ channel: SharedMultivariant) {
        if members.count > Self.limit { members.removeAll() }
        let renditions = channel.playlist.renditions.compactMap(\.uri)
        let frames = channel.playlist.iFrameVariants.map(\.uri)
        let all =
            channel.variantURLs.compactMap(\.self)
            + (renditions + frames).compactMap { URLReference.resolve($0, against: channel.url) }
        func member(_ kind: RenditionKind, _ reference: String) -> Member {
            Member(kind: kind, reference: reference, channel: all)
        }
        var references: [String?: String] = [:]
        for index in channel.variantURLs.indices {
            let variant = channel.playlist.variants[index]
            guard let url = channel.variantURLs[index], !channel.playlist.isSharedAudio(variant.uri) else { continue }
            let pathway = variant.pathwayID
            let reference = references[pathway] ?? url
            references[pathway] = reference
            members[url] = member(.variant, reference)
            let audio = channel.url(of: .audio, variant: index)
            if !audio.isEmpty { members[audio] = member(.audio, reference) }
            let subtitles = channel.url(of: .subtitles, variant: index)
            if !subtitles.isEmpty { members[subtitles] = member(.subtitles, reference) }
        }
    }

    /// Nil for a first variant, and for playlists of no known channel.
    func member(_ url: String) -> Member? {
        guard let member = members[url], member.reference != url else { return nil }
        return member
    }
}
