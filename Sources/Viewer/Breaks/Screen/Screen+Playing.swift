import AdServing
import HLS
import Profile
import Rules
import Values

// Begins a break when the playhead is there and its ads may start, plays it, and returns to the programme.
// One break has the playhead at a time; breaks that come due meanwhile are left out. When content is requested is not decided
// here.
extension Screen {
    var current: Int? { currentSerial.flatMap(breaks.index(ofSerial:)) }

    var showsAds: Bool { current.map { breaks[$0].clock != nil } ?? false }

    var replacesProgramme: Bool {
        current.map { breaks[$0].offer.programme == .replaced && breaks[$0].clock != nil } ?? false
    }

    var tracking: Tracking {
        get { extras.value?.tracking ?? Tracking() }
        _modify { yield &extras[default: Extras()].tracking }
    }

    var navigation: Navigation {
        get { extras.value?.navigation ?? Navigation() }
        _modify { yield &extras[default: Extras()].navigation }
    }

    var keepsExtras: Bool { !extras.isEmpty }

    /// Whether avails are known, which few viewers follow.
    var hasBeacons: Bool { keepsExtras && !extras[default: Extras()].avails.isEmpty }

    /// Keeps the extras while pings or beacons are still to be sent or awaited, or a seek is planned.
    mutating func dropExtras() {
        guard let kept = extras.value, kept.tracking.isIdle, kept.navigation.next == .never, kept.avails.isEmpty
        else { return }
        extras.value = nil
    }

    func timing(_ turn: Turn) -> BreakTiming { BreakTiming(current: current.map { breaks[$0] }, turn.plan) }

    mutating func verifyProgramme(_ session: SessionPart, turn: inout Turn) {
        guard keepsExtras, let playhead = playback.playheadDate(turn) else { return }
        let url = playback.isReplaced ? nil : session.verificationURL
        tracking.reached(playhead, verificationURL: url, turn: &turn)
    }

    func nextAdInstant(_ turn: Turn) -> Instant {
        guard let current, let clock = breaks[current].clock, let queue = breaks[current].queue else {
            guard keepsExtras, let cue = tracking.nextProgrammeCue else { return .distantFuture }
            let cueAt = playback.playheadInstant(of: cue, turn) ?? .distantFuture
            return cueAt > turn.now ? cueAt : .distantFuture
        }
        var instant = clock.nextInstant(queue, limit: breaks[current].offer.playoutLimit(turn.plan))
        if instant != .distantFuture, let cue = tracking.nextCue {
            // A cue that became known too late is handled at the next due event.
            let cueAt = clock.instant(at: cue)
            if cueAt > turn.now { instant = min(instant, cueAt) }
        }
        return instant > turn.now ? instant : .distantFuture
    }

    private var isPaused: Bool { current.map { breaks[$0].offer.programme == .paused } ?? false }

    /// Leaves a due break out if another one has the playhead; returns whether there was one.
    mutating func beginWhatIsDue(_ timer: ViewerTimer?, turn: inout Turn) -> Bool {
        for index in breaks.indices {
            let isDone =
                switch breaks[index].offer.programme {
                case .carriesIt: breaks.reachStitched(index, playback, turn: &turn)
                case .replaced: timer == .breakStart && reachOwn(index, turn: &turn)
                case .paused: reachInterstitial(index, turn: &turn)
                }
            if isDone { return true }
        }
        return false
    }

    private mutating func reachOwn(_ index: Int, turn: inout Turn) -> Bool {
        let one = breaks[index]
        switch one.phase {
        case .deferred(let deferral):
            // The viewer never came back to standard playback.
            guard deferral.until <= turn.now else { return false }
            endOwn(.leftOut(.pictureInPictureLost), at: turn.now, turn: &turn)
            return true
        case .resolving, .ready: break
        case .anticipated, .scheduled, .waiting, .playing, .lapsed, .over: return false
        }
        let timing = self.timing(turn)
        guard let dueAt = timing.dueInstant(of: one, playback, turn), dueAt <= turn.now,
            !timing.isHeld(one, before: dueAt, playback, turn)
        else { return false }
        guard currentSerial == nil else {
            endOwn(.leftOut(.duringAds), at: turn.now, turn: &turn)
            return true
        }
        if let withheld = withholding(one, dueAt: dueAt, turn) {
            withhold(index, withheld, turn: &turn)
        } else {
            let leftAt = one.start ?? one.planned.scheduled.start
            begin(index, Arrival(dueAt: dueAt, leftAt: leftAt, carried: .zero), turn: &turn)
        }
        return true
    }

