import AdServing
import Profile
import Rules
import Values

/// The screen of one viewer: the programme, and the breaks that are requested in time and shown in its place.
///
/// Between breaks it keeps only the next one.
struct Screen: Sendable {
    var playback = PlaybackPart()
    var breaks = BreakList()
    var feeds: BreakFeeds
    /// The distant future where a timer is not set.
    private var timers = InlineArray<4, Instant>(repeating: .distantFuture)
    var extras = OptionalBox<Extras>()
    /// Nil while the programme has the playhead.
    var currentSerial: UInt16?
    var isInPictureInPicture = false

    /// State that only some viewers need.
    struct Extras: Sendable {
        var tracking = Tracking()
        var navigation = Navigation()
        var avails = AvailBeacons()
    }

    init(_ plan: ViewerPlan) { feeds = BreakFeeds(plan) }

    var isGoingOn: Bool { breaks.indices.contains { breaks[$0].isGoingOn } }

    mutating func joined(_ session: SessionPart, turn: inout Turn) {
        planPictureInPicture(turn: &turn)
        feeds.schedule.joined(&breaks, turn: &turn)
        _ = feeds.announced.change { $0.clickedAt = turn.now }
        settle(session, turn: &turn)
    }

    mutating func programmeMoved(_ news: ProgrammeNews, _ session: SessionPart, turn: inout Turn) {
        let hasBeacons = hasBeacons
        if news.contains(.playheadShifted), let hole = playback.takeHole() {
            leaveOut(from: hole.lowerBound, to: hole.upperBound, .jumpedOver, turn: &turn)
        }
        if news.contains(.playheadShifted),
            hasBeacons || breaks.indices.contains(where: { !breaks[$0].isByWallClock })
        {
            progress(nil, session, turn: &turn)
        }
        if news.contains(.versionChanged), let shared = playback.latest {
            programmeChanged(shared, session, turn: &turn)
        }
        let playsAnything = hasBeacons || turn.plan.breaks.trigger == .buffered
        if news.contains(.bufferAdvanced),
            playsAnything || breaks.indices.contains(where: { breaks[$0].offer.programme != .replaced })
        {
            progress(nil, session, turn: &turn)
        }
    }

    private mutating func programmeChanged(_ shared: SharedPlaylist, _ session: SessionPart, turn: inout Turn) {
        guard turn.plan.calendar.readsPlaylist || shared.schedule != nil else { return }
        let isFirst = follow(shared, turn: &turn)
        if isFirst, turn.plan.audience.seeks != nil { navigation.plan(turn: &turn) }
        for index in breaks.indices { take(breaks[index].loadAnticipated(turn: &turn), index, turn: &turn) }
        progress(nil, session, turn: &turn)
    }

    mutating func sessionChanged(_ session: SessionPart, turn: inout Turn) {
        for index in breaks.indices { breaks[index].forgetAddress() }
        settle(session, turn: &turn)
    }

    mutating func answered(_ answer: BreakAnswer, _ session: SessionPart, turn: inout Turn) {
        guard let index = breaks.index(ofSerial: answer.serial) else { return }
        if case .segment(let mediaIDs?) = answer.content, keepsExtras,
            let asset = breaks[index].queue?.assets.first, let segment = asset.timedSegment(mediaIDs)
        {
            tracking.loaded(segment, of: breaks[index].planned)
        }
        take(breaks[index].answered(answer, turn: &turn), index, turn: &turn)
        progress(nil, session, turn: &turn)
    }

    mutating func timerFired(_ timer: ViewerTimer, _ session: SessionPart, turn: inout Turn) {
        timers[Self.place(of: timer)] = .distantFuture
        switch timer {
        case .breakPreparation: prepareOwn(session, isTimer: true, turn: &turn)
        case .breakFetch:
            // In a lagging loop this timer can fire before the one for preparation.
            prepareOwn(session, isTimer: false, turn: &turn)
            askForOwn(session, turn: &turn)
        case .pictureInPicture: changePictureInPicture(turn: &turn)
        default: break
        }
        progress(timer, session, turn: &turn)
    }

    mutating func called(_ planned: PlannedBreak, _ session: SessionPart, turn: inout Turn) {
        feeds.schedule.called(planned, &breaks, turn: &turn)
        settle(session, turn: &turn)
    }

    mutating func learned(_ metadata: SessionMetadata?, turn: inout Turn) {
        guard let metadata, keepsExtras else { return }
        tracking.learned(metadata, played: breaks.ownAds, isPlaying: replacesProgramme, turn: &turn)
    }

    mutating func learned(_ avails: [AvailTracking], isPage: Bool, _ session: SessionPart, turn: inout Turn) {
        guard !avails.isEmpty || keepsExtras else { return }
        extras[default: Extras()].avails.learned(avails, isPage: isPage, session.programmeStart, playback, turn: &turn)
        progress(nil, session, turn: &turn)
    }

    /// Drops the avails and pings of a session that is over.
    mutating func forgetAvails() {
        if keepsExtras { tracking.forgetProgramme() }
        if hasBeacons { extras[default: Extras()].avails = AvailBeacons() }
    }

