package import AdServing
import Profile
package import Rules
package import Values

/// One viewer: a state machine that maps events to actions.
///
/// It does no I/O and owns no timer; each event carries CLOCK_MONOTONIC nanoseconds. Equal events always give equal actions.
/// Parts do not know each other's internals: the machine hands each event to the part that it concerns.
package struct ViewerMachine: Sendable {
    package enum Phase: UInt8, Sendable, CaseIterable {
        case waiting
        case joining
        case watching
        case inBreak
        case leaving
        case gone
    }

    /// Unique in the run; a viewer that replaces another has a number of its own.
    package let number: Int
    let plan: ViewerPlan
    private var chance: ViewerChance
    package internal(set) var requestsInFlight = 0
    package private(set) var session = SessionPart()
    var screen: Screen

    // Small fields come last, where the layout of `screen` leaves room in a word.

    private var joinedAtMillisecond: Int32 = 0
    private var hasFailedToJoin = false

    package let personaIndex: UInt8
    package private(set) var phase: Phase = .waiting
    /// Number of earlier times that the same user opened the application.
    package let life: UInt8

    /// `life` seeds the chances, so that each opening of the application differs.
    package init(number: Int, plan: ViewerPlan, life: UInt8 = 0) {
        (self.number, self.plan, self.life) = (number, plan, life)
        self.screen = Screen(plan)
        self.personaIndex = plan.personaIndex(ofViewer: number)
        self.chance = ViewerChance(seed: plan.seed &+ UInt64(life) &* 0x5245_4F50_454E, viewer: number)
    }

    /// Appends actions in the order of their execution.
    ///
    /// `now` is the moment of handling, or for a timer its deadline. `handling` is the nanoseconds that an answer had been
    /// waiting in its socket by then.
    package mutating func handle(
        _ event: ViewerEvent,
        now: Instant,
        handling: Int64 = 0,
        actions: inout [ViewerAction]
    ) {
        if event.endsRequest { requestsInFlight -= 1 }
        switch phase {
        case .gone: return
        case .leaving: break
        case .waiting, .joining, .watching, .inBreak:
            var turn = Turn(
                now: now,
                handling: handling,
                number: number,
                plan: plan,
                playerFacts: plan.playbackFacts[Int(personaIndex)],
                joinedAt: joinedAt,
                dueSince: dueSince,
                chance: chance
            )
            swap(&turn.actions, &actions)
            take(event, turn: &turn)
            swap(&turn.actions, &actions)
            chance = turn.chance
            requestsInFlight += turn.startedRequests
        }
        guard phase == .leaving, requestsInFlight == 0 else { return }
        phase = .gone
        actions.append(.gone)
    }

    private mutating func take(_ event: ViewerEvent, turn: inout Turn) {
        switch event {
        case .join: join(turn: &turn)
        case .timer(let timer): timerFired(timer, turn: &turn)
        case .registered(let answer): registered(answer, turn: &turn)
        case .sessionEnded: sessionEnded(turn: &turn)
        case .registrationFailed(let status, let retryAfter):
            failedToJoin(turn: &turn)
            session.registrationFailed(status, retryAfter: retryAfter, turn: &turn)
        case .multivariant(let playlist): screen.playback.chose(from: playlist, turn: &turn)
        case .playlist(let shared, let plannedAt, let index, let age):
            loaded(shared, plannedAt: plannedAt, index: index, age: age, turn: &turn)
        case .playlistFailed(let plannedAt, let reason, let index):
            failedToJoin(turn: &turn)
            screen.playback.loadFailed(reason, plannedAt: plannedAt, index: index, turn: &turn)
        case .deltaUnusable(let plannedAt, let index):
            screen.playback.deltaUnusable(plannedAt: plannedAt, index: index, turn: &turn)
        case .mediaFinished(let index, let failure, let mediaIDs):
            let segment = mediaIDs == nil ? nil : screen.playback.openSegment(ofRequest: index)
            tell(screen.playback.mediaFinished(index: index, failure: failure, turn: &turn), turn: &turn)
            screen.playback.goOnLoading(&turn)
            guard let mediaIDs, let segment, failure == nil else { return }
            withScreen(turn: &turn) { $0.loaded(mediaIDs, in: segment, $1, turn: &$2) }
        case .steered(let steering): screen.playback.steered(steering, turn: &turn)
        case .steeringFailed(let failure): screen.playback.changeChoice { $0.steeringFailed(failure, turn: &turn) }
        case .breakAnswered(let answer): withScreen(turn: &turn) { $0.answered(answer, $1, turn: &$2) }
        case .mediaOnLine(let index): screen.playback.onLine(index, turn)
        case .breakCalled(let planned): withScreen(turn: &turn) { $0.called(planned, $1, turn: &$2) }
        case .metadata(let metadata):
            if metadata == nil { session.page = nil }
            screen.learned(metadata, turn: &turn)
        case .avails(let avails, let token):
            let before = token == nil ? nil : session.page
            // Before playback, what is listed is asked for again.
            let isKept = plan.templates?.pagesAvails == true && screen.playback.playheadDate(turn) != nil
            session.page = isKept ? token : nil
            guard before == nil || before != token else { return }
            withScreen(turn: &turn) { $0.learned(avails, isPage: before != nil, $1, turn: &$2) }
        case .pingAnswered: screen.pingAnswered(turn: &turn)
        case .requestFinished(let role, _, let succeeded):
            if role == .beacon, !succeeded { turn.count(.beaconsFailed) }
            if role == .sessionUpdate { session.updateAnswered() }
        case .leave: leave(turn: &turn)
        }
    }

    private mutating func timerFired(_ timer: ViewerTimer, turn: inout Turn) {
        switch timer {
        case .reload: reload(.video, turn: &turn)
        case .reloadAudio: reload(.audio, turn: &turn)
        case .reloadSubtitles: reload(.subtitles, turn: &turn)
        case .buffering, .retry: screen.playback.goOnLoading(&turn)
        case .steering: screen.playback.askForSteering(turn: &turn)
        case .metadata:
            // A client polls its tracking URL each target duration (MediaTailor user guide, "Client-side ad tracking").
            let every = plan.tracksAvails ? screen.playback.latest?.targetNanoseconds : nil
            if session.pollMetadata(every: every, turn: &turn) { screen.metadataAsked() }
        case .registrationRetry, .renewal: session.register(turn: &turn)
        case .sessionUpdate: session.update(turn: &turn)
        case .breakPreparation, .breakFetch, .breakStart, .adProgress, .pictureInPicture:
            withScreen(turn: &turn) { $0.timerFired(timer, $1, turn: &$2) }
        case .leave: leave(turn: &turn)
        case .abandonment: considerLeaving(turn: &turn)
        }
    }

    private mutating func join(turn: inout Turn) {
        phase = .joining
        joinedAtMillisecond = Int32(clamping: turn.now.nanoseconds(since: plan.timebase.start) / 1_000_000)
        (turn.joinedAt, turn.dueSince) = (joinedAt, dueSince)
        turn.count(.joined)
        session.register(turn: &turn)
        screen.playback.askForContent(session.contentURL(of: number, plan), turn: &turn)
        if let meanStay = plan.meanStay {
            let stay = turn.chance.nanoseconds(untilNextOfMean: meanStay)
            turn.schedule(.leave, at: turn.now.later(by: stay))
        }
        if let plan = plan.audience.abandonment { turn.schedule(.abandonment, at: turn.now.later(by: plan.afterStall)) }
        withScreen(turn: &turn) { $0.joined($1, turn: &$2) }
    }

    /// `isDriven`: the viewer leaves because nothing is shown, before its planned time.
    private mutating func leave(isDriven: Bool = false, turn: inout Turn) {
        // Must precede the end of a stall, which moves the playhead.
        noteShutOut(until: isDriven ? turn.now &- 1_000 : turn.now &- plan.graceNanoseconds, turn: &turn)
        tell(screen.playback.left(turn: &turn), turn: &turn)
        screen.left(session, isDriven: isDriven, turn: &turn)
        if phase == .joining { noteMissingChannel(turn: &turn) }
        if phase != .waiting {
            session.left(turn: &turn)
            turn.count(.left)
        }
        if screen.playback.isStopped { turn.count(.playersClosed) }
        phase = .leaving
        for timer in ViewerTimer.allCases { turn.cancel(timer) }
    }

    /// Closes the application if nothing was shown for longer than a user tolerates; otherwise checks again later.
    private mutating func considerLeaving(turn: inout Turn) {
        guard let plan = plan.audience.abandonment else { return }
        let patienceEnds = patienceEnds(plan, turn)
        guard patienceEnds <= turn.now else { return turn.schedule(.abandonment, at: patienceEnds) }
        turn.count(.abandoned)
        var reopensAt = Instant.distantFuture
        if turn.chance.happens(plan.reopenShare) {
            let wait = Double(plan.reopenAfter.nanosecondsHeld) * (0.5 + turn.chance.unit())
            reopensAt = turn.now.later(by: Int64(wait))
        } else {
            turn.count(.lost)
        }
        turn.act(.abandon(reopensAt: reopensAt))
        leave(isDriven: true, turn: &turn)
    }

    private func patienceEnds(_ plan: AbandonmentPlan, _ turn: Turn) -> Instant {
        let bears = screen.playback.isStopped ? plan.afterStop : plan.afterStall
        let darkSince = screen.playback.dryInstant(turn)
        guard !screen.showsAds, darkSince == .distantFuture else {
            return (screen.showsAds ? turn.now : darkSince).later(by: bears)
        }
        // A joining viewer was shown nothing yet. A channel without dates does not say when its buffer is empty, so only a
        // player that gave up is noticed there.
        return phase == .joining || screen.playback.isStopped ? turn.now : turn.now.later(by: bears)
    }

    package var joinedAt: Instant { plan.timebase.start.later(by: Int64(joinedAtMillisecond) * 1_000_000) }

    /// First instant from which breaks count for the viewer even if it cannot ask.
    ///
    /// A reopened application counts from the beginning, since its user was there before.
    private var dueSince: Instant {
        guard life == 0 else { return .distantPast }
        return hasFailedToJoin ? joinedAt : joinedAt.later(by: plan.joiningNanoseconds)
    }

    /// Cause and start of the time in which the viewer cannot know of the channel's breaks; nil if it knows them, or is still
    /// joining.
    package func shutOut(at now: Instant) -> (cause: BreakFailure, since: Instant)? {
        switch phase {
        case .joining:
            let since = max(dueSince, joinedAt)
            return since <= now ? (session.streamID == nil ? .noSession : .noPlaylist, since) : nil
        case .watching where !screen.playback.isStopped:
            guard let since = channelLostSince, since <= now else { return nil }
            return (screen.playback.hasContent || !plan.hasSession ? .noPlaylist : .noSession, since)
        default: return nil
        }
    }

    /// Instant at which the playhead passes all announced content: the last playlist's end, or the last known break beyond it.
    package var channelLostSince: Instant? {
        let timebase = plan.timebase
        guard let end = screen.playback.listedUntil, let since = screen.playback.playheadInstant(of: end, timebase)
        else { return nil }
        let breaks = screen.breaks
        let lastStart = breaks.indices.lazy.filter { breaks[$0].planned.source != .schedule }
            .compactMap { breaks[$0].start }.max()
        let known = lastStart.flatMap { screen.playback.playheadInstant(of: $0, timebase) }?.later(by: 1_000)
        return known.map { max($0, since) } ?? since
    }

    /// Whether the viewer saw its playhead pass a programme date, at least some nanoseconds before `now`.
    package func hasPassed(_ date: WallTime, isStitched: Bool, by now: Instant, for nanoseconds: Int64) -> Bool {
        let player = plan.personas[Int(personaIndex)].persona.interstitials.dates
        guard phase == .watching, !screen.playback.isStopped, hasWatched, shutOut(at: now) == nil,
            let placed = screen.playback.placed(date, by: isStitched ? .coveringTag : player),
            let metAt = screen.playback.playheadInstant(of: placed, plan.timebase)
        else { return false }
        return metAt >= joinedAt.later(by: plan.joiningNanoseconds) && metAt.later(by: nanoseconds) <= now
    }

    /// Also true after the player has given up.
    package var hasWatched: Bool { screen.playback.latency != nil }

    private mutating func failedToJoin(turn: inout Turn) {
        guard phase == .joining, !hasFailedToJoin else { return }
        hasFailedToJoin = true
        turn.dueSince = dueSince
    }

    private func noteShutOut(until: Instant, turn: inout Turn) {
        guard let (cause, since) = shutOut(at: until) else { return }
        turn.note(.shutOut(cause, from: since, until: until))
    }

    /// Ignores a viewer that did not know the URL of its channel.
    private func noteMissingChannel(turn: inout Turn) {
        let waited = turn.now &- joinedAt
        guard session.streamID != nil || !plan.contentNeedsSession,
            screen.playback.video.isFailing || waited >= plan.joiningNanoseconds
        else { return }
        let observed = screen.playback.video.isFailing ? "" : "no playlist in \(waited / 1_000_000_000) s"
        turn.found(.channelUnavailable, expected: "a playlist of the channel", observed: observed)
    }

    private mutating func registered(_ answer: StreamSession, turn: inout Turn) {
        let (hadSession, keepsOld) = (session.streamID != nil, screen.isGoingOn)
        let hasContent = screen.playback.hasContent
        let asks = session.registered(answer, keepsOld: keepsOld, hasContent: hasContent, turn: &turn)
        guard let asks else { return failedToJoin(turn: &turn) }
        if asks {
            sessionCame(after: hadSession, turn: &turn)
            screen.playback.askForContent(session.contentURL(of: number, plan), turn: &turn)
        }
        withScreen(turn: &turn) { $0.sessionChanged($1, turn: &$2) }
    }

    /// A viewer that had to wait for its session to join now waits for a playlist.
    private mutating func sessionCame(after hadSession: Bool, turn: inout Turn) {
        guard phase == .joining, !hadSession else { return }
        let (since, now) = (max(dueSince, joinedAt), turn.now)
        guard since < now else { return }
        turn.note(.shutOut(.noSession, from: since, until: now &- 1_000))
        joinedAtMillisecond = Int32(clamping: now.nanoseconds(since: plan.timebase.start) / 1_000_000)
        hasFailedToJoin = true
        turn.dueSince = dueSince
    }

    private mutating func sessionEnded(turn: inout Turn) {
        guard session.ended(now: turn.now) else { return }
        screen.playback.leaveContent(turn: &turn)
        screen.forgetAvails()
        guard plan.hasSession else {
            turn.count(.registrationRenewed)
            screen.playback.askForContent(session.contentURL(of: number, plan), turn: &turn)
            return
        }
        session.registerAnew(turn: &turn)
    }

    private mutating func reload(_ rendition: PlayedRendition, turn: inout Turn) {
        if screen.playback.hasContent {
            screen.playback.reload(rendition, turn: &turn)
        } else {
            screen.playback.askForContent(session.contentURL(of: number, plan), turn: &turn)
        }
    }

    private mutating func loaded(
        _ shared: SharedPlaylist,
        plannedAt: Instant,
        index: UInt8,
        age: UInt8,
        turn: inout Turn
    ) {
        let (news, load) = screen.playback.loaded(
            shared,
            plannedAt: plannedAt,
            index: index,
            age: age,
            contentURL: screen.playback.hasContent ? "" : session.contentURL(of: number, plan) ?? plan.contentURL,
            own: plan.playback.verifyDeltaShare > 0 ? session.streamID : nil,
            turn: &turn
        )
        let begins = phase == .joining && screen.playback.latest != nil
        if begins {
            noteShutOut(until: turn.now &- plan.graceNanoseconds, turn: &turn)
            phase = .watching
            turn.begins = true
            turn.count(.startedWatching)
        }
        if news.contains(.versionChanged), plan.tracksAvails {
            session.programmeBegan(at: screen.playback.latest.flatMap { screen.playback.dates(of: $0)[0] })
        }
        tell(news, turn: &turn)
        if begins { withScreen(turn: &turn) { $0.settle($1, turn: &$2) } }
        screen.playback.goOn(after: load, of: shared, index: index, turn: &turn)
    }

    private mutating func tell(_ news: ProgrammeNews, turn: inout Turn) {
        guard !news.isEmpty else { return }
        withScreen(turn: &turn) { $0.programmeMoved(news, $1, turn: &$2) }
    }

    /// Updates phase and session by the new state of the breaks.
    private mutating func withScreen(turn: inout Turn, _ body: (inout Screen, SessionPart, inout Turn) -> Void) {
        let wasGoingOn = screen.isGoingOn
        body(&screen, session, &turn)
        guard phase == .watching || phase == .inBreak else { return }
        phase = screen.isGoingOn ? .inBreak : .watching
        // A pod and its pings belong to one session, so a renewed one is adopted when the break is over.
        guard wasGoingOn, phase == .watching, session.adoptRenewed(turn: &turn) else { return }
        screen.sessionChanged(session, turn: &turn)
    }

    /// Empty until a variant is chosen.
    package var playlistURL: String { screen.playback.video.url }

    /// Another value means another URL.
    package func requestIndex(of rendition: PlayedRendition) -> UInt8 { screen.playback.requestIndex(of: rendition) }

    package var nextBreakStart: WallTime? {
        guard let own = screen.breaks.own, case .scheduled = screen.breaks[own].phase else { return nil }
        return screen.breaks[own].planned.scheduled.start
    }

    /// Nil for another request, and before the first playlist.
    ///
    /// Cheaper than a copy of the viewer: it is read at each answer, and nearly all bring the same version again.
    package func poll(ofRequest index: UInt8) -> PollFacts? {
        guard screen.playback.rendition(ofRequest: index) == .video else { return nil }
        let loop = screen.playback[.video]
        guard let latest = loop.versionBefore else { return nil }
        return PollFacts(latest: latest, changedAt: loop.changedAt, wantsAge: wantsAge)
    }
}

