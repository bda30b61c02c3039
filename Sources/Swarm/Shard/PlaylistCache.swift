import AdServing
import Conformance
import Glibc
package import HLS

/// What each live URL answered lately on this loop, already parsed.
///
/// Thousands of viewers receive identical bodies: a body equal to a known one costs one comparison, only news is parsed.
/// Confined to its loop.
package final class PlaylistCache {
    /// Place of a URL in the cache; valid until its last user has released it.
    package typealias Place = Int

    /// Edges of a CDN may answer with a few versions by turns; more are forgotten, oldest first.
    private static let keptVersions = 4

    /// Of delta updates there are two forms for each moment, and viewers of a slow server are several moments apart.
    private static let keptDeltas = 12

    /// Channels have one content URL or few; a target that makes one for each session must not fill the memory.
    private static let keptContents = 16

    private struct Entry {
        let url: String
        /// Variables of the multivariant playlist that named the URL (bis-22 section 4.4.2.3).
        let imports: [String: String]
        var users = 1
        var versions: [SharedPlaylist] = []
        /// When bodies were first seen, by their hashes: a version that was forgotten is no news when it comes again.
        var sights: [UInt64: Int64] = [:]
        /// What delta updates were merged to, oldest first.
        var merges: [Merge] = []
        /// What versions say against each other, oldest first.
        var transitions: [KnownTransition] = []
        /// Of whole playlists.
        var dateRanges = DateRangeHistory()
        /// What it was last found to say otherwise than the channel's first variant.
        var deviations = RenditionDeviations()
    }

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

    /// Viewers of one channel are a few versions apart at the most.
    private static let keptMerges = 16
    private static let keptTransitions = 16
    private static let keptPods = 256
    private static let keptSights = 64

    private var members = ChannelMembers()
    private let announcements: AnnouncedBreaks?
    private let interstitials: InterstitialReader?
    private let scheduled: ScheduledAnnouncements?
    private var places: [String: Place] = [:]
    // Read at each poll; a run-time exclusivity check of each access would cost more than the access, and can find
    // nothing: the class is confined to one loop, and nothing is called back while an entry is changed.
    @exclusivity(unchecked) private var entries: [Entry] = []
    private var free: [Place] = []
    /// Steering manifests that were read lately, by URL and by the channel that they are of.
    private var manifests: [String: SteeringBody] = [:]
    /// What each content URL answered last.
    private var contents: [String: (body: [UInt8], content: Content, violations: [Violation])] = [:]
    /// Fingerprints of pods that keep the rules: viewers' own ids aside they are the same for all.
    private var cleanPods: Set<UInt64> = []
    private var nextVersion = 1
    /// Bodies that were parsed, and those that were equal to a known one.
    @exclusivity(unchecked) package private(set) var parsed = 0
    @exclusivity(unchecked) package private(set) var recognised = 0

    package convenience init(announcements: AnnouncedBreaks?, interstitials: InterstitialReader? = nil) {
        self.init(announcements: announcements, interstitials: interstitials, scheduled: nil)
    }

    init(announcements: AnnouncedBreaks?, interstitials: InterstitialReader?, scheduled: ScheduledAnnouncements?) {
        self.announcements = announcements
        self.interstitials = interstitials
        self.scheduled = scheduled
    }

    /// URLs whose playlists are kept.
    var count: Int { self.places.count }

    /// The place of a URL for one more user, who must release it: a target may give each session a URL of its own.
    package func place(of url: String, importing imports: [String: String] = [:]) -> Place {
        if let place = self.places[url] {
            self.entries[place].users += 1
            return place
        }
        let place = self.free.popLast() ?? self.entries.count
        var entry = Entry(url: url, imports: imports)
        // Whoever joined by this URL has it already.
        if case .media(let known)? = self.contents[url]?.content {
            entry.versions = [known]
            _ = entry.dateRanges.note(known.playlist)
        }
        if place == self.entries.count {
            self.entries.append(entry)
        } else {
            self.entries[place] = entry
        }
        self.places[url] = place
        return place
    }

    /// Forgets what a place held when nobody uses it any more.
    func release(_ place: Place) {
        self.entries[place].users -= 1
        guard self.entries[place].users == 0 else { return }
        self.places[self.entries[place].url] = nil
        self.entries[place].versions = []
        self.entries[place].sights = [:]
        self.entries[place].merges = []
        self.entries[place].transitions = []
        self.entries[place].dateRanges = DateRangeHistory()
        self.entries[place].deviations = RenditionDeviations()
        self.free.append(place)
    }

    /// The media playlist in a body that a URL answered with.
    ///
    /// - Parameters:
    ///   - body: The answer.
    ///   - place: Of the URL that was asked.
    ///   - base: The URL that answered, where a redirect led there: references resolve against it.
    ///   - now: When the answer came, monotonic nanoseconds.
    /// - Returns: The playlist, shared with all viewers that got an equal body.
    /// - Throws: What is wrong with a body that is no media playlist.
    package func media(
        _ body: UnsafeRawBufferPointer,
        at place: Place,
        base: String? = nil,
        now: Int64 = 0
    ) throws(PlaylistError) -> SharedPlaylist {
        if let known = self.known(body, at: place) {
            // With variables an equal body may mean something else where it was redirected to.
            if base == nil || known.playlist.definitions.isEmpty {
                self.recognised += 1
                return base == nil ? known : known.based(on: base)
            }
        }
        self.parsed += 1
        let entry = self.entries[place]
        guard case .media(let playlist) = try Playlist.parse(body, url: base ?? entry.url, importing: entry.imports)
        else {
            throw PlaylistError(
                code: .notAPlaylist,
                line: 1,
                detail: "a multivariant playlist where a media playlist was"
            )
        }
        return self.keep(playlist, of: body, at: place, now: now).based(on: base)
    }

    /// Whatever playlist the content URL answers with: the choice of variants, or the one media playlist itself.
    func content(_ body: UnsafeRawBufferPointer, url: String, now: Int64 = 0) throws(PlaylistError) -> Content {
        if let known = self.contents[url], known.body.equals(body) {
            self.recognised += 1
            return known.content
        }
        let content: Content
        if let place = self.places[url], self.known(body, at: place) != nil {
            content = .media(try self.media(body, at: place, now: now))
        } else {
            self.parsed += 1
            switch try Playlist.parse(body, url: url) {
            case .multivariant(let playlist):
                let channel = SharedMultivariant(playlist, url: url)
                self.members.learn(channel)
                content = .multivariant(channel)
            case .media(let playlist):
                content = .media(
                    self.places[url].map { self.keep(playlist, of: body, at: $0, now: now) }
                        ?? self.made(
                            of: playlist,
                            body: Self.kept(body, of: playlist),
                            url: url,
                            sight: PlaylistSight(at: now, violations: PlaylistChecks.violations(in: body, url: url))
                        )
                )
            }
        }
        if self.contents.count >= Self.keptContents {
            self.contents.removeAll()
        }
        let violations: [Violation] =
            if case .multivariant = content { PlaylistChecks.violations(in: body, url: url) } else { [] }
        self.contents[url] = (Array(body), content, violations)
        return content
    }

    /// The rules that the multivariant playlist breaks which a content URL answered with last.
    func violations(ofContent url: String) -> [Violation] { self.contents[url]?.violations ?? [] }

    /// The rules that the playlist of a pod or asset breaks; equal ones that break none are read once for all viewers.
    ///
    /// - Parameters:
    ///   - body: The playlist.
    ///   - own: The id that may differ between viewers.
    ///   - url: Where it came from.
    /// - Returns: The violations in this viewer's own body.
    func violations(inPod body: UnsafeRawBufferPointer, own: StreamID, url: String) -> [Violation] {
        let fingerprint = MaskedBody.fingerprint(body, own: own).hash
        if self.cleanPods.contains(fingerprint) { return [] }
        let violations = PlaylistChecks.violations(in: body, url: url)
        guard violations.isEmpty else { return violations }
        if self.cleanPods.count >= Self.keptPods { self.cleanPods.removeAll() }
        self.cleanPods.insert(fingerprint)
        return []
    }

    enum Content {
        case multivariant(SharedMultivariant)
        case media(SharedPlaylist)
    }

    /// What a URL answered lately, oldest first.
    func versions(at place: Place) -> [SharedPlaylist] { self.entries[place].versions }

    /// The version that an answer is; the newest is what nearly all answers are.
    private func known(_ body: UnsafeRawBufferPointer, at place: Place) -> SharedPlaylist? {
        var index = self.entries[place].versions.count - 1
        while index >= 0 {
            let version = self.entries[place].versions[index]
            guard !version.isBody(body) else { return version }
            index -= 1
        }
        return nil
    }

    private func made(
        of playlist: MediaPlaylist,
        body: [UInt8],
        url: String,
        sight: PlaylistSight,
        isMerged: Bool = false,
        mismatch: DeltaMismatch? = nil
    ) -> SharedPlaylist {
        defer { self.nextVersion += 1 }
        let announced = self.announcements?.breaks(in: playlist) ?? []
        // A delta update says nothing of what it leaves out.
        let isDelta = playlist.skippedSegments > 0
        let schedule = isDelta ? nil : self.interstitials?.schedule(in: playlist, url: url)
        return SharedPlaylist(
            version: self.nextVersion,
            playlist: playlist,
            announced: announced,
            url: url,
            schedule: schedule,
            body: body,
            sight: sight,
            isMerged: isMerged,
            mismatch: mismatch,
            audience: isDelta
                ? .none
                : AudienceFacts(
                    playlist,
                    announced: self.scheduled?.breaks(in: playlist) ?? announced,
                    schedule: schedule
                )
        )
    }

    /// What is held against later answers: the playlist's own text, but where variables were replaced in it.
    private static func kept(_ body: UnsafeRawBufferPointer, of playlist: MediaPlaylist) -> [UInt8] {
        playlist.text.equals(body) ? playlist.text : Array(body)
    }

    private func keep(
        _ playlist: MediaPlaylist,
        of body: UnsafeRawBufferPointer,
        at place: Place,
        now: Int64
    ) -> SharedPlaylist {
        var sight = self.sight(of: playlist, at: place, now: now)
        let url = self.entries[place].url
        if playlist.skippedSegments == 0 {
            let imports = self.entries[place].imports
            sight.violations += PlaylistChecks.violations(in: body, url: url, importing: imports)
        }
        let shared = self.made(of: playlist, body: Self.kept(body, of: playlist), url: url, sight: sight)
        let alike = self.entries[place].versions.indices.filter {
            self.entries[place].versions[$0].isDelta == shared.isDelta
        }
        if let oldest = alike.first, alike.count == (shared.isDelta ? Self.keptDeltas : Self.keptVersions) {
            self.entries[place].versions.remove(at: oldest)
        }
        self.entries[place].versions.append(shared)
        return shared
    }
}

