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
    private var channel = OptionalBox<ChannelFeeds>()

    struct ChannelFeeds: Sendable {
        var interstitials = InterstitialFeed()
        var stitched = StitchedFeed()
    }

    var interstitials: InterstitialFeed {
        _read { yield channel[default: ChannelFeeds()].interstitials }
        _modify { yield &channel[default: ChannelFeeds()].interstitials }
    }

    var stitched: StitchedFeed {
        _read { yield channel[default: ChannelFeeds()].stitched }
        _modify { yield &channel[default: ChannelFeeds()].stitched }
    }

    /// False before the channel's first break.
    var followsChannel: Bool { !channel.isEmpty }

    init(_ plan: ViewerPlan) {
        switch (plan.calendar.readsPlaylist, plan.calendar.hasSchedule) {
        case (true, true): own = .both(ScheduleFeed(), AnnouncedFeed())
        case (true, false): own = .announced(AnnouncedFeed())
        case (false, _): own = .schedule(ScheduleFeed())
        }
    }

    mutating func withSchedule(_ body: (inout ScheduleFeed) -> Void) {
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

    mutating func withAnnounced(_ body: (inout AnnouncedFeed) -> Void) {
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
}

/// `startAt`: when the playhead was at a break of which the viewer learns only now.
extension Turn {
    /// Now, if the playlist was read too late for breaks that began since.
    var announcedAt: Instant { handling <= plan.handlingNanoseconds ? receivedAt : now }

    /// Whether the break counts as lost because the viewer was shut out.
    func wasShutOut(at startAt: Instant) -> Bool {
        begins && startAt >= dueSince && startAt <= now &- plan.graceNanoseconds
    }

    func learnsInTime(of startAt: Instant) -> Bool { startAt > announcedAt }

    /// A watching viewer has lost the break, unless podswarm itself read the playlist too late.
    mutating func outcome(ofPassed startAt: Instant, _ playback: PlaybackPart) -> BreakOutcome {
        if wasShutOut(at: startAt) { return .past }
        if begins || startAt < joinedAt { return .leftOut(.joinedLate) }
        guard startAt <= receivedAt else {
            count(.podsHandledLate)
            return .past
        }
        return .failed(playback.video.hasRecovered ? .noPlaylist : .announcedTooLate)
    }

    mutating func noteAnnouncedLate(_ outcome: BreakOutcome, _ startAt: Instant, of planned: PlannedBreak) {
        guard outcome == .failed(.announcedTooLate) else { return }
        let tenths = max(now &- startAt, 0) / 100_000_000
        found(
            .breakAnnouncedLate,
            of: planned,
            expected: "the break in the playlist before the playhead is at its start",
            observed: "first listed \(tenths / 10).\(tenths % 10) s after that"
        )
    }
}

extension Screen {
    /// Returns whether from now on there are interstitials to seek over.
    mutating func follow(_ shared: SharedPlaylist, turn: inout Turn) -> Bool {
        breaks.place(playback, turn: &turn)
        feeds.withAnnounced { feed in
            let known = feed.discover(shared.announced, turn: &turn)
            feed.consider(shared.announced, newSince: known, at: turn.announcedAt, playback, &breaks, turn: &turn)
        }
        guard let schedule = shared.schedule, let playhead = playback.playheadDate(turn),
            feeds.followsChannel || !schedule.interstitials.isEmpty || !schedule.stitched.isEmpty
        else { return false }
        follow(schedule.stitched, playhead: playhead, turn: &turn)
        guard turn.persona.interstitials.trigger != .never else { return false }
        return follow(schedule, playhead: playhead, turn: &turn)
    }
}

extension BreakList {
    /// Places breaks ahead by the dates of a new version; an interstitial that comes to lie behind the playhead is lost.
    mutating func place(_ playback: PlaybackPart, turn: inout Turn) {
        guard let shift = playback.dateShift, let playhead = playback.playheadDate(turn) else { return }
        let player = turn.persona.interstitials.dates
        for index in indices
        where self[index].isAhead && !self[index].offer.isPreRoll && self[index].joinedAt == nil {
            let one = self[index]
            guard !one.offer.isByWallClock, let date = one.offer.start else { continue }
            let rule = one.offer.dates(player)
            // Media3 places an interstitial once for each ID (1.11.0 HlsInterstitialsAdsLoader.java:1645).
            if rule == .firstTag, let start = one.start, start <= shift.placedUntil { continue }
            self[index].start = playback.placed(date, by: rule)
            guard let start = self[index].start, start != one.start, one.offer.programme == .paused,
                start + InterstitialFeed.tolerance < playhead, let passedAt = playback.playheadInstant(of: start, turn)
            else { continue }
            let outcome = turn.outcome(ofPassed: passedAt, playback)
            self[index].conclude(outcome, turn: &turn)
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
