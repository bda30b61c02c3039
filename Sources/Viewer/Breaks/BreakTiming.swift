import AdServing
import HLS
import Profile
import Values

/// Derives due times from where the playhead is and will be.
///
/// The distant future means that the break waits for something other than time.
struct BreakTiming {
    /// Start of the break that holds up the programme, and where that resumes, if known; nil while the programme goes on.
    private let standing: (start: WallTime?, until: (at: Instant, date: WallTime)?)?

    init(current: Break?, _ plan: ViewerPlan) {
        standing = current.flatMap { $0.offer.programme == .paused ? ($0.start, $0.resumption(plan)) : nil }
    }

    private var goesOn: Bool { standing == nil }

    func dueInstant(of one: Break, _ playback: PlaybackPart, _ turn: Turn) -> Instant? {
        guard !one.isByWallClock else { return turn.plan.timebase.instant(of: one.planned.scheduled.start) }
        guard let start = one.start else { return nil }
        guard let standing else {
            return one.offer.isPreRoll || one.joinedAt != nil ? one.knownAt : playback.playheadInstant(of: start, turn)
        }
        guard let end = standing.until else { return nil }
        if start == standing.start { return end.at }
        guard start + InterstitialFeed.tolerance >= end.date else { return nil }
        return end.at.later(by: start.duration(since: end.date))
    }

    func beginningInstant(of one: Break, _ playback: PlaybackPart, _ turn: Turn) -> Instant {
        let instant: Instant?
        switch (one.phase, one.offer.programme) {
        case (.deferred(let deferral), _): instant = deferral.until
        case (.resolving, .carriesIt), (.scheduled, .replaced): instant = nil
        case (.resolving, .replaced), (.ready, .replaced):
            let dueAt = dueInstant(of: one, playback, turn) ?? .distantFuture
            return isHeld(one, before: dueAt, playback, turn) ? .distantFuture : max(dueAt, turn.now)
        case (.scheduled, _), (.resolving, _), (.ready, _), (.lapsed, _):
            instant = goesOn ? dueInstant(of: one, playback, turn) : nil
        case (.anticipated, _), (.waiting, _), (.playing, _), (.over, _): instant = nil
        }
        guard let instant, instant > turn.now else { return .distantFuture }
        return instant
    }

    /// Whether a stall holds the playhead before an instant at which it would be at a break of the player's own time.
    func isHeld(_ one: Break, before instant: Instant, _ playback: PlaybackPart, _ turn: Turn) -> Bool {
        one.isOfPlayer && instant <= turn.now && playback.dryInstant(turn) < instant
    }

    func fetchInstant(of fetch: PodFetch, _ own: Break, _ playback: PlaybackPart, _ turn: Turn) -> Instant {
        switch fetch.time {
        case .at(let instant):
            own.offer.isByWallClock
                ? instant : rendezvous(of: own, playback, turn).earlier(by: turn.plan.leadNanoseconds)
        case .postponed(let last): last
        case .afterPlayhead(let offset):
            dueInstant(of: own, playback, turn).map { $0.later(by: offset) }.flatMap {
                isHeld(own, before: $0, playback, turn) ? nil : $0
            } ?? .distantFuture
        case .buffered:
            dueInstant(of: own, playback, turn).map { playback.hasBuffered(untilShownAt: $0, turn) ? own.knownAt : $0 }
                ?? .distantFuture
        }
    }

    /// Announced breaks use the channel's clock, others this machine's.
    private func rendezvous(of own: Break, _ playback: PlaybackPart, _ turn: Turn) -> Instant {
        let planned = own.planned.scheduled.start
        guard !own.offer.isByWallClock else { return turn.plan.timebase.instant(of: planned) }
        return turn.plan.timebase.instant(of: own.start ?? planned).later(by: playback.clockLag)
    }

    func preparationInstant(of own: Break, _ playback: PlaybackPart, _ turn: Turn) -> Instant {
        guard case .scheduled(let fetch?) = own.phase else { return .distantFuture }
        let instant =
            fetch.address == nil
            ? preparesAt(fetch, own, playback, turn) : warmsAt(own, playback, turn) ?? .distantFuture
        return instant > turn.now ? instant : .distantFuture
    }

    /// Spreads the building of request URLs, so that thousands of viewers do not block the loop at once.
    func preparesAt(_ fetch: PodFetch, _ own: Break, _ playback: PlaybackPart, _ turn: Turn) -> Instant {
        let spread = Int64(truncatingIfNeeded: UInt64(truncatingIfNeeded: turn.number) % 1024) * 3_000_000
        let fetchAt = max(fetchInstant(of: fetch, own, playback, turn), own.knownAt)
        return min(fetchAt, warmsAt(own, playback, turn) ?? .distantFuture).earlier(by: 2_000_000_000 + spread)
    }

    func warmsAt(_ own: Break, _ playback: PlaybackPart, _ turn: Turn) -> Instant? {
        guard turn.plan.preconnectNanoseconds > 0 else { return nil }
        let instant: Instant?
        switch turn.plan.breaks.trigger {
        case .rendezvous: instant = rendezvous(of: own, playback, turn)
        case .playhead, .buffered: instant = dueInstant(of: own, playback, turn)
        }
        return instant?.earlier(by: turn.plan.preconnectNanoseconds)
    }