extension ViewerEvent {
    /// Each request gets exactly one such event.
    fileprivate var endsRequest: Bool {
        switch self {
        case .join, .timer, .leave, .sessionEnded, .breakCalled, .mediaOnLine: false
        case .breakAnswered(let answer): !answer.isOnLine
        case .registered, .registrationFailed, .multivariant, .playlist, .playlistFailed, .deltaUnusable: true
        case .mediaFinished, .steered, .steeringFailed: true
        case .metadata, .avails, .pingAnswered, .requestFinished: true
        }
    }
}

/// Facts for an audit, from a copy of the viewer made before it handles an answer.
///
/// A copy costs references and no contents. Unplayed renditions and finished breaks yield nil or empty values.
extension ViewerMachine {
    package var isPresent: Bool { phase != .leaving && phase != .gone }

    package var streamID: StreamID? { session.streamID }

    /// `_HLS_primary_id`.
    package var primaryID: String { plan.primaryID(of: number) }

    /// Empty without polling.
    package var metadataURL: String { session.metadataURL ?? "" }

    /// Whether the answer to a metadata poll would be read, not only counted.
    package var wantsMetadata: Bool {
        guard !plan.tracksAvails else { return true }
        let hasPodInHand = screen.breaks.own.map { screen.breaks[$0].isPodInHandOrDue } ?? false
        return plan.playback.sendsVerificationPings && (hasPodInHand || screen.keepsExtras)
            && screen.tracking.wantsMetadata(hasPodInHand: hasPodInHand)
    }