extension PlaylistCache {
    fileprivate struct SteeringBody {
        let body: [UInt8]
        let channel: SharedMultivariant
        let steering: SharedSteering
    }

    /// The steering manifest in a body, with the pathways that it adds to a channel worked out once for all viewers.
    ///
    /// - Throws: What is wrong with a body that is no steering manifest.
    func steering(
        _ body: UnsafeRawBufferPointer,
        url: String,
        of channel: SharedMultivariant
    ) throws(SteeringManifestError) -> SharedSteering {
        if let known = self.manifests[url], known.channel === channel, known.body.equals(body) { return known.steering }
        let manifest = try SteeringManifest.parse(body)
        let extended = SharedMultivariant.extended(channel.playlist, by: manifest, url: channel.url)
        let steering = SharedSteering(manifest, url: url, channel: extended)
        if self.manifests.count >= Self.keptContents {
            self.manifests.removeAll()
        }
        self.manifests[url] = SteeringBody(body: Array(body), channel: channel, steering: steering)
        return steering
    }

    /// The whole playlist that a delta update stands for, merged once for all viewers that had the same version.
    ///
    /// Viewers that had different ones and come to an equal playlist go on with one version: with a version for each way
    /// there, every further update would have to be merged for each of them for ever.
    ///
    /// - Returns: nil where the version in hand does not fill what the update leaves out.
    func whole(
        from delta: SharedPlaylist,
        after previous: SharedPlaylist,
        at place: Place,
        now: Int64 = 0
    ) -> SharedPlaylist? {
        let known = self.entries[place].merges.last {
            $0.delta == delta.version && $0.previous == previous.version
        }
        if let known { return known.merged?.based(on: delta.url) }
        var merged: SharedPlaylist?
        if let playlist = try? MediaPlaylist.merging(delta: delta.playlist, into: previous.playlist) {
            let observed = playlist.contentDigest
            let expected = DigestComment.digest(in: delta.playlist.text) ?? observed
            let mismatch = expected == observed ? nil : DeltaMismatch(expected: expected, observed: observed)
            merged =
                self.entries[place].merges.lazy.compactMap(\.merged)
                .last { $0.mismatch == mismatch && $0.playlist.text == playlist.text }
                ?? self.merged(playlist, mismatch: mismatch, at: place, now: now)
        }
        if self.entries[place].merges.count == Self.keptMerges {
            self.entries[place].merges.removeFirst()
        }
        self.entries[place].merges.append(Merge(delta: delta.version, previous: previous.version, merged: merged))
        return merged?.based(on: delta.url)
    }

