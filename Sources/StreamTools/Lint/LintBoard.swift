import AdServing
import Conformance
import EventLoop
import HLS
import Report
import Rulebook
import Swarm
import Time

/// Where everything that a lint reads comes together: playlists, findings, notes.
actor LintBoard {
    /// A multivariant playlist may name any number; these are more than any channel has.
    static let playlistLimit = 64

    /// Whether each playlist is read more than once.
    private let isFollowed: Bool
    private var playlists: [FollowedPlaylist] = []
    private var ledger = LintLedger()
    private var notes: [String] = []
    /// The variables of the multivariant playlist, for the media playlists that it names; nil without such a playlist.
    private var exported: [String: String]?
    /// The number of the channel's first variant, which the others are held against.
    private var reference: Int?

    init(isFollowed: Bool) {
        self.isFollowed = isFollowed
    }

    /// Makes a playlist known.
    ///
    /// - Parameters:
    ///   - place: Where it is read from.
    ///   - name: As it is printed.
    ///   - part: What the multivariant playlist names it as; nil for the given playlist itself.
    /// - Returns: Its number; nil where the playlist is known already, or where there are too many.
    func add(_ place: String, name: String, part: FollowedPlaylist.Part? = nil) -> Int? {
        guard !playlists.contains(where: { $0.place == place }) else { return nil }
        guard playlists.count < Self.playlistLimit else {
            note("Only the first \(Self.playlistLimit) playlists were read.")
            return nil
        }
        playlists.append(FollowedPlaylist(place: place, name: name, part: part))
        if part == .media(.variant), reference == nil { reference = playlists.count - 1 }
        return playlists.count - 1
    }

    /// What to ask next for a playlist: as players do, held where the server offers that (bis-22 section 6.2.5.2), and
    /// with the entity tag of the answer before.
    func request(for number: Int) -> (url: String, entityTag: String?) {
        (isFollowed ? playlists[number].nextURL : playlists[number].place, playlists[number].entityTag)
    }

    func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    /// Takes a load in.
    ///
    /// - Parameters:
    ///   - answer: What came.
    ///   - number: The playlist's.
    ///   - instant: When the load began.
    ///   - url: What was asked.
    /// - Returns: What it is, and how long to wait from the load's beginning to the next; nil where it never changes.
    func take(
        _ answer: StreamAnswer,
        of number: Int,
        at instant: Instant,
        asked url: String
    ) -> (playlist: Playlist?, delay: Duration?) {
        let request = FollowedPlaylist.Request(url: url, askedAt: instant, answeredAt: MonotonicClock.now())
        let outcome = playlists[number].take(answer, importing: exported, of: request)
        record(outcome.violations, of: number)
        if outcome.isNewBody, let reference, reference != number {
            let other = playlists[reference]
            let found = playlists[number].violations(beside: other, isFollowed: isFollowed)
            record(found, of: number)
        }
        switch outcome.playlist {
        case .multivariant(let playlist)?:
            exported = (try? VariableScope.exported(by: playlist, url: answer.url)) ?? [:]
            return (outcome.playlist, nil)
        case .media(let playlist)?:
            guard ReloadRule.isReloaded(playlist) else { return (outcome.playlist, nil) }
            if isFollowed, playlists[number].isHeld { return (outcome.playlist, FollowedPlaylist.shortestPause) }
            return (outcome.playlist, ReloadRule().delay(after: playlist, changed: outcome.isUpdate))
        case nil:
            return (nil, playlists[number].newest.map { .seconds($0.playlist.targetDurationSeconds) / 2 })
        }
    }

    /// Takes down that a playlist did not answer.
    ///
    /// - Parameters:
    ///   - failure: Why.
    ///   - number: The playlist's.
    /// - Returns: How long to wait until the next try; nil where another one would fail alike.
    func miss(_ failure: StreamReading.Failure, of number: Int) -> Duration? {
        let observed: String
        switch failure {
        case .refused(let answer) where answer.failure == .unauthorisedHost:
            note(
                "\(playlists[number].name) is on a host that was not named, so it was not read; --host NAME permits it."
            )
            return nil
        case .refused(let answer):
            observed = answer.failureCode.map { "no answer: \($0)" } ?? "status \(answer.status)"
        case .unreadable(let reason): observed = reason
        }
        let violation = Violation(.playlistUnavailable, expected: "the playlist", observed: observed)
        record([violation], of: number)
        return .seconds(max(1, playlists[number].newest?.playlist.targetDurationSeconds ?? 2)) / 2
    }

    /// Takes down what is wrong with a playlist, or with an answer to a request for it.
    func record(_ violations: [Violation], of number: Int) {
        let now = MonotonicClock.wallMicroseconds()
        for violation in violations {
            ledger.record(
                violation.code,
                at: playlists[number].name,
                line: violation.line,
                wallMicroseconds: now,
                expected: Redaction.text(violation.expected, own: nil),
                observed: Redaction.text(violation.observed, own: nil)
            )
        }
    }

    /// Puts together what was found.
    ///
    /// - Parameters:
    ///   - options: What was asked for.
    ///   - source: As it is printed.
    ///   - start: Microseconds since the Unix epoch.
    ///   - wasInterrupted: Whether the user ended it early.
    /// - Returns: The document, judged.
    func document(_ options: LintOptions, source: String, start: Int64, wasInterrupted: Bool) -> LintDocument {
        LintDocument(
            source: source,
            startedAtMicroseconds: start,
            endedAtMicroseconds: MonotonicClock.wallMicroseconds(),
            failsFrom: options.failsFrom,
            wasInterrupted: wasInterrupted,
            playlists: playlists.map {
                LintDocument.ReadPlaylist(url: $0.name, kind: $0.kind, reads: $0.reads, versions: $0.versions)
            },
            findings: ledger.findings(allowed: options.allowed),
            notes: notes
        )
    }
}