    /// Whether the session has an address for media verification.
    package var verifies: Bool { session.verificationURL != nil }

    /// Whether metadata lists the last pinged id, which may then be a prefix.
    package var pingedListedID: Bool { screen.keepsExtras && screen.tracking.wasListed }

    /// Nil if the viewer will not change its variant.
    package var multivariant: SharedMultivariant? { screen.playback.choice?.multivariant }

    /// Index in ``multivariant``.
    package var variant: Int? { screen.playback.choice?.variant }

    package var wantsAge: Bool { plan.playbackFacts[Int(personaIndex)].persona.lowLatency.blocking != .never }

    /// Nil if another playlist has replaced the requested one.
    package func rendition(ofRequest index: UInt8) -> PlayedRendition? { screen.playback.rendition(ofRequest: index) }

    /// A fresh loop if the rendition is not played.
    package subscript(rendition: PlayedRendition) -> ReloadLoop { screen.playback[rendition] }

    /// Whether a rendition loads a segment, or its initialisation section, that is still listed.
    package func awaitsListedSegment(of rendition: PlayedRendition, at now: Instant) -> Bool {
        screen.playback.awaitsListedSegment(of: rendition, at: now)
    }

    /// Nil once the break is over.
    package func planned(ofSerial serial: UInt16) -> PlannedBreak? {
        screen.breaks.index(ofSerial: serial).map { screen.breaks[$0].planned }
    }

    /// Nil once the break is over; `index` is that of the asset.
    package func subject(ofSerial serial: UInt16, index: UInt8) -> BreakSubject? {
        screen.breaks.index(ofSerial: serial).map { screen.breaks[$0].subject(ofAsset: index) }
    }
}

package struct PollFacts: Sendable {
    package let latest: SharedPlaylist
    package let changedAt: Instant
    package let wantsAge: Bool
}
