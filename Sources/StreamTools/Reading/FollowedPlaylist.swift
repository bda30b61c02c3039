import Conformance
import HLS
import Report
import Rulebook
import Time

/// Everything that is known of one playlist, read once or followed.
struct FollowedPlaylist: Sendable {
    /// A version with the moment of its load.
    struct Version: Sendable {
        var playlist: MediaPlaylist
        var instant: Instant
    }

    /// What a multivariant playlist names a playlist as.
    enum Part: Equatable, Sendable {
        /// A variant or a rendition; nil where there is nothing to compare it with.
        case media(RenditionKind?)
        /// Of EXT-X-I-FRAME-STREAM-INF.
        case keyFrames
    }

    /// One load.
    struct Request {
        /// What was asked, with its delivery directives.
        var url: String
        var askedAt: Instant
        var answeredAt: Instant
    }

    /// Between an answer that was held and the next request, so that one that is not held is no loop without a pause.
    static let shortestPause = Duration.milliseconds(50)

    /// Where it is read from: a URL or a file's path; not redacted.
    let place: String
    /// As it is printed.
    let name: String
    /// Nil for the given playlist itself.
    let part: Part?
    /// Of the newest answer.
    private(set) var entityTag: String?
    /// Whether the server offers to hold answers, and did not fail to.
    private(set) var isHeld = false
    private var ignoresBlocking = false
    private(set) var kind = LintDocument.ReadPlaylist.Kind.unreadable
    private(set) var reads = 0
    private(set) var versions = 0
    private var body: [UInt8] = []
    /// The newest that could be read.
    private(set) var newest: Version?
    /// What is remembered of its versions.
    private var watch = PlaylistWatch()
    /// What the version before said otherwise than the channel's first variant.
    private var deviations = RenditionDeviations()

    init(place: String, name: String, part: Part?) {
        self.place = place
        self.name = name
        self.part = part
    }

    /// What a player asks next: the segment or part after the last one, held until it is there.
    var nextURL: String {
        guard isHeld, let playlist = newest?.playlist else { return place }
        let part = playlist.partTargetMicroseconds == nil ? nil : playlist.trailingPartCount
        return DeliveryDirectives(mediaSequence: playlist.endMediaSequence, part: part).url(place)
    }

    /// What came of one load.
    struct Outcome {
        var violations: [Violation] = []
        /// Nil where it is no playlist.
        var playlist: Playlist?
        /// Whether the body differs from that of the load before.
        var isNewBody = false
        /// Whether it brings anything new, which decides when to load again.
        var isUpdate = false
    }

    /// Takes a load in and checks it: the answer alone, and against what came before.
    ///
    /// - Parameters:
    ///   - answer: What came.
    ///   - imported: Variables of the multivariant playlist; nil where they are unknown.
    ///   - request: What was asked, and when.
    /// - Returns: What is wrong with it.
    mutating func take(
        _ answer: StreamAnswer,
        importing imported: [String: String]?,
        of request: Request
    ) -> Outcome {
        reads += 1
        guard !answer.isNotModified, versions == 0 || answer.body != body else { return unchanged(request) }
        entityTag = answer.fields?.entityTag
        versions += 1
        body = answer.body
        let checked = CheckedAnswer(answer, importing: imported)
        var outcome = Outcome(
            violations: checked.violations,
            playlist: checked.playlist,
            isNewBody: true,
            isUpdate: true
        )
        switch checked.playlist {
        case .multivariant?:
            kind = .multivariant
            if part != nil { outcome.violations.append(Self.misplaced) }
        case .media(let next)?:
            kind = .media
            outcome.violations += violations(of: next, asked: request)
            // The rest of a delta update that nobody asked for is unknown.
            guard next.skippedSegments == 0 else { return outcome }
            if let previous = newest?.playlist { outcome.isUpdate = next.isUpdate(of: previous) }
            newest = Version(playlist: next, instant: request.askedAt)
            isHeld = !ignoresBlocking && next.serverControl?.canBlockReload == true && !next.hasEndList
            outcome.violations += watch.loaded(
                next,
                askedAt: .nanoseconds(request.askedAt.nanoseconds),
                at: .nanoseconds(request.answeredAt.nanoseconds)
            )
        case nil: break
        }
        return outcome
    }

    /// The same body again: only time can speak against it.
    private mutating func unchanged(_ request: Request) -> Outcome {
        guard let newest else { return Outcome() }
        let ignored = blockingViolation(of: newest.playlist, request)
        let late = watch.loaded(
            newest.playlist,
            askedAt: .nanoseconds(request.askedAt.nanoseconds),
            at: .nanoseconds(request.answeredAt.nanoseconds)
        )
        return Outcome(violations: late + [ignored].compactMap(\.self), playlist: .media(newest.playlist))
    }

    /// What a version says against how it was asked for, and against what it was named as.
    private mutating func violations(of next: MediaPlaylist, asked request: Request) -> [Violation] {
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
        if next.skippedSegments > 0 {
            found.append(
                Violation(
                    .deltaMismatch,
                    expected: "the whole playlist: nobody asked with _HLS_skip",
                    observed: "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(next.skippedSegments)"
                )
            )
        }
        return found + [blockingViolation(of: next, request)].compactMap(\.self)
    }

    /// An answer that neither was held nor has what was asked for.
    private mutating func blockingViolation(of playlist: MediaPlaylist, _ request: Request) -> Violation? {
        guard !playlist.hasEndList, let wish = try? DeliveryDirectives(in: request.url),
            let wanted = wish.mediaSequence, !wish.areMet(by: playlist)
        else { return nil }
        ignoresBlocking = true
        isHeld = false
        let waited = request.answeredAt.nanoseconds(since: request.askedAt) / 1_000_000
        let part = wish.part.map { "part \($0) of " } ?? ""
        return Violation(
            .blockingReloadIgnored,
            expected: "held until \(part)segment \(wanted) is there, or an error",
            observed: "after \(waited) ms a playlist that ends before segment \(playlist.endMediaSequence)"
        )
    }

    private static let misplaced = Violation(
        .tagMisplaced,
        expected: "a media playlist, as a multivariant playlist names them",
        observed: "a multivariant playlist"
    )

    /// The differences between the newest version and that of another playlist of the channel.
    ///
    /// - Parameters:
    ///   - reference: The channel's first variant.
    ///   - isFollowed: Whether more versions come. Then a difference counts once it is seen twice, because a change
    ///     that reaches both playlists is seen in one of them first.
    /// - Returns: Nothing where the two were not loaded at about the same time.
    mutating func violations(beside reference: FollowedPlaylist, isFollowed: Bool) -> [Violation] {
        guard case .media(let role?)? = part, let own = newest, let other = reference.newest else { return [] }
        let fresh = Int64(other.playlist.targetDurationSeconds) &* 2_000_000_000
        guard own.instant >= other.instant, own.instant &- other.instant < fresh else { return [] }
        let found = RenditionChecks.violations(
            of: own.playlist,
            as: role,
            beside: other.playlist,
            comparesEnded: true
        )
        return isFollowed ? deviations.confirmed(found, beside: reference.versions) : found
    }
}