    mutating func metadataAsked() { if keepsExtras { tracking.metadataAsked(duringPod: replacesProgramme) } }

    mutating func loaded(
        _ mediaIDs: SegmentMediaIDs,
        in segment: Range<WallTime>,
        _ session: SessionPart,
        turn: inout Turn
    ) {
        tracking.loaded(mediaIDs, in: segment)
        verifyProgramme(session, turn: &turn)
        settle(session, turn: &turn)
    }

    mutating func pingAnswered(turn: inout Turn) {
        guard keepsExtras else { return }
        tracking.pingAnswered(turn: &turn)
        if breaks.own.map({ !breaks[$0].isGoingOn }) ?? true { dropExtras() }
    }

    /// Breaks ahead of a viewer that was driven off, or whose player gave up, are not noted: it counts as shut out.
    mutating func left(_ session: SessionPart, isDriven: Bool, turn: inout Turn) {
        let timing = self.timing(turn)
        for index in breaks.indices where !breaks[index].isOver {
            let dueAt = timing.dueInstant(of: breaks[index], playback, turn)
            if isDriven || playback.isStopped, breaks[index].isAhead, dueAt.map({ $0 >= turn.now }) ?? true {
                breaks[index].conclude(.left, turn: &turn)
                continue
            }
            if isDriven, case .scheduled(let fetch?) = breaks[index].phase, fetch.isPostponed, let dueAt,
                dueAt >= turn.dueSince, let obstacle = obstacle(to: fetch, session)
            {
                breaks[index].conclude(.failed(obstacle), turn: &turn)
                continue
            }
            breaks[index].left(dueAt: dueAt ?? .distantFuture, turn: &turn)
        }
        currentSerial = nil
    }

    /// `timer` is nil in the turn of another event.
    private mutating func progress(_ timer: ViewerTimer?, _ session: SessionPart, turn: inout Turn) {
        // Ads in progress go on.
        guard !playback.isStopped || currentSerial != nil else { return }
        verifyProgramme(session, turn: &turn)
        seekWhereDue(turn: &turn)
        if hasBeacons { extras[default: Extras()].avails.send(playback, turn: &turn) }
        // Bounds the steps possible at one moment.
        for _ in 0..<(BreakList.kept * 4) {
            loadWhatIsDue(turn: &turn)
            if beginWhatIsDue(timer, turn: &turn) { continue }
            guard playCurrent(turn: &turn) else { break }
        }
        settle(session, turn: &turn)
    }

    /// Places a computed break at a time of the viewer's player, once there is one: a stall then delays it.
    private mutating func placeOwn(_ turn: Turn) {
        guard turn.plan.breaks.clock == .player, let latency = playback.latency, let own = breaks.own,
            breaks[own].isByWallClock
        else { return }
        breaks[own].start = breaks[own].start.map { $0 - .nanoseconds(latency) }
    }

    mutating func settle(_ session: SessionPart, turn: inout Turn) {
        placeOwn(turn)
        prepareOwn(session, isTimer: false, turn: &turn)
        let timing = self.timing(turn)
        var fetchAt = keepsExtras && navigation.instant > turn.now ? navigation.instant : .distantFuture
        var preparesAt = Instant.distantFuture
        var startAt = Instant.distantFuture
        let own = breaks.own
        for index in breaks.indices where !breaks[index].isOver {
            let one = breaks[index]
            // An own break of another source waits for its turn.
            guard index == own || one.offer.programme != .replaced else { continue }
            if let at = one.content?.nextInstant { fetchAt = min(fetchAt, at > turn.now ? at : .distantFuture) }
            if one.isUnasked { fetchAt = min(fetchAt, timing.askingInstant(of: one, playback, turn)) }
            startAt = min(startAt, timing.beginningInstant(of: one, playback, turn))
            preparesAt = min(preparesAt, timing.preparationInstant(of: one, playback, turn))
        }
        set(.breakPreparation, at: preparesAt, turn: &turn)
        set(.breakFetch, at: fetchAt, turn: &turn)
        set(.breakStart, at: startAt, turn: &turn)
        let beaconAt = hasBeacons ? extras[default: Extras()].avails.nextInstant(playback, turn) : .distantFuture
        set(.adProgress, at: min(nextAdInstant(turn), beaconAt), turn: &turn)
    }

    private mutating func set(_ timer: ViewerTimer, at instant: Instant, turn: inout Turn) {
        let place = Self.place(of: timer)
        guard timers[place] != instant else { return }
        timers[place] = instant
        if instant == .distantFuture { turn.cancel(timer) } else { turn.schedule(timer, at: instant) }
    }

    /// Any timer after the four shares the place of the last.
    private static func place(of timer: ViewerTimer) -> Int {
        Int(min(timer.rawValue, ViewerTimer.adProgress.rawValue) - ViewerTimer.breakPreparation.rawValue)
    }
}

