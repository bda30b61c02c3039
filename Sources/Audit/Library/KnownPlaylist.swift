import Audience
import Conformance
import HLS
import Time

/// What one live URL answered lately, and what is known of its versions.
///
/// An object, because looking at a value in the library's list would copy it at every poll. Confined to its loop: a run-time
/// exclusivity check of each access could find nothing.
final class KnownPlaylist {
    /// What one version says against another, found once for all viewers.
    private struct KnownTransition {
        let from: Int
        let to: Int
        let result: VersionTransition
    }

    /// One delta update and one whole playlist before it; nil where they do not go together.
    private struct Merge {
        let delta: Int
        let previous: Int
        let merged: SharedPlaylist?
    }

    /// Edges of a CDN may answer with a few versions by turns; more are forgotten, oldest first.
    private static let keptVersions = 4
    /// The newest is kept however large it is, and with it no more of the others than this.
    private static let keptBytes = 32 << 20
    /// Of delta updates there are two forms for each moment, and viewers of a slow server are several moments apart.
    private static let keptDeltas = 12
    /// Viewers of one channel are a few versions apart at the most.
    private static let keptMerges = 16
    private static let keptTransitions = 16
    private static let keptSights = 64

    let url: String
    /// Variables of the multivariant playlist that named the URL (bis-22 section 4.4.2.3).
    private(set) var imports: [String: String]
    /// The players that are given the versions; empty: such as keep the hold-back of the playlist.
    private let players: [PlaybackFacts]
    private let tolerance: AnnouncementTolerance
    @exclusivity(unchecked) var users = 1
    @exclusivity(unchecked) private(set) var versions: [SharedPlaylist] = []
    /// When bodies were first seen, by their hashes: a version that was forgotten is no news when it comes again.
    @exclusivity(unchecked) private var sights: [UInt64: Instant] = [:]
    /// What delta updates were merged to, oldest first.
    private var merges: [Merge] = []
    /// What versions say against each other, oldest first.
    private var transitions: [KnownTransition] = []
    /// Of whole playlists.
    @exclusivity(unchecked) private var dateRanges = DateRangeHistory()
    /// What it was last found to say otherwise than the channel's first variant.
    private var deviations = RenditionDeviations()

    init(
        url: String,
        imports: [String: String],
        players: [PlaybackFacts],
        tolerance: AnnouncementTolerance = .usual
    ) {
        self.url = url
        self.imports = imports
        self.players = players
        self.tolerance = tolerance
    }

    /// Forgets all but its URL, when nobody uses it any more.
    func clear() {
        imports = [:]
        users = 0
        versions = []
        sights = [:]
        merges = []
        transitions = []
        dateRanges = DateRangeHistory()
        deviations = RenditionDeviations()
    }

    // MARK: Versions

    /// The version that an answer is; the newest is what nearly all answers are.
    func version(ofBody body: UnsafeRawBufferPointer) -> SharedPlaylist? {
        var index = versions.count - 1
        while index >= 0 {
            let version = versions[index]
            guard !version.isBody(body) else { return version }
            index -= 1
        }
        return nil
    }

    /// Takes a version that viewers joined with, before they chose this URL.
    func adopt(_ shared: SharedPlaylist) {
        versions = [shared]
        _ = dateRanges.note(shared.playlist)
    }

    /// Keeps a new version, in place of the oldest of its kind where there are too many.
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

    /// The newest whole version; nil where none was seen for two target durations, or where viewers are given different
    /// ones at a time.
    func newest(now: Instant) -> SharedPlaylist? {
        let whole = versions.last { !$0.isDelta }
        let merged = merges.last { $0.merged != nil }?.merged
        let known = [whole, merged].compactMap(\.self)
        guard let newest = known.max(by: { $0.sight.at < $1.sight.at }), isOneForAll else { return nil }
        return now &- newest.sight.at <= newest.targetNanoseconds &* 2 ? newest : nil
    }

    /// False where viewers are given different playlists of one moment.
    private var isOneForAll: Bool {
        for index in versions.indices.dropFirst() where !versions[index].isDelta {
            let others = versions[..<index].contains { !$0.isDelta && $0.isOfSameMoment(as: versions[index]) }
            if others { return false }
        }
        return true
    }

    // MARK: What is noted of a version

    /// What is noted of a version when it is first seen; a delta update is only a part of one.
    func sight(of playlist: MediaPlaylist, now: Instant) -> PlaylistSight {
        var sight = PlaylistSight(at: firstSeen(playlist.text.withUnsafeBytes(BodyHash.value), now: now))
        if playlist.skippedSegments == 0 { sight.earlier = dateRanges.note(playlist) }
        return sight
    }

    /// When a body with this hash was first seen; the older half is forgotten where there are too many.
    private func firstSeen(_ hash: UInt64, now: Instant) -> Instant {
        if sights.count >= Self.keptSights {
            let known = sights.values.sorted()
            sights = sights.filter { $0.value > known[known.count / 2] }
            sights.reserveCapacity(Self.keptSights)
        }
        if let first = sights[hash] { return first }
        sights[hash] = now
        return now
    }

    /// What a version says otherwise than the channel's first variant, `reference`; nothing where that is not known, or the
    /// two cannot be compared.
    func deviations(
        of playlist: MediaPlaylist,
        as kind: RenditionKind,
        beside reference: SharedPlaylist?
    ) -> [Violation] {
        guard let reference, isOneForAll else {
            deviations.forget()
            return []
        }
        let found = RenditionChecks.violations(
            of: playlist,
            as: kind,
            beside: reference.playlist,
            tolerance: tolerance
        )
        return deviations.confirmed(found, beside: reference.version)
    }

    /// What one version says against another; found once for all viewers that go from the one to the other.
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
            // A break is late when it is for those nearest to the live edge.
            lead: players.map(next.announcementLead).max(),
            tolerance: tolerance
        )
        if transitions.count == Self.keptTransitions {
            transitions.removeFirst()
        }
        transitions.append(KnownTransition(from: previous.version, to: next.version, result: result))
        return result
    }

    // MARK: Delta updates

    /// What a delta update and a version were found to make: nil where that was not tried yet, nil within where they do not
    /// go together.
    func merge(of delta: SharedPlaylist, after previous: SharedPlaylist) -> SharedPlaylist?? {
        merges.last { $0.delta == delta.version && $0.previous == previous.version }.map(\.merged)
    }

    /// The version that another merge led to already.
    func merged(like playlist: MediaPlaylist, mismatch: DeltaMismatch?) -> SharedPlaylist? {
        merges.lazy.compactMap(\.merged).last { $0.mismatch == mismatch && $0.playlist.text == playlist.text }
    }

    func keep(_ merged: SharedPlaylist?, of delta: SharedPlaylist, after previous: SharedPlaylist) {
        if merges.count == Self.keptMerges {
            merges.removeFirst()
        }
        merges.append(Merge(delta: delta.version, previous: previous.version, merged: merged))
    }
}