    private func merged(
        _ playlist: MediaPlaylist,
        mismatch: DeltaMismatch?,
        at place: Place,
        now: Int64
    ) -> SharedPlaylist {
        var sight = self.sight(of: playlist, at: place, now: now)
        sight.violations += playlist.text.withUnsafeBytes { PlaylistChecks.violations(in: $0) }
        return self.made(
            of: playlist,
            body: playlist.text,
            url: self.entries[place].url,
            sight: sight,
            isMerged: true,
            mismatch: mismatch
        )
    }
}

extension PlaylistCache {
    /// What is noted of a version when it is first seen; a delta update is only a part of one.
    private func sight(of playlist: MediaPlaylist, at place: Place, now: Int64) -> PlaylistSight {
        var sum = RunHash()
        playlist.text.withUnsafeBytes { sum.add($0) }
        let hash = sum.value
        if self.entries[place].sights.count >= Self.keptSights {
            let known = self.entries[place].sights.values.sorted()
            self.entries[place].sights = self.entries[place].sights.filter { $0.value > known[known.count / 2] }
        }
        let first = self.entries[place].sights[hash] ?? now
        self.entries[place].sights[hash] = first
        var sight = PlaylistSight(at: first)
        if playlist.skippedSegments == 0 {
            sight.earlier = self.entries[place].dateRanges.note(playlist)
            sight.violations += self.deviations(of: playlist, at: place, now: now)
        }
        return sight
    }