    private mutating func reachInterstitial(_ index: Int, turn: inout Turn) -> Bool {
        let one = breaks[index]
        guard one.isAhead, !isPaused, let dueAt = timing(turn).dueInstant(of: one, playback, turn), dueAt <= turn.now,
            let start = one.start
        else { return false }
        guard currentSerial == nil else {
            breaks[index].conclude(.leftOut(.duringAds), turn: &turn)
            return true
        }
        if one.joinedAt != nil, !breaks[index].isStillInside(at: playback.playheadDate(turn)) {
            breaks[index].conclude(.leftOut(.joinedLate), turn: &turn)
            return true
        }
        begin(index, Arrival(dueAt: dueAt, leftAt: start, carried: .zero), turn: &turn)
        return true
    }

    private mutating func begin(_ index: Int, _ arrival: Arrival, turn: inout Turn) {
        if breaks[index].offer.programme == .paused, currentSerial == nil { playback.pausePlayhead(turn) }
        currentSerial = breaks[index].serial
        if case .scheduled = breaks[index].phase { breaks[index].ask(turn: &turn) }
        switch breaks[index].phase {
        case .lapsed(let offset):
            // Nothing is played; the programme resumes at the offset of the lapsed break.
            breaks[index].conclude(.past, turn: &turn)
            goOn(after: index, at: arrival.dueAt, arrival, offset: offset, turn: &turn)
        case .ready(let inHandAt): play(index, arrival, inHandAt: inHandAt, turn: &turn)
        case .resolving: breaks[index].wait(arrival, turn: &turn)
        case .anticipated, .scheduled, .deferred, .waiting, .playing, .over: break
        }
    }

    mutating func play(_ index: Int, _ arrival: Arrival, inHandAt: Instant, turn: inout Turn) {
        guard let queue = breaks[index].queue else { return }
        currentSerial = breaks[index].serial
        if breaks[index].offer.programme == .replaced {
            switch turn.plan.breaks.resumption {
            case .live: playback.isReplaced = true
            case .zero: playback.pausePlayhead(turn)
            }
        }
        breaks[index].bookPunctuality(inHandAt: inHandAt, dueAt: arrival.dueAt, turn: &turn)
        turn.count(.eventsStarted)
        breaks[index].noteStart(turn: &turn)
        for url in (breaks[index].offer as? ScheduledInterstitial)?.applicationBeacons ?? [] {
            Tracking.send(beacon: url, isOfApplication: true, turn: &turn)
        }
        var clock = AdClock(queue, arrival: arrival, joinedAt: breaks[index].joinedAt, now: turn.now)
        clock.skipsAt = turn.skipOffset(in: breaks[index].offer.interstitial, queue, clock)
        clock.rate = turn.plan.audience.skips?.rate.map(Int64.init)
        breaks[index].play(clock, turn: &turn)
    }

    mutating func take(_ news: Break.ContentNews, _ index: Int, turn: inout Turn) {
        switch news {
        case .nothing: return
        case .inHand: cameInHand(index, turn: &turn)
        case .nothingLeft:
            let arrival = breaks[index].arrival
            let joinedAt = breaks[index].joinedAt ?? .zero
            breaks[index].conclude(.leftOut(.joinedLate), turn: &turn)
            guard let arrival else { return }
            goOn(after: index, at: turn.now, arrival, offset: joinedAt, turn: &turn)
        case .failed(let reason): fail(index, reason, turn: &turn)
        }
    }