    /// A pod announced after its instant is planned for now: in the past the request would count as sent late by the generator.
    func askingInstant(of one: Break, _ playback: PlaybackPart, _ turn: Turn) -> Instant {
        if case .scheduled(let fetch?) = one.phase {
            return max(fetchInstant(of: fetch, one, playback, turn), turn.now)
        }
        guard one.offer.programme == .paused else { return .distantFuture }
        let instant = fetchInstant(of: one, playback, turn).at
        return instant > turn.now ? instant : .distantFuture
    }

    /// `isPreload`: a preload range decides the instant.
    func fetchInstant(of one: Break, _ playback: PlaybackPart, _ turn: Turn) -> (at: Instant, isPreload: Bool) {
        let ordinary = ordinaryFetchInstant(of: one, playback, turn)
        guard let point = one.preload.point, goesOn, let preloadAt = playback.playheadInstant(of: point, turn),
            preloadAt < ordinary
        else { return (ordinary, false) }
        return (preloadAt, true)
    }

    private func ordinaryFetchInstant(of one: Break, _ playback: PlaybackPart, _ turn: Turn) -> Instant {
        guard case .scheduled = one.phase else { return .distantFuture }
        guard !one.offer.isPreRoll, one.joinedAt == nil else { return one.knownAt }
        guard let start = one.start else { return .distantFuture }
        let dueAt = dueInstant(of: one, playback, turn)
        switch turn.persona.interstitials.trigger {
        case .never: return .distantFuture
        case .discovery: return one.knownAt
        case .buffered: return playback.hasBuffered(until: start) ? one.knownAt : dueAt ?? .distantFuture
        case .bufferedOrEdge(let lookAhead):
            return playback.hasBuffered(until: start) || playback.isNearEdge(start, lookAhead: lookAhead)
                ? one.knownAt : dueAt ?? .distantFuture
        case .playhead(let ahead): return dueAt.map { $0.earlier(by: ahead) } ?? .distantFuture
        case .playheadTargets(let targets):
            let target = Double(playback.latest?.playlist.targetDurationSeconds ?? 0)
            return dueAt.map { $0.earlier(by: Int64(min(max(target * targets, 0), 86_400) * 1e9)) } ?? .distantFuture
        }
    }

    /// Draws the point of a preload range (bis-22 appendix F); nil while it cannot be drawn.
    ///
    /// The range begins no earlier than the playhead and ends no later than the ordinary request. Both are unknown while an
    /// interstitial plays, since the playhead then jumps.
    func preload(of one: Break, _ playback: PlaybackPart, turn: inout Turn) -> PreloadChoice? {
        guard one.preload == .open, goesOn, let range = (one.offer as? ScheduledInterstitial)?.preload,
            let playhead = playback.playheadDate(turn), playback.latest?.playlist.hasEndList == false
        else { return nil }
        let fraction: Double
        switch turn.persona.interstitials.preload {
        case .ignored: return nil
        case .rangeStart: fraction = 0
        case .randomPoint: fraction = turn.chance.unit()
        }
        let latest = ordinaryPlayheadDate(of: one, playback, playhead: playhead, turn)
        // The range is placed as the break is.
        let offset = one.start.flatMap { start in one.offer.start?.duration(since: start) } ?? .zero
        let point = range.loadDate(fraction: fraction, playhead: playhead + offset, latest: latest + offset)
        return point.map { .at($0 - offset) } ?? PreloadChoice.none
    }

    /// Date of the playhead at the request without a preload range.
    private func ordinaryPlayheadDate(of one: Break, _ playback: PlaybackPart, playhead: WallTime, _ turn: Turn)
        -> WallTime
    {
        let at = ordinaryFetchInstant(of: one, playback, turn)
        guard at != .distantFuture else { return .distantFuture }
        let byPlayhead = playhead + .nanoseconds(max(at &- turn.now, 0))
        switch turn.persona.interstitials.trigger {
        case .buffered, .bufferedOrEdge:
            // The distance from the playhead to the end of the listing stays the same until that end reaches the break.
            guard let start = one.start, let edge = playback.latest.map(playback.dates)?.end else { return byPlayhead }
            return min(byPlayhead, start - max(edge.duration(since: playhead), .zero))
        case .playhead, .playheadTargets, .discovery, .never: return byPlayhead
        }
    }
}

extension Break {
    fileprivate func resumption(_ plan: ViewerPlan) -> (at: Instant, date: WallTime)? {
        guard let clock, let queue, let end = clock.expectedEnd(queue, limit: offer.playoutLimit(plan)) else {
            return nil
        }
        let offset = offer.interstitial?.resumeOffset ?? .nanoseconds(end.position)
        return (end.at, clock.arrival.leftAt + clock.arrival.carried + offset)
    }
}

extension PlaybackPart {
    /// Whether the buffer reaches within a target duration of the edge, and the break starts less than `lookAhead` past it.
    fileprivate func isNearEdge(_ start: WallTime, lookAhead: Duration) -> Bool {
        guard let latest, !latest.playlist.hasEndList, let edge = dates(of: latest).end else { return false }
        return start < edge + lookAhead && hasBuffered(until: edge - .seconds(latest.playlist.targetDurationSeconds))
    }
}
