import AdServing
import HLS
import Profile
import Rules
import Values

struct BreakFeeds: Sendable {
    /// Finds no break where the plan has no schedule.
    var schedule = ScheduleFeed()
    /// Only where the playlist announces the viewer's own pods.
    var announced = OptionalBox<AnnouncedFeed>()
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

    init(_ plan: ViewerPlan) { if plan.calendar.readsPlaylist { announced.value = AnnouncedFeed() } }
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
        _ = feeds.announced.change { feed in
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

/// Source of the viewer's own pods at computed instants (``BreakCalendar``).
struct ScheduleFeed: Sendable {
    private var last: PlannedBreak?
    /// The guide's rule counts from here; the distant past before the viewer pressed play.
    private var clickedAt = Instant.distantPast
    /// False from the first request on, even if nothing comes of the break: the guide's rule would name it again.
    var isFirst = true

    mutating func joined(_ breaks: inout BreakList, turn: inout Turn) {
        clickedAt = turn.now
        schedule(after: turn.now, &breaks, turn: &turn)
    }

    mutating func ended(_ outcome: BreakOutcome, at instant: Instant, _ breaks: inout BreakList, turn: inout Turn) {
        passOver(after: outcome, at: instant, &breaks, turn: &turn)
        if !isFirst, turn.plan.calendar.countsFromClick { clickedAt = instant }
        schedule(after: instant, &breaks, turn: &turn)
    }

    /// Adds a called break that precedes all remaining ones; any other is found in its turn.
    mutating func called(_ called: PlannedBreak, _ breaks: inout BreakList, turn: inout Turn) {
        let isBefore = last.map { called.scheduled.start < $0.scheduled.start } ?? false
        guard isBefore || !breaks.holds(.schedule), called.scheduled.start != last?.scheduled.start else { return }
        let planned = self.planned(called.scheduled, turn)
        if !isBefore { last = planned }
        // A loop that was delayed for longer than the lead has cost its viewers the break.
        guard called.scheduled.start > turn.plan.timebase.wall(at: turn.now) else {
            return breaks.pass(own: planned, .leftOut(.joinedLate), turn: &turn)
        }
        breaks.admit(own: planned, turn: &turn)
    }

    /// A break whose pod should have been requested by now cannot be rehearsed.
    private func earliest(_ instant: Instant, _ turn: Turn) -> WallTime {
        turn.plan.timebase.wall(at: instant &+ turn.plan.leadNanoseconds)
    }

    private mutating func schedule(after instant: Instant, _ breaks: inout BreakList, turn: inout Turn) {
        guard !breaks.holds(.schedule) else { return }
        let earliest = earliest(instant, turn)
        let seen = max(earliest, last?.scheduled.start ?? earliest)
        let clickedAt = turn.plan.timebase.wall(at: clickedAt)
        let planned = turn.plan.breakBook.nextBreak(after: seen, clickedAt: clickedAt, isFirst: isFirst)
        guard let planned else { return }
        last = planned
        breaks.admit(own: planned, turn: &turn)
    }

    /// Records the breaks whose request came due while the last one was in progress.
    private func passOver(after outcome: BreakOutcome, at instant: Instant, _ breaks: inout BreakList, turn: inout Turn)
    {
        guard !isFirst, var seen = last?.scheduled.start else { return }
        for _ in 0..<Self.mostMissed {
            let missed = turn.plan.calendar.nextBreak(after: seen, clickedAt: seen, isFirst: false)
            guard let missed, missed.start <= earliest(instant, turn), missed.start > seen else { return }
            seen = missed.start
            breaks.pass(own: self.planned(missed, turn), outcome.ofMissed, turn: &turn)
        }
    }

    private func planned(_ scheduled: ScheduledBreak, _ turn: Turn) -> PlannedBreak {
        let clickedAt = turn.plan.timebase.wall(at: clickedAt)
        return turn.plan.breakBook.planned(scheduled, clickedAt: clickedAt, source: .schedule)
    }

    /// More than a run can bring while one pod is awaited.
    private static let mostMissed = 1000
}

extension BreakList {
    /// `start` is on the viewer's time line; nil for that of the plan.
    mutating func admit(own planned: PlannedBreak, at start: WallTime? = nil, turn: inout Turn) {
        let serial = takeSerial()
        let fetch = PodFetch(time: turn.fetchTime(of: planned.scheduled))
        var new = Break(planned, serial: serial, phase: .scheduled(fetch), knownAt: turn.now)
        if let start { new.start = start }
        insert(new)
        if let own, self[own].serial == serial { turn.act(.breakScheduled(planned)) }
        turn.count(.eventsScheduled)
    }

    mutating func pass(own planned: PlannedBreak, _ outcome: BreakOutcome, turn: inout Turn) {
        let serial = takeSerial()
        turn.act(.breakScheduled(planned))
        turn.count(.eventsScheduled)
        var passed = Break(planned, serial: serial, phase: .scheduled(nil), knownAt: turn.now)
        passed.conclude(outcome, turn: &turn)
        if let own { turn.act(.breakScheduled(self[own].planned)) }
    }
}

extension Turn {
    fileprivate mutating func fetchTime(of scheduled: ScheduledBreak) -> PodFetch.Time {
        switch plan.breaks.trigger {
        case .rendezvous: return .at(plan.timebase.instant(of: scheduled.start) &- plan.leadNanoseconds)
        case .playhead:
            let offset = (chance.unit() * 2 - 1) * Double(plan.jitterNanoseconds)
            return .afterPlayhead(Int64(offset.rounded()) &- plan.leadNanoseconds)
        case .buffered: return .buffered
        }
    }
}

/// Source of the viewer's own pods that the live playlist announces, by any tag.
struct AnnouncedFeed: Sendable {
    private var last: PlannedBreak?
    /// Milliseconds from the run's start to the last announced break; nil before the first playlist.
    private var newest: Int32?
    /// The guide's sample names pods by it.
    var clickedAt = Instant.zero

    /// Adds the first announced break ahead, unless the viewer has one.
    ///
    /// A break that has begun is recorded by when the viewer learned of it, or by the outcome of the break then in progress.
    mutating func consider(
        _ announced: [ScheduledBreak],
        newSince known: Int32?,
        after outcome: BreakOutcome = .finished,
        at instant: Instant,
        _ playback: PlaybackPart,
        _ breaks: inout BreakList,
        turn: inout Turn
    ) {
        guard !breaks.holds(.dateRange) else { return }
        let rule = turn.persona.interstitials.dates
        // Dates that jump do not keep the order of the viewer's time line.
        let placed = announced.compactMap { scheduled in
            playback.placed(scheduled.start, by: rule).map { (scheduled: scheduled, start: $0) }
        }
        var seen = last.flatMap { playback.placed($0.scheduled.start, by: rule) } ?? .distantPast
        for (scheduled, start) in placed.sorted(by: { $0.start < $1.start }) where start > seen {
            guard let startAt = playback.playheadInstant(of: start, turn) else { return }
            let planned = self.planned(scheduled, turn)
            (last, seen) = (planned, start)
            if startAt > instant {
                breaks.admit(own: planned, at: start, turn: &turn)
                return
            }
            guard known.map({ sinceStart(scheduled, turn) > $0 }) ?? true,
                !breaks.indices.contains(where: { breaks[$0].isGoingOn })
            else {
                breaks.pass(own: planned, outcome.ofMissed, turn: &turn)
                continue
            }
            let outcome = turn.outcome(ofPassed: startAt, playback)
            let isOver = startAt.later(by: scheduled.duration) <= instant
            guard outcome != .past, !isOver || outcome != .leftOut(.joinedLate) else { continue }
            breaks.pass(own: planned, outcome, turn: &turn)
            turn.noteAnnouncedLate(outcome, startAt, of: planned)
        }
    }

    /// Returns when the last break began of which the viewer knew, in milliseconds of the run; nil before the first playlist.
    ///
    /// Breaks of the first playlist do not show how news spread.
    mutating func discover(_ announced: [ScheduledBreak], turn: inout Turn) -> Int32? {
        let known = newest
        let latest = announced.last.map { sinceStart($0, turn) } ?? .min
        newest = max(known ?? latest, latest)
        guard let known, latest > known else { return known }
        for scheduled in announced where sinceStart(scheduled, turn) > known {
            turn.note(.breakDiscovered(at: turn.receivedAt), of: planned(scheduled, turn))
        }
        return known
    }

    /// Milliseconds.
    private func sinceStart(_ scheduled: ScheduledBreak, _ turn: Turn) -> Int32 {
        Int32(clamping: scheduled.start.duration(since: turn.plan.timebase.wallStart).nanosecondsHeld / 1_000_000)
    }

    private func planned(_ scheduled: ScheduledBreak, _ turn: Turn) -> PlannedBreak {
        let clickedAt = turn.plan.timebase.wall(at: clickedAt)
        return turn.plan.breakBook.planned(scheduled, clickedAt: clickedAt, source: .dateRange)
    }
}
