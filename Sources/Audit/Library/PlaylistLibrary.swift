import AdServing
package import HLS
import Rules
import Values
package import Viewer

/// Thousands of viewers receive identical bodies: a known one costs one comparison.
///
/// Confined to its loop.
package final class PlaylistLibrary {
    enum Content {
        case multivariant(SharedMultivariant)
        case media(SharedPlaylist)
    }

    /// Targets may make a content URL for each session.
    private static let keptContents = 16

    // An exclusivity check would cost more than the access, and find nothing: the class is confined to one loop, and nothing is
    // called back while an entry is changed.
    @exclusivity(unchecked) private var members = ChannelMembers()
    @exclusivity(unchecked) private var maker: VersionMaker
    @exclusivity(unchecked) private var known: [String: KnownPlaylist] = [:]
    private var contents: [String: (body: [UInt8], content: Content, violations: [Violation])] = [:]
    @exclusivity(unchecked) package private(set) var parsed = 0
    @exclusivity(unchecked) package private(set) var recognised = 0

    init(_ maker: VersionMaker) { self.maker = maker }

    /// The library of viewers that look for announced breaks only, or for none.
    package convenience init(announcements: AnnouncedBreaks?) { self.init(VersionMaker(announcements: announcements)) }

    package var count: Int { known.count }

    /// Each user must release it: a target may give each session a URL of its own.
    package func use(_ url: String, importing imports: [String: String] = [:]) -> KnownPlaylist {
        if let playlist = known[url] {
            playlist.users += 1
            return playlist
        }
        let playlist = KnownPlaylist(url: url, imports: imports, rules: maker.rules)
        // A viewer that joined by this URL has this version already.
        if case .media(let joined)? = contents[url]?.content { playlist.adopt(joined) }
        known[url] = playlist
        return playlist
    }

    /// Forgotten with its last user.
    package func release(_ playlist: KnownPlaylist) {
        playlist.users -= 1
        if playlist.users == 0 { known[playlist.url] = nil }
    }

    func recognise(
        _ body: UnsafeRawBufferPointer,
        as latest: SharedPlaylist,
        of playlist: KnownPlaylist,
        asked: Instant
    ) -> Bool {
        guard playlist.version(ofBody: body) === latest else { return false }
        playlist.asked(at: asked, targetNanoseconds: latest.targetNanoseconds)
        recognised += 1
        return true
    }

    /// `base` is the URL after redirects, against which references resolve; `asked` is the time of the request.
    package func media(
        _ body: UnsafeRawBufferPointer,
        of known: KnownPlaylist,
        base: String? = nil,
        asked: Instant = .zero,
        now: Instant = .zero
    ) throws(PlaylistError) -> SharedPlaylist {
        if let version = known.version(ofBody: body) {
            // With variables an equal body may differ in meaning after a redirect.
            if base == nil || version.playlist.head.definitions.isEmpty {
                known.asked(at: asked, targetNanoseconds: version.targetNanoseconds)
                recognised += 1
                return base == nil ? version : version.based(on: base)
            }
        }
        parsed += 1
        let url = base ?? known.url
        guard case .media(let playlist) = try Playlist.parse(body, url: url, importing: known.imports) else {
            let detail = "a multivariant playlist where a media playlist was"
            throw PlaylistError(code: .notAPlaylist, line: 1, detail: detail)
        }
        return keep(playlist, body, of: known, base: url, now: now).based(on: base)
    }

    func content(_ body: UnsafeRawBufferPointer, url: String, now: Instant = .zero) throws(PlaylistError) -> Content {
        if let last = contents[url], last.body.equals(body) {
            recognised += 1
            return last.content
        }
        let content: Content
        if let playlist = known[url], playlist.version(ofBody: body) != nil {
            content = .media(try media(body, of: playlist, now: now))
        } else {
            parsed += 1
            content = made(of: try Playlist.parse(body, url: url), body, url: url, now: now)
        }
        let violations: [Violation] =
            if case .multivariant = content { PlaylistChecks.violations(in: body, url: url) } else { [] }
        contents.keep((Array(body), content, violations), for: url, atMost: Self.keptContents)
        return content
    }

    /// Ignores queries and signatures.
    func hasDropped(_ variant: String, from channel: SharedMultivariant) -> Bool {
        guard case .multivariant(let newest)? = contents[channel.url]?.content, newest !== channel else { return false }
        func path(_ url: String) -> String { PlayedAddress.unsigned(url[...]) }
        let urls = newest.variantURLs.compactMap(\.self)
        return !urls.isEmpty && !urls.contains { path($0) == path(variant) }
    }

    func violations(ofContent url: String) -> [Violation] { contents[url]?.violations ?? [] }

    private func made(of playlist: Playlist, _ body: UnsafeRawBufferPointer, url: String, now: Instant) -> Content {
        switch playlist {
        case .multivariant(let playlist):
            let channel = SharedMultivariant(playlist, url: url)
            members.learn(channel)
            return .multivariant(channel)
        case .media(let playlist):
            if let known = known[url] { return .media(keep(playlist, body, of: known, base: url, now: now)) }
            let sight = PlaylistSight(at: now, violations: PlaylistChecks.violations(in: body, url: url))
            return .media(maker.version(of: playlist, body: Self.kept(body, of: playlist), url: url, sight: sight))
        }
    }

    /// Nil if the two do not match.
    ///
    /// Different previous versions that lead to an equal playlist share one version: otherwise every further update would be
    /// merged once per path.
    func whole(
        from delta: SharedPlaylist,
        after previous: SharedPlaylist,
        of known: KnownPlaylist,
        now: Instant = .zero
    ) -> SharedPlaylist? {
        if let found = known.merge(of: delta, after: previous) { return found?.based(on: delta.url) }
        var merged: SharedPlaylist?
        if let playlist = try? MediaPlaylist.merging(delta: delta.playlist, into: previous.playlist) {
            let observed = playlist.contentDigest
            let expected = DigestComment.digest(in: delta.playlist.text) ?? observed
            let mismatch = expected == observed ? nil : DeltaMismatch(expected: expected, observed: observed)
            merged =
                known.merged(like: playlist, mismatch: mismatch)
                ?? mergedVersion(of: playlist, from: delta, mismatch: mismatch, of: known, now: now)
        }
        known.keep(merged, of: delta, after: previous)
        return merged?.based(on: delta.url)
    }

    private func mergedVersion(
        of playlist: MediaPlaylist,
        from delta: SharedPlaylist,
        mismatch: DeltaMismatch?,
        of known: KnownPlaylist,
        now: Instant
    ) -> SharedPlaylist {
        var sight = seen(playlist, of: known, base: delta.url, now: now)
        sight.violations += playlist.text.withUnsafeBytes { PlaylistChecks.violations(in: $0) }
        sight.violations += delta.sight.violations.filter(\.isOfSkip)
        let (text, url) = (playlist.text, known.url)
        return maker.version(of: playlist, body: text, url: url, sight: sight, isMerged: true, mismatch: mismatch)
    }

    private func keep(
        _ playlist: consuming MediaPlaylist,
        _ body: UnsafeRawBufferPointer,
        of known: KnownPlaylist,
        base: String,
        now: Instant
    ) -> SharedPlaylist {
        var sight = seen(playlist, of: known, base: base, now: now)
        // QUERYPARAM is of the URL that answered, after redirects (bis-22 section 4.4.2.3).
        sight.violations += PlaylistChecks.violations(in: body, url: base, importing: known.imports)
        let text = Self.kept(body, of: playlist)
        let shared = maker.version(of: playlist, body: text, url: known.url, sight: sight)
        known.keep(shared)
        return shared
    }

    /// The playlist's own text, unless variables were replaced in it.
    private static func kept(_ body: UnsafeRawBufferPointer, of playlist: MediaPlaylist) -> [UInt8] {
        playlist.text.equals(body) ? playlist.text : Array(body)
    }

    private func seen(_ playlist: MediaPlaylist, of known: KnownPlaylist, base: String, now: Instant) -> PlaylistSight {
        known.isRedirected = base != known.url
        var sight = known.sight(of: playlist, now: now)
        guard playlist.skippedSegments == 0, let member = members.member(known.url) else { return sight }
        let first = self.known[member.reference]
        // Rendition reports are relative to the URLs that answered.
        let isRedirected = known.isRedirected || first?.isRedirected ?? false
        let reference = first?.newest(now: now)
        let channel = isRedirected ? [] : member.channel
        sight.violations += known.deviations(of: playlist, as: member, beside: reference, of: channel)
        return sight
    }
}