    /// What a version says otherwise than the channel's first variant; nothing where the two cannot be compared.
    private func deviations(of playlist: MediaPlaylist, at place: Place, now: Int64) -> [Violation] {
        guard let member = self.members.member(self.entries[place].url) else { return [] }
        guard
            let reference = self.newest(at: self.places[member.reference], now: now),
            self.isOneForAll(self.entries[place].versions)
        else {
            self.entries[place].deviations.forget()
            return []
        }
        let found = RenditionChecks.violations(of: playlist, as: member.kind, beside: reference.playlist)
        return self.entries[place].deviations.confirmed(found, beside: reference.version)
    }

    /// The newest whole version of a playlist; nil where none was seen for two target durations, or where viewers are
    /// given different ones at a time.
    private func newest(at place: Place?, now: Int64) -> SharedPlaylist? {
        guard let place else { return nil }
        let entry = self.entries[place]
        let whole = entry.versions.last { !$0.isDelta }
        let merged = entry.merges.last { $0.merged != nil }?.merged
        let known = [whole, merged].compactMap(\.self)
        guard let newest = known.max(by: { $0.sight.at < $1.sight.at }), self.isOneForAll(entry.versions) else {
            return nil
        }
        return now &- newest.sight.at <= newest.targetNanoseconds &* 2 ? newest : nil
    }

    private func isOneForAll(_ versions: [SharedPlaylist]) -> Bool {
        for index in versions.indices.dropFirst() where !versions[index].isDelta {
            let others = versions[..<index].contains { !$0.isDelta && $0.isOfSameMoment(as: versions[index]) }
            if others { return false }
        }
        return true
    }

    /// What one version says against another; found once for all viewers that go from the one to the other.
    func transition(from previous: SharedPlaylist, to next: SharedPlaylist, at place: Place) -> VersionTransition {
        let known = self.entries[place].transitions
        if let found = known.last(where: { $0.to == next.version && $0.from == previous.version }) {
            return found.result
        }
        let result = VersionChecks.transition(
            from: previous.playlist,
            to: next.playlist,
            elapsed: .nanoseconds(max(next.sight.at &- previous.sight.at, 0)),
            splice: known.last { $0.to == previous.version }?.result.splice,
            earlier: next.sight.earlier,
            isSeenBefore: next.sight.at < previous.sight.at
        )
        if known.count == Self.keptTransitions {
            self.entries[place].transitions.removeFirst()
        }
        self.entries[place].transitions.append(
            KnownTransition(from: previous.version, to: next.version, result: result)
        )
        return result
    }
}

extension [UInt8] {
    func equals(_ body: UnsafeRawBufferPointer) -> Bool {
        guard self.count == body.count else { return false }
        guard let other = body.baseAddress else { return true }
        return self.withUnsafeBytes { own in
            own.baseAddress.map { memcmp($0, other, own.count) == 0 } ?? true
        }
    }
}
