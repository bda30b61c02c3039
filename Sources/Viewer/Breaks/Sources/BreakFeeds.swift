import AdServing
import HLS
import Profile
import Rules
import Values

struct BreakFeeds: Sendable {
    /// Each keeps one break in sight.
    private enum Own: Sendable {
        case schedule(ScheduleFeed)
        case announced(AnnouncedFeed)
        indirect case both(ScheduleFeed, AnnouncedFeed)
    }

    private var own: Own
    /// Empty for channels without breaks of their own, else one element.
    private var channel: [ChannelFeeds] = []

    private struct ChannelFeeds: Sendable {
        var interstitials = InterstitialFeed()
        var stitched = StitchedFeed()
    }

    init(_ plan: ViewerPlan) {
        switch (plan.calendar.readsPlaylist, plan.calendar.hasSchedule) {
        case (true, true): own = .both(ScheduleFeed(), AnnouncedFeed())
        case (true, false): own = .announced(AnnouncedFeed())
        case (false, _): own = .schedule(ScheduleFeed())
        }
    }

    private mutating func withSchedule(_ body: (inout ScheduleFeed) -> Void) {
        switch own {
        case .schedule(var feed):
            body(&feed)
            own = .schedule(feed)
        case .both(var feed, let other):
            body(&feed)
            own = .both(feed, other)
        case .announced: break
        }
    }

    private mutating func withAnnounced(_ body: (inout AnnouncedFeed) -> Void) {
        switch own {
        case .announced(var feed):
            body(&feed)
            own = .announced(feed)
        case .both(let other, var feed):
            body(&feed)
            own = .both(other, feed)
        case .schedule: break
        }
    }

    mutating func joined(_ breaks: inout BreakList, turn: inout Turn) {
        withSchedule { $0.joined(&breaks, turn: &turn) }
        withAnnounced { $0.joined(turn) }
    }

    /// Returns whether from now on there are interstitials to seek over.
    mutating func programmeChanged(
        _ shared: SharedPlaylist,
        _ playback: PlaybackPart,
        _ breaks: inout BreakList,
        turn: inout Turn
    ) -> Bool {
        breaks.place(playback, turn: &turn)
        withAnnounced { $0.programmeChanged(shared, playback, &breaks, turn: &turn) }
        guard let schedule = shared.schedule, let playhead = playback.playheadDate(turn) else { return false }
        guard !channel.isEmpty || !schedule.interstitials.isEmpty || !schedule.stitched.isEmpty else { return false }
        if channel.isEmpty { channel.append(ChannelFeeds()) }
        channel[0].stitched.follow(schedule.stitched, playhead: playhead, playback, &breaks, turn: &turn)
        guard turn.persona.interstitials.trigger != .never else { return false }
        let scene = InterstitialFeed.Scene(
            playhead: playhead,
            windowStart: playback.latest.map(playback.dates)?[0] ?? .distantPast,
            playback: playback,
            dates: turn.persona.interstitials.dates
        )
        return channel[0].interstitials.follow(schedule, scene, &breaks, turn: &turn)
    }

    mutating func ownBreakAsked() { withSchedule { $0.hadOne() } }

    /// `instant` may lie ahead.
    mutating func ownBreakEnded(
        _ outcome: BreakOutcome,
        at instant: Instant,
        _ playback: PlaybackPart,
        _ breaks: inout BreakList,
        turn: inout Turn
    ) {
        withSchedule { $0.ended(outcome, at: instant, &breaks, turn: &turn) }
        withAnnounced { $0.ended(outcome, at: instant, playback, &breaks, turn: &turn) }
    }

    mutating func called(_ planned: PlannedBreak, _ breaks: inout BreakList, turn: inout Turn) {
        withSchedule { $0.called(planned, &breaks, turn: &turn) }
    }

    mutating func played(_ offer: any BreakOffer) {
        guard offer.isOnce, !channel.isEmpty else { return }
        channel[0].interstitials.remember(offer)
    }
}

/// A break that a viewer learns of after its playhead passed the start.
struct PassedBreak {
    let startAt: Instant

    /// Whether the break counts as lost because the viewer was shut out.
    func isOfShutOut(_ turn: Turn) -> Bool {
        turn.begins && startAt >= turn.dueSince && startAt <= turn.now &- turn.plan.graceNanoseconds
    }

    func isInTime(_ turn: Turn) -> Bool { startAt > turn.announcedAt }

    /// A watching viewer has lost the break, unless podswarm itself read the playlist too late.
    func outcome(_ playback: PlaybackPart, _ turn: inout Turn) -> BreakOutcome {
        if isOfShutOut(turn) { return .past }
        if turn.begins || startAt < turn.joinedAt { return .leftOut(.joinedLate) }
        guard startAt <= turn.receivedAt else {
            turn.count(.podsHandledLate)
            return .past
        }
        return .failed(playback.video.hasRecovered ? .noPlaylist : .announcedTooLate)
    }
}

extension Turn {
    /// Now, if the playlist was read too late for breaks that began since.
    var announcedAt: Instant { handling <= plan.handlingNanoseconds ? receivedAt : now }

    mutating func noteAnnouncedLate(_ outcome: BreakOutcome, _ passed: PassedBreak, of planned: PlannedBreak) {
        guard outcome == .failed(.announcedTooLate) else { return }
        let tenths = max(now &- passed.startAt, 0) / 100_000_000
        found(
            .breakAnnouncedLate,
            of: planned,
            expected: "the break in the playlist before the playhead is at its start",
            observed: "first listed \(tenths / 10).\(tenths % 10) s after that"
        )
    }
}

extension BreakList {
    /// Places breaks ahead by the dates of a new version; an interstitial that comes to lie behind the playhead is lost.
    mutating func place(_ playback: PlaybackPart, turn: inout Turn) {
        guard let shift = playback.dateShift, let playhead = playback.playheadDate(turn) else { return }
        let player = turn.persona.interstitials.dates
        for index in indices where self[index].isAhead && !self[index].offer.isPreRoll && self[index].joinedAt == nil {
            let one = self[index]
            guard !one.offer.isByWallClock, let date = one.offer.start else { continue }
            let rule = one.offer.dates(player)
            // Media3 places an interstitial once for each ID (1.11.0 HlsInterstitialsAdsLoader.java:1645).
            if rule == .firstTag, let start = one.start, start <= shift.placedUntil { continue }
            self[index].start = playback.placed(date, by: rule)
            guard let start = self[index].start, start != one.start, one.offer.programme == .paused,
                start + InterstitialFeed.tolerance < playhead, let passedAt = playback.playheadInstant(of: start, turn)
            else { continue }
            self[index].conclude(PassedBreak(startAt: passedAt).outcome(playback, &turn), turn: &turn)
        }
        sort()
    }
}

extension BreakOffer {
    /// A stitched break lies at its segments, whatever the player.
    func dates(_ rule: InterstitialFacts.Dates) -> InterstitialFacts.Dates {
        programme == .carriesIt ? .coveringTag : rule
    }
}
