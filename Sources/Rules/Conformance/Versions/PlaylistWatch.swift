package import HLS

/// Checks versions of one URL against each other and the clock; delta updates must have been merged before.
///
/// Instants are durations since any one moment.
package struct PlaylistWatch: Sendable {
    private struct Seen: Sendable {
        let playlist: MediaPlaylist
        let firstSeen: Duration
        let earlier: DateRangeHistory.Earlier
        /// State at its end; nil derives it from this version alone.
        var splice: SpliceState?
    }

    private var last: Seen?
    private var course = VersionCourse<Seen>()
    private var history = DateRangeHistory()
    private var changedAt: Duration = .zero
    private var edge = EdgeChecks.Edge()
    /// Whether the present standstill has been reported.
    private var isStale = false
    private var rhythm = UpdateRhythm()

    package init() {}

    /// `asked` is the time of the request, `now` that of the answer.
    package mutating func loaded(_ playlist: MediaPlaylist, askedAt asked: Duration, at now: Duration) -> [Violation] {
        guard let last else {
            reached(EdgeChecks.Edge(of: playlist), at: now)
            self.last = seen(playlist, at: now)
            return []
        }
        let known = changedAt
        guard playlist.text != last.playlist.text else {
            _ = rhythm.loaded(playlist, isAhead: false, askedAt: asked, at: now)
            return unchanged(askedAt: asked, playlist)
        }
        var found = progress(of: playlist, after: last.playlist, askedAt: asked, at: now)
        if let slow = rhythm.loaded(playlist, isAhead: changedAt != known, askedAt: asked, at: now) {
            found.append(slow)
        }
        var next = seen(playlist, at: now)
        var splice: SpliceState?
        found += course.violations(of: next, after: last) { from, to in
            let result = VersionChecks.transition(
                from: from.playlist,
                to: to.playlist,
                elapsed: to.firstSeen - from.firstSeen,
                splice: from.splice,
                earlier: to.earlier
            )
            splice = result.splice
            return result
        }
        next.splice = splice
        self.last = next
        return found
    }

    /// Likely cause where the multivariant playlist names others.
    package static let renamed = "The playlists were renamed, and players keep the names that they know."

    private mutating func seen(_ playlist: MediaPlaylist, at now: Duration) -> Seen {
        Seen(playlist: playlist, firstSeen: now, earlier: history.note(playlist))
    }

    /// Alternating copies of different age are not progress.
    private mutating func progress(
        of playlist: MediaPlaylist,
        after last: MediaPlaylist,
        askedAt asked: Duration,
        at now: Duration
    ) -> [Violation] {
        let next = EdgeChecks.Edge(of: playlist)
        let step = EdgeChecks.step(from: last, to: playlist)
        // A lower number without an older copy is a restart.
        if next > edge || step == .forward && next < EdgeChecks.Edge(of: last) {
            reached(next, at: now)
            return []
        }
        let late = unchanged(askedAt: asked, playlist)
        if case .older(let violation) = step { return [violation] + late }
        return late
    }

    private mutating func reached(_ edge: EdgeChecks.Edge, at now: Duration) {
        self.edge = edge
        changedAt = now
        isStale = false
    }

    private mutating func unchanged(askedAt asked: Duration, _ playlist: MediaPlaylist) -> [Violation] {
        guard !isStale,
            let stale = Standstill.violation(of: playlist, unchangedFor: asked - changedAt, since: edge.mediaSequence)
        else { return [] }
        isStale = true
        return [stale]
    }
}

/// Limit on the time without changes of a live playlist (bis-22 sections 6.2.1 and 6.3.4).
package enum Standstill {
    /// Target durations: one and a half for a server, and half of one for a cache before it.
    package static let usualTargets = 2.0

    package static func limit(targetDurationSeconds: Int, targets: Double = Standstill.usualTargets) -> Duration {
        .seconds(targetDurationSeconds) * targets
    }

    /// Nil unless a live playlist was unchanged for longer than `targets` target durations.
    ///
    /// `time` runs from the version's first arrival to the request that brought it again. `edge` is the media sequence number
    /// since which nothing came; nil means the playlist's end.
    package static func violation(
        of playlist: MediaPlaylist,
        unchangedFor time: Duration,
        since edge: UInt64? = nil,
        targets: Double = Standstill.usualTargets
    ) -> Violation? {
        let longest = limit(targetDurationSeconds: playlist.targetDurationSeconds, targets: targets)
        guard ReloadRule.isReloaded(playlist), time >= longest else { return nil }
        let bound = longest.wholeMicroseconds.secondsText
        let (number, passed) = (edge ?? playlist.endMediaSequence, time.wholeMicroseconds.secondsText)
        let observed = "nothing from media sequence \(number) on for \(passed)"
        return Violation(.playlistStale, expected: "a new segment within \(bound)", observed: observed)
    }
}

/// Checks the mean interval of updates, at most one and a half target durations (bis-22 section 6.2.1).
///
/// One late update may only have been seen late. A single update that is too late is a ``Standstill``.
package struct UpdateRhythm: Sendable {
    /// Target durations that a server may take.
    static let allowedTargets = 1.5
    /// Forgiven once, for a cache before the server.
    static let cacheTargets = 0.5
    /// Minimum number of updates for a mean.
    private static let fewest = 8
    /// Target durations between requests; above it too much is missed.
    package static let widestGap = 1.25

    private var start: (seenAt: Duration, updates: Int)?
    private var newsAt: Duration = .zero
    private var askedAt: Duration?
    private var isTold = false

    package init() {}

    /// Returns a violation once.
    mutating func loaded(
        _ playlist: MediaPlaylist,
        isAhead: Bool,
        askedAt asked: Duration,
        at now: Duration
    ) -> Violation? {
        let target = Duration.seconds(playlist.targetDurationSeconds)
        let before = askedAt
        askedAt = asked
        guard ReloadRule.isReloaded(playlist) else { return nil }
        guard let before, now - before <= target * Self.widestGap else {
            forget()
            if isAhead { begin(at: now) }
            return nil
        }
        return isAhead ? updated(playlist, after: before, at: now) : nil
    }

    private mutating func begin(at now: Duration) { (start, newsAt) = ((now, 0), now) }

    /// Requests were too far apart: updates in the gap are unknown.
    package mutating func forget() { start = nil }

    /// Returns a violation once; `before` is the time of the last request without the update, at most `widestGap` ago.
    ///
    /// `targets` are the target durations after which a playlist is said to stand still.
    package mutating func updated(
        _ playlist: MediaPlaylist,
        after before: Duration,
        at now: Duration,
        targets: Double = Standstill.usualTargets
    ) -> Violation? {
        let target = Duration.seconds(playlist.targetDurationSeconds)
        guard let known = start, before - newsAt < target * targets else {
            begin(at: now)
            return nil
        }
        newsAt = now
        let updates = known.updates + 1
        start?.updates = updates
        // The update came after the previous request, which did not bring it.
        let least = before - known.seenAt - target * Self.cacheTargets
        let mean = target * max(Self.allowedTargets, targets - Self.cacheTargets)
        guard !isTold, updates >= Self.fewest, least > mean * updates else { return nil }
        isTold = true
        let allowed = mean.wholeMicroseconds.secondsText
        let expected = "a new segment within \(allowed), in the mean of \(updates) updates"
        let observed = "one in \((least / updates).wholeMicroseconds.secondsText) or more"
        return Violation(.playlistStale, expected: expected, observed: observed)
    }
}