extension Screen {
    /// Any turn but its timer's would hide a lagging loop: the request would be planned for that turn's moment.
    ///
    /// A viewer that is shut out asks as soon as it can.
    mutating func askForOwn(_ session: SessionPart, turn: inout Turn) {
        guard let own = breaks.own, case .scheduled(let fetch?) = breaks[own].phase,
            timing(turn).fetchInstant(of: fetch, breaks[own], playback, turn) <= turn.now
        else { return }
        feeds.schedule.isFirst = false
        guard currentSerial == nil else { return endOwn(.leftOut(.duringAds), at: turn.now, turn: &turn) }
        guard let address = fetch.address, obstacle(to: fetch, session) == nil else {
            return wait(for: own, fetch, session, turn: &turn)
        }
        if turn.plan.playback.sendsVerificationPings {
            tracking.begin(breaks[own].planned, verificationURL: address.verificationURL, turn: &turn)
        }
        breaks[own].ask(turn: &turn)
    }

    func obstacle(to fetch: PodFetch, _ session: SessionPart) -> BreakFailure? {
        let hasSession = fetch.address != nil || session.streamID != nil
        guard playback.latency != nil else { return hasSession ? .noPlaylist : .noSession }
        if playback.isStopped { return .playerGaveUp }
        return hasSession ? nil : .noSession
    }

    /// Waits at most for the grace after the break's start.
    private mutating func wait(for own: Int, _ fetch: PodFetch, _ session: SessionPart, turn: inout Turn) {
        guard let obstacle = obstacle(to: fetch, session) else { return }
        guard obstacle != .playerGaveUp else {
            // Such breaks are derived from when the player gave up.
            return endOwn(.beforePlayback, at: turn.now, turn: &turn)
        }
        let dueAt = timing(turn).dueInstant(of: breaks[own], playback, turn) ?? turn.now
        let lastAt = dueAt.later(by: turn.plan.graceNanoseconds)
        guard lastAt <= turn.now else {
            breaks[own].prepare(PodFetch(time: .postponed(until: lastAt), address: fetch.address), turn: &turn)
            // A player that gave up before it played sets no timers.
            return turn.schedule(.breakFetch, at: lastAt)
        }
        let isDue = dueAt >= turn.dueSince
        if !isDue { turn.count(.breaksBeforePlayback) }
        endOwn(isDue ? .failed(obstacle) : .beforePlayback, at: turn.now, turn: &turn)
    }

    /// Builds the URL some seconds ahead: at a break's instant thousands of viewers ask at once.
    mutating func prepareOwn(_ session: SessionPart, isTimer: Bool, turn: inout Turn) {
        guard let own = breaks.own, case .scheduled(var fetch?) = breaks[own].phase else { return }
        if fetch.isPostponed, obstacle(to: fetch, session) == nil {
            fetch = PodFetch(time: .at(turn.now), address: fetch.address)
            breaks[own].prepare(fetch, turn: &turn)
        }
        let timing = self.timing(turn)
        var isDone = isTimer && fetch.address != nil
        if fetch.address == nil, let streamID = session.streamID,
            timing.preparesAt(fetch, breaks[own], playback, turn) <= turn.now
        {
            let url = turn.plan.podURL(breaks[own].planned, streamID: streamID, viewer: turn.number)
            fetch.address = PodAddress(url: url, verificationURL: session.verificationURL)
            breaks[own].prepare(fetch, turn: &turn)
            turn.act(.preparePod(url: url))
            isDone = true
        }
        guard isDone, let warmsAt = timing.warmsAt(breaks[own], playback, turn), warmsAt <= turn.now,
            turn.now < timing.fetchInstant(of: fetch, breaks[own], playback, turn)
        else { return }
        turn.act(.warm)
    }

    mutating func loadWhatIsDue(turn: inout Turn) {
        var index = 0
        while index < breaks.indices.upperBound {
            take(breaks[index].progress(turn: &turn), index, turn: &turn)
            index += 1
        }
        for index in breaks.indices where breaks[index].offer.programme == .paused && breaks[index].isUnasked {
            let timing = self.timing(turn)
            if let drawn = timing.preload(of: breaks[index], playback, turn: &turn) { breaks[index].preload = drawn }
            let due = timing.fetchInstant(of: breaks[index], playback, turn)
            guard due.at <= turn.now else { continue }
            if turn.persona.interstitials.loadsOneListAtATime, breaks.isResolvingList { continue }
            if turn.persona.interstitials.trigger == .buffered, breaks.isBehindOneThatLoads(index) { continue }
            if due.isPreload, let point = breaks[index].preload.point {
                breaks[index].preload = .taken(point)
                turn.count(.preloadsTaken)
            }
            breaks[index].ask(turn: &turn)
        }
    }
}

extension BreakList {
    /// The second ad of one date is buffered once the first is, then the programme behind them (WWDC21 session 10140).
    fileprivate func isBehindOneThatLoads(_ index: Int) -> Bool {
        indices.prefix(index).contains {
            self[$0].start == self[index].start && self[$0].offer.programme == .paused
                && self[$0].content?.isUnderWay ?? false
        }
    }

    fileprivate var isResolvingList: Bool { firstIndex { $0.content?.list?.attempts.isUnderWay ?? false } != nil }
}
