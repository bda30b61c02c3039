import Conformance
import HLS
import Report
import Time

/// All that is known of one playlist of a lint.
struct LintedPlaylist: Sendable {
    /// A version with the moment of its load.
    struct Version: Sendable {
        var playlist: MediaPlaylist
        var instant: Instant
    }

    /// Where it is read from: a URL or a file's path; not redacted.
    let place: String
    /// As it is printed.
    let name: String
    /// Its part in a channel; nil where there is nothing to compare it with.
    let role: RenditionKind?
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

    init(place: String, name: String, role: RenditionKind?) {
        self.place = place
        self.name = name
        self.role = role
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
    ///   - asked: When the load began.
    ///   - now: When the answer was there.
    /// - Returns: What is wrong with it.
    mutating func take(
        _ answer: LintAnswer,
        importing imported: [String: String]?,
        askedAt asked: Instant,
        at now: Instant
    ) -> Outcome {
        reads += 1
        let isNewBody = versions == 0 || answer.body != body
        guard isNewBody else { return unchanged(askedAt: asked, at: now) }
        versions += 1
        body = answer.body
        let checked = LintedAnswer(answer, importing: imported)
        var outcome = Outcome(
            violations: checked.violations,
            playlist: checked.playlist,
            isNewBody: true,
            isUpdate: true
        )
        switch checked.playlist {
        case .multivariant?: kind = .multivariant
        case .media(let next)?:
            kind = .media
            if let previous = newest?.playlist { outcome.isUpdate = next.isUpdate(of: previous) }
            newest = Version(playlist: next, instant: asked)
            outcome.violations += watch.loaded(
                next,
                askedAt: .nanoseconds(asked.nanoseconds),
                at: .nanoseconds(now.nanoseconds)
            )
        case nil: break
        }
        return outcome
    }

    /// The same body again: only time can speak against it.
    private mutating func unchanged(askedAt asked: Instant, at now: Instant) -> Outcome {
        guard let newest else { return Outcome() }
        let late = watch.loaded(
            newest.playlist,
            askedAt: .nanoseconds(asked.nanoseconds),
            at: .nanoseconds(now.nanoseconds)
        )
        return Outcome(violations: late, playlist: .media(newest.playlist))
    }

    /// The differences between the newest version and that of another playlist of the channel.
    ///
    /// - Parameters:
    ///   - reference: The channel's first variant.
    ///   - isFollowed: Whether more versions come. Then a difference counts once it is seen twice, because a change
    ///     that reaches both playlists is seen in one of them first.
    /// - Returns: Nothing where the two were not loaded at about the same time.
    mutating func violations(beside reference: LintedPlaylist, isFollowed: Bool) -> [Violation] {
        guard let role, let own = newest, let other = reference.newest else { return [] }
        let fresh = Int64(other.playlist.targetDurationSeconds) &* 2_000_000_000
        guard own.instant >= other.instant, own.instant &- other.instant < fresh else { return [] }
        let found = RenditionChecks.violations(of: own.playlist, as: role, beside: other.playlist)
        return isFollowed ? deviations.confirmed(found, beside: reference.versions) : found
    }
}
