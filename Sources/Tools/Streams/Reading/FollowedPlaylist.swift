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

    /// Given by a multivariant playlist.
    enum Part: Equatable, Sendable {
        /// A variant or a rendition; nil if no other playlist is comparable.
        case media(RenditionKind?)
        /// EXT-X-I-FRAME-STREAM-INF.
        case keyFrames

        var role: RenditionKind? { if case .media(let kind) = self { kind } else { .keyFrames } }
    }

    struct Request {
        /// Includes delivery directives.
        var url: String
        var askedAt: Instant
        var answeredAt: Instant
    }

    /// Prevents a busy loop if the server does not block.
    static let shortestPause = Duration.milliseconds(50)

    /// URL or file path; not redacted.
    let place: String
    /// Redacted, for output.
    let name: String
    /// Nil for the source's own playlist.
    let part: Part?
    private(set) var entityTag: String?
    /// The server offers blocking reloads and has honoured all so far.
    private(set) var isHeld = false
    private var ignoresBlocking = false
    private(set) var kind = LintDocument.ReadPlaylist.Kind.unreadable
    private(set) var reads = 0
    private(set) var versions = 0
    private var body: [UInt8] = []
    /// The last body is not a playlist.
    private var isUnreadable = false
    /// The newest version came from another URL.
    private var isRedirected = false
    private(set) var newest: Version?
    private var watch = PlaylistWatch()
    /// Previous version's differences from the channel's first variant.
    private var deviations = RenditionDeviations()

    init(place: String, name: String, part: Part?) { (self.place, self.name, self.part) = (place, name, part) }

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

    /// Checks a load, alone and against earlier ones.
    mutating func take(
        _ answer: StreamAnswer,
        importing imported: [String: String]?,
        of request: Request
    ) -> Outcome {
        reads += 1
        guard !answer.isNotModified, versions == 0 || answer.body != body else { return unchanged(request) }
        entityTag = answer.fields?.headers["etag"]
        versions += 1
        body = answer.body
        let checked = CheckedAnswer(answer, importing: imported)
        var outcome = Outcome(
            violations: checked.violations,
            playlist: checked.playlist,
            isNewBody: true,
            isUpdate: true
        )
        isUnreadable = checked.playlist == nil
        switch checked.playlist {
        case .multivariant?:
            kind = .multivariant
            if part != nil { outcome.violations = [RoleChecks.misplaced] }
        case .media(let next)?:
            kind = .media
            outcome.violations += violations(of: next, asked: request, isSaved: answer.fields == nil)
            // The part that an unrequested delta update skips is unknown.
            guard next.skippedSegments == 0 else { return outcome }
            if let previous = newest?.playlist { outcome.isUpdate = next.isUpdate(of: previous) }
            newest = Version(playlist: next, instant: request.askedAt)
            isRedirected = answer.fields.map { $0.redirects > 0 } ?? false
            isHeld = !ignoresBlocking && next.serverControl?.canBlockReload == true && !next.hasEndList
            outcome.violations += late(next, request)
        case nil: break
        }
        return outcome
    }

    /// Only the time of an unchanged body can break a rule.
    private mutating func unchanged(_ request: Request) -> Outcome {
        guard let newest, !isUnreadable else { return Outcome() }
        let ignored = blockingViolation(of: newest.playlist, request).map { [$0] } ?? []
        return Outcome(violations: late(newest.playlist, request) + ignored, playlist: .media(newest.playlist))
    }

    private mutating func late(_ playlist: MediaPlaylist, _ request: Request) -> [Violation] {
        let (asked, answered) = (request.askedAt.nanoseconds, request.answeredAt.nanoseconds)
        return watch.loaded(playlist, askedAt: .nanoseconds(asked), at: .nanoseconds(answered))
    }

    /// A saved file does not say what was asked for.
    private mutating func violations(of next: MediaPlaylist, asked request: Request, isSaved: Bool) -> [Violation] {
        var found: [Violation] = []
        if part == .keyFrames, !next.isIFramesOnly {
            found.append(
                Violation(
                    .tagMissing,
                    expected: "EXT-X-I-FRAMES-ONLY in a playlist that EXT-X-I-FRAME-STREAM-INF names",
                    observed: "a playlist without it"
                )
            )
        }
        if next.skippedSegments > 0, !isSaved, RoleChecks.unofferedDelta(next) == nil {
            found.append(RoleChecks.unaskedDelta(next))
        }
        return found + [blockingViolation(of: next, request)].compactMap(\.self)
    }

    /// An answer that neither blocked nor has the requested segment or part.
    private mutating func blockingViolation(of playlist: MediaPlaylist, _ request: Request) -> Violation? {
        let waited = Duration.nanoseconds(request.answeredAt.nanoseconds(since: request.askedAt))
        let ignored = RoleChecks.ignoredBlocking(in: request.url, by: playlist, after: waited)
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
        guard let role = part?.role, let own = newest, let other = reference.newest else { return [] }
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
        return isFollowed ? deviations.confirmed(found, beside: reference.versions) : found
    }
}

struct CheckedAnswer {
    private(set) var violations: [Violation] = []
    /// Nil if the body cannot be parsed.
    private(set) var playlist: Playlist?
    /// Includes the import of an unknown variable.
    private(set) var error: PlaylistError?

    /// `imported` is nil if the multivariant playlist is unknown.
    init(_ answer: StreamAnswer, importing imported: [String: String]?) {
        // A file has no query for variables.
        let url = answer.fields == nil ? "" : answer.url
        answer.body.withUnsafeBytes { body in
            do throws(PlaylistError) {
                playlist = try Playlist.parse(body, url: url, importing: imported ?? [:])
            } catch {
                self.error = error
                var refusal = error
                if imported == nil, error.code == .undefinedVariable {
                    // A media playlist alone may import unknown variables: references to them stay unresolved.
                    do throws(PlaylistError) { playlist = try Playlist.parse(body) } catch { refusal = error }
                }
                if playlist == nil {
                    violations = PlaylistChecks.violations(
                        in: body,
                        refusedWith: refusal,
                        url: url,
                        importing: imported
                    )
                }
            }
            if playlist != nil { violations = PlaylistChecks.violations(in: body, url: url, importing: imported) }
        }
        if let fields = answer.fields, playlist != nil {
            let (url, bytes) = (answer.url, answer.body.count)
            violations += ResponseChecks.violations(acceptedGzip: true, url: url, bodyBytes: bytes) {
                fields.headers[$0]
            }
        }
    }
}
