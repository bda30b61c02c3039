package import HLS

/// Checks successive versions of one playlist's URL against each other and against the clock.
///
/// Instants are durations since any one moment. Delta updates must have been merged before.
package struct PlaylistWatch: Sendable {
    private struct Seen: Sendable {
        let playlist: MediaPlaylist
        let firstSeen: Duration
        let earlier: DateRangeHistory.Earlier
        let serial: Int
    }

    private var last: Seen?
    private var course = VersionCourse<Seen>()
    private var history = DateRangeHistory()
    /// States of splices at the end of the last versions, by their serials.
    private var splices: [(serial: Int, state: SpliceState)] = []
    private var serial = 0
    /// Time of the last move of the live edge to `edge`.
    private var changedAt: Duration = .zero
    private var edge = EdgeChecks.Edge()
    /// Whether the present standstill has been reported.
    private var isStale = false
    private var rhythm = UpdateRhythm()

    private static let keptSplices = 16

    package init() {}

    package var latest: MediaPlaylist? { last?.playlist }

    /// Violations of a whole version relative to earlier ones, and of the time without news.
    ///
    /// `asked` is the time of the request, `now` that of the answer.
    package mutating func loaded(_ playlist: MediaPlaylist, askedAt asked: Duration, at now: Duration) -> [Violation] {
        guard let last else {
            reached(EdgeChecks.Edge(of: playlist), at: now)
            splices = [(serial, SpliceState(reading: playlist))]
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
        serial += 1
        let next = seen(playlist, at: now)
        let states = splices
        var splice: SpliceState?
        found += course.violations(of: next, after: last) { from, to in
            let result = VersionChecks.transition(
                from: from.playlist,
                to: to.playlist,
                elapsed: to.firstSeen - from.firstSeen,
                splice: states.last { $0.serial == from.serial }?.state,
                earlier: to.earlier
            )
            splice = result.splice
            return result
        }
        if let splice { splices.append((serial, splice)) }
        if splices.count > Self.keptSplices { splices.removeFirst() }
        self.last = next
        return found
    }

    /// The violation of a failed request; nothing for a playlist that never answered or has ended.
    package func failed(_ problem: String) -> [Violation] {
        guard let last, !last.playlist.hasEndList else { return [] }
        return [Violation(.playlistUnavailable, expected: "the playlist, as it was there before", observed: problem)]
    }

    private mutating func seen(_ playlist: MediaPlaylist, at now: Duration) -> Seen {
        Seen(playlist: playlist, firstSeen: now, earlier: history.note(playlist), serial: serial)
    }

    /// Whether a version takes the channel further than all before it; alternating copies of different age do not.
    private mutating func progress(
        of playlist: MediaPlaylist,
        after last: MediaPlaylist,
        askedAt asked: Duration,
        at now: Duration
    ) -> [Violation] {
        let next = EdgeChecks.Edge(of: playlist)
        let step = EdgeChecks.step(from: last, to: playlist)
        // A lower number without an older copy is a restart, and counting begins there.
        if next > edge || step.isForward && next < EdgeChecks.Edge(of: last) {
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
    /// Target durations: one and a half that a server may take, and half of one for a cache before it, which may have asked
    /// just before the new segment came.
    package static let usualTargets = 2.0

    package static func limit(targetDurationSeconds: Int, targets: Double = Standstill.usualTargets) -> Duration {
        .seconds(targetDurationSeconds) * targets
    }

    /// A violation if a live playlist was unchanged for longer than `targets` target durations.
    ///
    /// `time` runs from the version's first arrival to the request that brought it again. `edge` is the media sequence number
    /// since which nothing came; nil means the playlist's end.
    /// - Returns: A violation, if it did.
    package static func violation(
        of playlist: MediaPlaylist,
        unchangedFor time: Duration,
        since edge: UInt64? = nil,
        targets: Double = Standstill.usualTargets
    ) -> Violation? {
        let longest = limit(targetDurationSeconds: playlist.targetDurationSeconds, targets: targets)
        guard ReloadRule.isReloaded(playlist), time >= longest else { return nil }
        let bound = longest.wholeMicroseconds.secondsText
        let observed = time.wholeMicroseconds.secondsText
        return Violation(
            .playlistStale,
            expected: "a new segment within \(bound)",
            observed: "nothing from media sequence \(edge ?? playlist.endMediaSequence) on for \(observed)"
        )
    }
}

/// Checks the mean interval of a live playlist's updates (bis-22 section 6.2.1: a new version no later than one and a half
/// target durations after the one before it).
///
/// One late update may only have been seen late: nothing is seen between two requests, and a cache may answer. Over many
/// updates that counts once. The mean is compared with the rule, less one half of a target duration for a cache. A single
/// update that is too late by itself is a ``Standstill``, and a mean begins anew behind it.
package struct UpdateRhythm: Sendable {
    /// Target durations that a server may take.
    static let allowedTargets = 1.5
    /// Target durations that are forgiven once, for a cache before the server.
    static let cacheTargets = 0.5
    /// Minimum number of updates for a mean.
    private static let fewest = 8
    /// Maximum distance between requests, in target durations; above it too much is missed.
    package static let widestGap = 1.25

    /// First sight of a live edge, and the number of updates since.
    private var start: (seenAt: Duration, updates: Int)?
    private var newsAt: Duration = .zero
    private var askedAt: Duration?
    /// Whether the present rhythm has been reported.
    private var isTold = false

    package init() {}

    /// Records a load, and returns a violation once.
    ///
    /// `isAhead` says whether it takes the channel further; `asked` is the time of the request, `now` that of the answer.
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
            // Updates in the gap are unknown.
            start = nil
            if isAhead { begin(at: now) }
            return nil
        }
        return isAhead ? updated(playlist, after: before, at: now) : nil
    }

    /// Begins a mean with the update that was seen now.
    package mutating func begin(at now: Duration) { (start, newsAt) = ((now, 0), now) }

    /// Records an update that was seen now, and returns a violation once.
    ///
    /// `before` is the time of the last request without it; no two requests may be farther apart than `widestGap`. `targets`
    /// are the target durations after which a playlist is said to stand still.
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
        return Violation(
            .playlistStale,
            expected: "a new segment within \(allowed), in the mean of \(updates) updates",
            observed: "one in \((least / updates).wholeMicroseconds.secondsText) or more"
        )
    }
}
