import HLS
import Report
import Rules
import Swarm
import Values

struct FollowedPlaylist: Sendable {
    struct Version: Sendable {
        var playlist: MediaPlaylist
        var instant: Instant
    }

    /// Prevents a busy loop if the server does not block.
    static let shortestPause = Duration.milliseconds(50)

    /// URL or file path; not redacted.
    let place: String
    /// Whether a multivariant playlist names it.
    let isNamed: Bool
    /// Nil if no other playlist is comparable.
    let role: RenditionKind?
    private(set) var entityTag: String?
    /// The server offers blocking reloads and has honoured all so far.
    private(set) var isHeld = false
    private var ignoresBlocking = false
    private(set) var summary: LintDocument.ReadPlaylist
    private var body: [UInt8] = []
    /// The last body is not a playlist.
    private var isUnreadable = false
    /// The newest version came from another URL.
    private var isRedirected = false
    private(set) var newest: Version?
    private var watch = PlaylistWatch()
    /// Previous version's differences from the channel's first variant.
    private var deviations = RenditionDeviations()

    /// `name` is redacted, for output.
    init(place: String, name: String, isNamed: Bool = false, role: RenditionKind? = nil) {
        (self.place, self.isNamed, self.role) = (place, isNamed, role)
        summary = LintDocument.ReadPlaylist(url: name, kind: .unreadable, reads: 0, versions: 0)
    }

    /// A player's blocking request names the segment or part after the last.
    var nextURL: String {
        guard isHeld, let playlist = newest?.playlist else { return place }
        return DeliveryDirectives.next(after: playlist)?.url(place) ?? place
    }

    struct Outcome {
        var violations: [Violation] = []
        /// Nil if the body is not a playlist.
        var playlist: Playlist?
        var isNewBody = false
        /// New content determines the delay until the next load.
        var isUpdate = false
    }

    /// Checks a load, alone and against earlier ones; a nil `body` is an unmodified one.
    mutating func take(
        _ body: [UInt8]?,
        of reading: StreamReading,
        importing imported: [String: String]?
    ) -> Outcome {
        summary.reads += 1
        guard let body, summary.versions == 0 || body != self.body else { return unchanged(reading) }
        entityTag = reading.answer?.headers["etag"]
        summary.versions += 1
        self.body = body
        let checked = CheckedAnswer(body, of: reading, importing: imported)
        var outcome = Outcome(violations: checked.violations, playlist: checked.playlist)
        (outcome.isNewBody, outcome.isUpdate) = (true, true)
        isUnreadable = checked.playlist == nil
        switch checked.playlist {
        case .multivariant?:
            summary.kind = .multivariant
            if isNamed { outcome.violations = [RoleChecks.misplaced] }
        case .media(let next)?:
            summary.kind = .media
            outcome.violations += violations(of: next, reading)
            // The part that an unrequested delta update skips is unknown.
            guard next.skippedSegments == 0 else { return outcome }
            if let previous = newest?.playlist { outcome.isUpdate = next.isUpdate(of: previous) }
            newest = Version(playlist: next, instant: reading.askedAt)
            isRedirected = reading.answer.map { $0.redirects > 0 } ?? false
            isHeld = !ignoresBlocking && next.serverControl?.canBlockReload == true && !next.hasEndList
            outcome.violations += late(next, reading)
        case nil: break
        }
        return outcome
    }

    /// Only the time of an unchanged body can break a rule.
    private mutating func unchanged(_ reading: StreamReading) -> Outcome {
        guard let newest, !isUnreadable else { return Outcome() }
        let ignored = blockingViolation(of: newest.playlist, reading).map { [$0] } ?? []
        return Outcome(violations: late(newest.playlist, reading) + ignored, playlist: .media(newest.playlist))
    }