struct VersionRules {
    /// Empty for players that keep the hold-back of the playlist.
    var players: [PlaybackFacts] = []
    var tolerance = Duration.announcementTolerance
    var staleAfterTargets = Standstill.usualTargets
}

struct VersionMaker {
    /// Nil for viewers that ignore them, as `interstitials`.
    let announcements: AnnouncedBreaks?
    var interstitials: InterstitialReader?
    /// Announcements of breaks that viewers know by the wall clock already.
    var scheduled: ScheduledAnnouncements?
    var sessions = GivenSessions()
    var rules = VersionRules()
    /// Nil if memory is not counted.
    var account: BodyBudget?
    var next = 1

    mutating func version(
        of playlist: consuming MediaPlaylist,
        body: [UInt8],
        url: String,
        sight: PlaylistSight,
        isMerged: Bool = false,
        mismatch: DeltaMismatch? = nil
    ) -> SharedPlaylist {
        defer { next += 1 }
        let announced = announcements?.breaks(in: playlist) ?? []
        // A delta update does not describe what it leaves out.
        let isDelta = playlist.skippedSegments > 0
        let schedule = isDelta ? nil : interstitials?.schedule(in: playlist, url: url)
        let audience =
            isDelta
            ? .none
            : AudienceFacts(
                playlist,
                announced: scheduled?.breaks(in: playlist) ?? announced,
                schedule: schedule,
                sessions: sessions
            )
        return SharedPlaylist(
            version: next,
            playlist: playlist,
            announced: announced,
            url: url,
            schedule: schedule,
            body: body,
            sight: sight,
            isMerged: isMerged,
            mismatch: mismatch,
            audience: audience,
            staleAfterTargets: rules.staleAfterTargets,
            account: account
        )
    }
}