    private mutating func cameInHand(_ index: Int, turn: inout Turn) {
        guard let queue = breaks[index].queue, let first = queue.firstUsable,
            let timeline = queue.assets[first].playable
        else { return }
        turn.note(.podInHand(timeline), of: breaks[index].planned)
        if breaks[index].offer.programme == .replaced {
            breaks[index].askOnceMore(for: queue.assets[first], turn: &turn)
        }
        let inHandAt = breaks[index].cameInHand(turn)
        guard case .waiting(let arrival) = breaks[index].phase else {
            return breaks[index].becomeReady(at: inHandAt, turn: &turn)
        }
        guard breaks[index].offer.programme == .replaced,
            let withheld = withholding(breaks[index], dueAt: arrival.dueAt, turn)
        else { return play(index, arrival, inHandAt: inHandAt, turn: &turn) }
        if inHandAt &- arrival.dueAt > turn.plan.graceNanoseconds {
            // The viewer was watching at the break's start, so entering picture in picture since does not excuse a late pod.
            breaks[index].bookPunctuality(inHandAt: inHandAt, dueAt: arrival.dueAt, turn: &turn)
        }
        withhold(index, withheld, turn: &turn)
    }

    /// The programme resumes where it was left (bis-22 appendix D.5); X-RESUME-OFFSET still applies after an empty list.
    private mutating func fail(_ index: Int, _ reason: BreakFailure, turn: inout Turn) {
        if breaks[index].isAnticipated {
            // The early request failed; the content is requested again at its ordinary time.
            breaks[index].preload = .none
            breaks[index].forgetAnticipated(turn: &turn)
            return
        }
        let reason = breaks[index].cause(of: reason, turn)
        // A player that gave up had lost this break before.
        var outcome: BreakOutcome = playback.isStopped && breaks[index].isAhead ? .beforePlayback : .failed(reason)
        guard breaks[index].offer.programme == .paused else {
            let dueAt = timing(turn).dueInstant(of: breaks[index], playback, turn) ?? turn.now
            if case .deferred = breaks[index].phase { outcome = .leftOut(.pictureInPictureLost) }
            endOwn(outcome, at: max(turn.now, dueAt), turn: &turn)
            return
        }
        let tag = breaks[index].offer.interstitial
        let offset =
            reason == .assetListEmpty ? tag?.resumeOffsetOfEmptyList ?? .zero : Interstitial.resumeOffsetOfFailure
        if let arrival = breaks[index].arrival {
            breaks[index].conclude(outcome, turn: &turn)
            goOn(after: index, at: turn.now, arrival, offset: offset, turn: &turn)
        } else if offset > .zero {
            breaks[index].lapse(outcome, by: offset, turn: &turn)
        } else {
            breaks[index].conclude(outcome, turn: &turn)
        }
    }

    /// Returns whether the break ended.
    mutating func playCurrent(turn: inout Turn) -> Bool {
        guard let index = current, var clock = breaks[index].clock, let queue = breaks[index].queue else {
            return false
        }
        let offer = breaks[index].offer
        let verifies = offer.programme == .replaced && turn.plan.playback.sendsVerificationPings
        let end = clock.advance(queue, limit: offer.playoutLimit(turn.plan), now: turn.now) { mark in
            switch mark {
            case .ad(let event, let ad):
                turn.note(.adEvent(event), of: offer.planned)
                if verifies { tracking.saw(event, ad: ad, of: offer.planned, turn: &turn) }
            case .beacon(let url): Tracking.send(beacon: url, turn: &turn)
            }
        }
        if verifies { tracking.reached(end?.position ?? clock.position(now: turn.now), turn: &turn) }
        breaks[index].play(clock, turn: &turn)
        guard let end else { return false }
        if end.outcome == .cutShort { turn.count(.playoutLimited) }
        breaks[index].noteEnd(turn: &turn)
        guard offer.programme == .paused else {
            endOwn(end.outcome, at: turn.now, turn: &turn)
            goOnAfterOwn(turn: &turn)
            return true
        }
        breaks[index].conclude(end.outcome, turn: &turn)
        let offset = offer.interstitial?.resumeOffset ?? .nanoseconds(end.position)
        goOn(after: index, at: end.at, clock.arrival, offset: offset, turn: &turn)
        return true
    }