    private mutating func late(_ playlist: MediaPlaylist, _ reading: StreamReading) -> [Violation] {
        let (asked, answered) = (reading.askedAt.nanoseconds, reading.answeredAt.nanoseconds)
        return watch.loaded(playlist, askedAt: .nanoseconds(asked), at: .nanoseconds(answered))
    }

    /// A saved file does not say what was asked for.
    private mutating func violations(of next: MediaPlaylist, _ reading: StreamReading) -> [Violation] {
        var found: [Violation] = []
        if role == .keyFrames, !next.isIFramesOnly {
            let expected = "EXT-X-I-FRAMES-ONLY in a playlist that EXT-X-I-FRAME-STREAM-INF names"
            found.append(Violation(.tagMissing, expected: expected, observed: "a playlist without it"))
        }
        if next.skippedSegments > 0, reading.answer != nil, RoleChecks.unofferedDelta(next) == nil {
            found.append(RoleChecks.unaskedDelta(next))
        }
        return found + [blockingViolation(of: next, reading)].compactMap(\.self)
    }

    /// An answer that neither blocked nor has the requested segment or part.
    private mutating func blockingViolation(of playlist: MediaPlaylist, _ reading: StreamReading) -> Violation? {
        let waited = Duration.nanoseconds(reading.answeredAt.nanoseconds(since: reading.askedAt))
        let ignored = RoleChecks.ignoredBlocking(in: reading.asked, by: playlist, after: waited)
        guard let ignored else { return nil }
        (ignoresBlocking, isHeld) = (true, false)
        return ignored
    }

    /// Differences from the channel's first variant; none unless both were loaded at about the same time.
    ///
    /// While playlists are followed, a difference counts once it is seen twice: a change that reaches both is seen in one
    /// first.
    mutating func violations(
        beside reference: FollowedPlaylist,
        of channel: [String],
        isFollowed: Bool
    ) -> [Violation] {
        guard let role, let own = newest, let other = reference.newest else { return [] }
        let fresh = Int64(other.playlist.targetDurationSeconds) &* 2_000_000_000
        guard own.instant >= other.instant, own.instant &- other.instant < fresh else { return [] }
        // Rendition reports are relative to the URLs that answered.
        let channel = isRedirected || reference.isRedirected ? [] : channel
        let found = RenditionChecks.violations(
            of: own.playlist,
            as: role,
            beside: other.playlist,
            addresses: RenditionAddresses(own: place, reference: reference.place, channel: channel),
            comparesEnded: true
        )
        return isFollowed ? deviations.confirmed(found, beside: reference.summary.versions) : found
    }
}

struct CheckedAnswer {
    private(set) var violations: [Violation] = []
    /// Nil if the body cannot be parsed.
    private(set) var playlist: Playlist?
    /// Includes the import of an unknown variable.
    private(set) var error: PlaylistError?

    /// `imported` is nil if the multivariant playlist is unknown.
    init(_ body: [UInt8], of reading: StreamReading, importing imported: [String: String]?) {
        // A file has no query for variables.
        let url = reading.answer == nil ? "" : reading.url
        body.withUnsafeBytes { body in
            var refusal: PlaylistError?
            do throws(PlaylistError) {
                playlist = try Playlist.parse(body, url: url, importing: imported ?? [:])
            } catch {
                (self.error, refusal) = (error, error)
            }
            if imported == nil, refusal?.code == .undefinedVariable {
                // A media playlist alone may import unknown variables: references to them stay unresolved.
                do throws(PlaylistError) { (playlist, refusal) = (try Playlist.parse(body), nil) } catch {
                    refusal = error
                }
            }
            violations =
                refusal.map { PlaylistChecks.violations(in: body, refusedWith: $0, url: url, importing: imported) }
                ?? PlaylistChecks.violations(in: body, url: url, importing: imported)
        }
        if let answer = reading.answer, playlist != nil {
            violations += ResponseChecks.violations(acceptedGzip: true, url: url, bodyBytes: body.count) {
                answer.headers[$0]
            }
        }
    }
}
