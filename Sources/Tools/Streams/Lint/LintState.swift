import AdServing
import HLS
import Report
import Rules
import Swarm
import Transport
import Values

actor LintState {
    /// A multivariant playlist may name any number.
    static let playlistLimit = 64

    /// Each list may be an ad decision.
    static let listLimit = 64

    private let isFollowed: Bool
    private let isLocal: Bool
    private var playlists: [FollowedPlaylist] = []
    private var ledger = LintLedger()
    private var notes: [String] = []
    private var hasReadClock = false
    /// Nil without a multivariant playlist.
    private var exported: [String: String]?
    /// Keyed by ID and address without its query and signatures.
    private var lists: Set<AskedList> = []
    /// The channel's first variant.
    private var reference: Int?
    private var unreached: [Int: Unreached] = [:]

    private struct AskedList: Hashable {
        let id: String
        let path: String
    }

    private struct Unreached {
        let problem: String
        /// Another finding says the same.
        let isFound: Bool
    }

    init(isFollowed: Bool, isLocal: Bool) { (self.isFollowed, self.isLocal) = (isFollowed, isLocal) }

    /// Nil if the playlist is known already or the limit is reached.
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

    /// As players do: blocking if the server offers that (bis-22 section 6.2.5.2).
    func request(for number: Int) -> (url: String, entityTag: String?) {
        (isFollowed ? playlists[number].nextURL : playlists[number].place, playlists[number].entityTag)
    }

    /// Microseconds: longer delays in publishing are rare, dates ahead of the clock even more, and a day is a recording's.
    private static let usualOffsets: ClosedRange<Int64> = -20_000_000...3_000_000
    private static let likelyOffsets: ClosedRange<Int64> = -86_400_000_000...86_400_000_000

    /// Says by how much the dates of the first live playlist differ from this machine's clock.
    private func noteClock(of playlist: MediaPlaylist) {
        guard !hasReadClock, let end = playlist.ownEndProgramDate else { return }
        hasReadClock = true
        let offset = end.microseconds.subtractingClamped(MonotonicClock.wallMicroseconds())
        guard !Self.usualOffsets.contains(offset), Self.likelyOffsets.contains(offset) else { return }
        note(ChannelClockText.sentence(offset))
    }

    func note(_ text: String) { if !notes.contains(text) { notes.append(text) } }

    /// `delay` counts from the request; nil for a playlist that never changes.
    func take(
        _ answer: StreamAnswer,
        of number: Int,
        _ request: FollowedPlaylist.Request
    ) -> (playlist: Playlist?, delay: Duration?) {
        let outcome = playlists[number].take(answer, importing: exported, of: request)
        record(outcome.violations, of: number)
        if outcome.isNewBody, let reference, reference != number {
            let other = playlists[reference]
            let channel = playlists.filter { $0.part != nil }.map(\.place)
            let found = playlists[number].violations(beside: other, of: channel, isFollowed: isFollowed)
            record(found, of: number)
        }
        if case .media? = outcome.playlist {
            unreached[number] = nil
        } else if playlists[number].newest == nil, outcome.playlist == nil || playlists[number].part != nil {
            unreached[number] = Unreached(problem: "a body that is not a playlist", isFound: true)
        }
        switch outcome.playlist {
        case .multivariant? where playlists[number].part != nil: return (nil, nil)
        case .multivariant(let playlist)?:
            exported = (try? VariableScope.exported(by: playlist, url: answer.url)) ?? [:]
            return (outcome.playlist, nil)
        case .media(let playlist)?:
            guard ReloadRule.isReloaded(playlist) else { return (outcome.playlist, nil) }
            if !isLocal { noteClock(of: playlist) }
            if isFollowed, playlists[number].isHeld { return (outcome.playlist, FollowedPlaylist.shortestPause) }
            return (outcome.playlist, ReloadRule().delay(after: playlist, changed: outcome.isUpdate))
        case nil:
            return (nil, playlists[number].newest.map { .seconds($0.playlist.targetDurationSeconds) / 2 })
        }
    }

    func hasAnswered(_ number: Int) -> Bool { playlists[number].part != nil && playlists[number].newest != nil }

    /// Returns the time until the next try; nil if a retry would fail in the same way.
    ///
    /// `successor` replaces this address in the multivariant playlist.
    func miss(_ failure: StreamReading.Failure, of number: Int, movedTo successor: String? = nil) -> Duration? {
        guard var observed = problem(failure, at: playlists[number].name) else { return nil }
        if let successor {
            observed += "; the multivariant playlist names it no more and now names others: \(successor)"
        }
        let status: Int? = if case .refused(let answer) = failure, answer.failure == nil { answer.status } else { nil }
        let isRefused = status == 401 || status == 403
        if isRefused {
            record([Violation(.accessRefused, expected: "the playlist", observed: observed)], of: number)
        }
        if playlists[number].newest == nil {
            unreached[number] = Unreached(problem: observed, isFound: isRefused)
        } else if !isRefused {
            let likely = successor.map { _ in PlaylistWatch.renamed }
            let found = Violation(.playlistUnavailable, expected: "the playlist", observed: observed, likely: likely)
            record([found], of: number)
        }
        return .seconds(max(1, playlists[number].newest?.playlist.targetDurationSeconds ?? 2)) / 2
    }

    /// Lists that a player at the live edge would read now: once, neither long before their start nor after their end.
    ///
    /// Relative addresses stay relative.
    func interstitialsToRead(in playlist: MediaPlaylist) -> [(list: String, longest: Duration?)] {
        let edge = playlist.hasEndList ? nil : playlist.endProgramDate
        var found: [(list: String, longest: Duration?)] = []
        for interstitial in playlist.interstitials(base: "") {
            guard case .assetList(let uri) = interstitial.content else { continue }
            if let edge, !interstitial.isNear(edge, holdBack: playlist.holdBack) { continue }
            let asked = AskedList(id: interstitial.id, path: PlayedAddress.unsigned(uri[...]))
            guard !lists.contains(asked) else { continue }
            guard lists.count < Self.listLimit else {
                note("Only the first \(Self.listLimit) asset lists were read.")
                break
            }
            lists.insert(asked)
            found.append((uri, interstitial.longestContent))
        }
        return found
    }

    /// Servers make lists for a viewer at its time, so a missing one is not a finding.
    func takeList(_ reading: StreamReading, longest: Duration?, at name: String) {
        switch reading.outcome {
        case .success(let answer):
            record(reading.violations, at: name)
            do {
                let read = try AssetList(parsing: answer.body)
                record(AssetListChecks.violations(of: read, longest: longest), at: name)
            } catch {
                record([AssetListChecks.violation(of: error)], at: name)
            }
        case .failure(let failure):
            guard let problem = problem(failure, at: name) else { return }
            note("The asset list \(name) could not be read: \(problem).")
        }
    }

    /// 410 and 429 are valid answers.
    func missSteering(_ failure: StreamReading.Failure, at name: String) {
        if case .refused(let answer) = failure, answer.failure == nil, [410, 429].contains(answer.status) { return }
        guard let observed = problem(failure, at: name) else { return }
        record([Violation(.steeringUnavailable, expected: SteeringChecks.expected, observed: observed)], at: name)
    }

    /// Nil for a host that was not named, which is noted.
    private func problem(_ failure: StreamReading.Failure, at name: String) -> String? {
        switch failure {
        case .refused(let answer) where answer.failure == .unauthorisedHost:
            note("\(name) is on a host that was not named, so it was not read; --host NAME permits it.")
            return nil
        case .refused(let answer): return answer.failureCode.map { "no answer: \($0)" } ?? "status \(answer.status)"
        case .unreadable(let reason): return reason
        }
    }

    func record(_ violations: [Violation], of number: Int) { record(violations, at: playlists[number].name) }

    /// Answers that are not playlists, by redacted place.
    func record(_ violations: [Violation], at name: String) {
        let now = MonotonicClock.wallMicroseconds()
        for violation in violations {
            let shown = Redaction.pair(expected: violation.expected, observed: violation.observed, own: nil)
            ledger.record(
                violation.code,
                at: name,
                line: violation.line,
                wallMicroseconds: now,
                expected: shown.expected,
                observed: shown.observed,
                likely: violation.likely
            )
        }
    }

    /// The channel, where no media playlist was read, or single playlists.
    private func recordUnreached() {
        let missing = unreached.sorted { $0.key < $1.key }
        if !isLocal, let (number, first) = missing.first, !playlists.contains(where: { $0.newest != nil }) {
            let expected = "a playlist of the channel"
            return record([Violation(.channelUnavailable, expected: expected, observed: first.problem)], of: number)
        }
        for (number, one) in missing where !one.isFound {
            record([Violation(.playlistUnavailable, expected: "the playlist", observed: one.problem)], of: number)
        }
    }

    func document(_ options: LintOptions, source: String, start: Int64, wasInterrupted: Bool) -> LintDocument {
        recordUnreached()
        return LintDocument(
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

extension Interstitial {
    /// Until then every known player has asked for the list.
    private static let lookAhead = Duration.seconds(30)

    /// An interstitial with CUE has no place in the programme.
    fileprivate func isNear(_ edge: WallTime, holdBack: Duration) -> Bool {
        guard !cue.contains(.pre), !cue.contains(.post) else { return true }
        return startDate <= edge + Self.lookAhead && startDate + (announcedDuration ?? .zero) > edge - holdBack
    }
}