    private mutating func goOnAfterOwn(turn: inout Turn) {
        guard turn.plan.breaks.resumption == .zero, let left = playback.playheadDate(turn) else {
            playback.rejoin(&turn)
            return
        }
        playback.resumePlayhead(at: left, turn)
        playback.goOnLoading(&turn)
    }

    mutating func endOwn(_ outcome: BreakOutcome, at instant: Instant, turn: inout Turn) {
        guard let own = breaks.own else { return }
        breaks[own].conclude(outcome, turn: &turn)
        let ended = breaks.remove(at: own)
        if currentSerial == ended.serial { currentSerial = nil }
        passWaiting(after: outcome, at: instant, turn: &turn)
        dropExtras()
        let isOneWaiting = breaks.own != nil
        let announced = playback.latest?.announced ?? []
        feeds.schedule.ended(outcome, at: instant, &breaks, turn: &turn)
        _ = feeds.announced.change {
            $0.consider(announced, newSince: .max, after: outcome, at: instant, playback, &breaks, turn: &turn)
        }
        // The measurement has another break as the last scheduled one.
        guard isOneWaiting, let own = breaks.own else { return }
        breaks[own].forgetAddress()
        turn.act(.breakScheduled(breaks[own].planned))
    }

    /// Records breaks of other sources whose request came due while the last break was in progress.
    private mutating func passWaiting(after outcome: BreakOutcome, at instant: Instant, turn: inout Turn) {
        while let next = breaks.own, case .scheduled(let fetch?) = breaks[next].phase,
            timing(turn).fetchInstant(of: fetch, breaks[next], playback, turn) <= instant
        {
            turn.act(.breakScheduled(breaks[next].planned))
            breaks[next].conclude(outcome.ofMissed, turn: &turn)
            breaks.remove(at: next)
        }
    }

    private mutating func goOn(
        after index: Int,
        at instant: Instant,
        _ arrival: Arrival,
        offset: Duration,
        turn: inout Turn
    ) {
        let offer = breaks[index].offer
        let start = breaks[index].start
        if offer.isOnce, feeds.followsChannel { feeds.interstitials.remember(offer) }
        let carried = arrival.carried + offset
        let next = breaks.indices.first {
            $0 > index && breaks[$0].isAhead && breaks[$0].offer.programme == .paused && breaks[$0].start == start
                && breaks[$0].joinedAt == nil
        }
        if let next {
            let again = Arrival(dueAt: instant, leftAt: arrival.leftAt, carried: carried)
            begin(next, again, turn: &turn)
        } else {
            resume(from: arrival.leftAt, offset: carried, offer, turn: &turn)
        }
    }

    private mutating func resume(from left: WallTime, offset: Duration, _ offer: any BreakOffer, turn: inout Turn) {
        var date = left + offset
        if offer.interstitial?.snap.contains(.in) == true, let latest = playback.latest {
            date = playback.dates(of: latest).nearestBoundary(to: date) ?? date
        }
        currentSerial = nil
        playback.resumePlayhead(at: date, turn)
        // The tolerance keeps an ad that is a few milliseconds too long from skipping anything.
        let first = left + .microseconds(1)
        leaveOut(from: first, to: date - InterstitialFeed.tolerance, .duringAds, turn: &turn)
        playback.goOnLoading(&turn)
        goOnJumping(from: date, turn: &turn)
    }

    /// `end` is excluded.
    mutating func leaveOut(from first: WallTime, to end: WallTime, _ reason: SkipReason, turn: inout Turn) {
        for index in breaks.indices where breaks[index].isMet(from: first, to: end) {
            guard breaks[index].offer.programme == .paused else { continue }
            breaks[index].conclude(.leftOut(reason), turn: &turn)
        }
        guard let own = breaks.own, breaks[own].isMet(from: first, to: end) else { return }
        endOwn(.leftOut(reason), at: turn.now, turn: &turn)
    }
}
