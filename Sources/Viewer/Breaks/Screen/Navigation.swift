import AdServing
import HLS
import Profile
import Rules
import Values

/// Seeks back, and some seconds later forward to where the viewer would have been.
struct Navigation: Sendable {
    enum Seek: Sendable, Equatable {
        case never
        case back
        /// `latency`: nanoseconds behind the wall clock before the viewer went back.
        case forward(latency: Int64)
        /// A jump that plays a restricted interstitial first.
        case held(latency: Int64)
    }

    private(set) var next = Seek.never
    var instant = Instant.distantFuture

    mutating func plan(turn: inout Turn) {
        guard let plan = turn.plan.audience.seeks, turn.belongs(to: plan, salt: 0x5345_454B) else { return }
        let away = turn.chance.nanoseconds(untilNextOfMean: plan.every.nanosecondsHeld)
        seek(.back, in: max(away, 1_000_000), turn)
    }

    mutating func seek(_ next: Seek, in nanoseconds: Int64, _ turn: Turn) {
        (self.next, instant) = (next, turn.now.later(by: nanoseconds))
    }
}

extension Turn {
    fileprivate func belongs(to plan: NavigationPlan, salt: UInt64) -> Bool {
        var own = ViewerChance(seed: self.plan.seed &+ salt, viewer: number)
        return own.happens(plan.share)
    }

    /// Nanoseconds from the break's start; nil if the viewer does not skip, or may not.
    ///
    /// A skip button is pressed in its time, whatever X-RESTRICT says (bis-22 appendix D.3); elsewhere X-RESTRICT=SKIP forbids
    /// skipping and other rates (WWDC21 session 10140). In a pod of its own the viewer has what the application offers:
    /// `cancelCurrentEvent` (AVFoundation, AVPlayerInterstitialEventController), unless the event's restrictions forbid it.
    mutating func skipOffset(in interstitial: Interstitial?, _ queue: AssetQueue, _ clock: AdClock) -> Int64? {
        guard let skips = plan.audience.skips, interstitial != nil || plan.breaks.skipping != .never,
            belongs(to: skips, salt: 0x534B_4950)
        else { return nil }
        let wished = chance.nanoseconds(untilNextOfMean: skips.every.nanosecondsHeld)
        let at = clock.position(now: now).addingClamped(wished)
        if skips.rate == nil,
            let control = interstitial?.skipControl?.overridden(by: queue.skipControl) ?? queue.skipControl
        {
            let opens = Duration.seconds(control.offsetSeconds ?? 0).nanosecondsHeld
            let closes =
                control.durationSeconds.map { opens.addingClamped(Duration.seconds($0).nanosecondsHeld) } ?? .max
            return max(at, opens) <= closes ? max(at, opens) : nil
        }
        let assets = Duration.nanoseconds(queue.nanoseconds(before: queue.assets.count))
        let length = interstitial?.playoutDuration(ofAssets: assets) ?? assets
        guard at < length.nanosecondsHeld else { return nil }
        guard interstitial.map({ !$0.restrictions.contains(.skip) }) ?? (plan.breaks.skipping == .allowed) else {
            count(.eventsRestricted)
            return nil
        }
        return at
    }
}

extension Screen {
    mutating func seekWhereDue(turn: inout Turn) {
        guard turn.plan.audience.seeks != nil, navigation.instant <= turn.now else { return }
        guard currentSerial == nil, let playhead = playback.playheadDate(turn) else {
            // Seeking is impossible during a break.
            navigation.instant = turn.now.later(by: 1_000_000_000)
            return
        }
        switch navigation.next {
        case .never: return
        case .back: seekBack(from: playhead, turn: &turn)
        case .forward(let latency), .held(let latency): jumpForward(from: playhead, latency: latency, turn: &turn)
        }
    }

    /// Goes on with a jump from where the programme resumes after an interstitial.
    mutating func goOnJumping(from date: WallTime, turn: inout Turn) {
        guard keepsExtras, case .held(let latency) = navigation.next else { return }
        jumpForward(from: date, latency: latency, turn: &turn)
    }

    private mutating func seekBack(from playhead: WallTime, turn: inout Turn) {
        let target = playhead - (turn.plan.audience.seeks?.distance ?? .zero)
        guard target < playhead, let first = playback.latest.map(playback.dates)?[0], first <= target else {
            navigation.plan(turn: &turn)
            return
        }
        for index in breaks.indices { breaks.revive(index, from: playhead, to: target, turn: &turn) }
        let latency = turn.now &- turn.plan.timebase.instant(of: playhead)
        turn.count(.seeks)
        move(to: target, turn: &turn)
        let away = 1_000_000_000 &+ Int64(turn.chance.unit() * 4e9)
        navigation.seek(.forward(latency: latency), in: away, turn)
    }

    /// X-RESTRICT=JUMP forbids skipping an interstitial that lies ahead, even one that was played before: it is played, and then
    /// the jump goes on to its target (WWDC21 session 10140).
    private mutating func jumpForward(from playhead: WallTime, latency: Int64, turn: inout Turn) {
        let target = turn.plan.timebase.wall(at: turn.now &- latency)
        guard playhead < target else { return navigation.plan(turn: &turn) }
        let restricted = breaks.firstIndex {
            $0.offer.interstitial?.restrictions.contains(.jump) ?? false && $0.isMet(from: playhead, to: target)
        }
        if let start = restricted.flatMap({ breaks[$0].start }) {
            turn.count(.eventsRestricted)
            navigation.seek(.held(latency: latency), in: 1_000_000_000, turn)
            leaveOut(from: playhead, to: start, .jumpedOver, turn: &turn)
            return move(to: start, turn: &turn)
        }
        leaveOut(from: playhead, to: target, .jumpedOver, turn: &turn)
        turn.count(.seeks)
        move(to: target, turn: &turn)
        navigation.plan(turn: &turn)
    }

    private mutating func move(to date: WallTime, turn: inout Turn) {
        playback.resumePlayhead(at: date, turn)
        playback.goOnLoading(&turn)
    }
}

/// Running ads go on when the viewer enters picture in picture, but none start in it.
///
/// The guide's code starts ads on LOADED only, unless picture in picture is active, and never later (IMA picture-in-picture
/// guide). Interstitials play wherever the programme does.
extension Screen {
    enum Withholding: Sendable {
        case kept(Deferral)
        case lost
    }

    func planPictureInPicture(turn: inout Turn) {
        if turn.chance.happens(turn.plan.audience.pictureInPicture.share) { planEntry(turn: &turn) }
    }

    private func planEntry(turn: inout Turn) {
        let away = turn.chance.nanoseconds(untilNextOfMean: turn.plan.audience.pictureInPicture.every.nanosecondsHeld)
        turn.schedule(.pictureInPicture, at: turn.now.later(by: max(away, 1_000_000)))
    }

    /// Nil if the ads may start.
    func withholding(_ one: Break, dueAt: Instant, _ turn: Turn) -> Withholding? {
        guard isInPictureInPicture else { return nil }
        let until = dueAt.later(by: one.planned.scheduled.duration)
        let isDeferred = turn.plan.audience.pictureInPicture.rule == .deferred
        guard isDeferred, turn.now < until, one.content != nil else { return .lost }
        var inHandAt: Instant?
        switch one.phase {
        case .ready(let instant): inHandAt = instant
        case .waiting: inHandAt = turn.now
        default: break
        }
        return .kept(Deferral(dueAt: dueAt, until: until, inHandAt: inHandAt))
    }

    /// Enters or leaves picture in picture.
    mutating func changePictureInPicture(turn: inout Turn) {
        isInPictureInPicture.toggle()
        guard !isInPictureInPicture else {
            turn.count(.enteredPictureInPicture)
            let stay = max(turn.plan.audience.pictureInPicture.stay.nanosecondsHeld, 1_000_000)
            return turn.schedule(.pictureInPicture, at: turn.now.later(by: stay))
        }
        turn.count(.leftPictureInPicture)
        planEntry(turn: &turn)
        guard let own = breaks.own, case .deferred(let deferral) = breaks[own].phase else { return }
        guard currentSerial == nil else { return endOwn(.leftOut(.duringAds), at: turn.now, turn: &turn) }
        breaks[own].pass(.pictureInPictureDeferred, turn: &turn)
        let leftAt = breaks[own].start ?? breaks[own].planned.scheduled.start
        let arrival = Arrival(dueAt: deferral.dueAt, leftAt: leftAt, carried: .zero)
        currentSerial = breaks[own].serial
        if let inHandAt = deferral.inHandAt {
            play(own, arrival, inHandAt: inHandAt, turn: &turn)
        } else {
            breaks[own].wait(arrival, turn: &turn)
        }
    }

    mutating func withhold(_ index: Int, _ withheld: Withholding, turn: inout Turn) {
        switch withheld {
        case .lost: endOwn(.leftOut(.pictureInPictureLost), at: turn.now, turn: &turn)
        case .kept(let deferral):
            breaks[index].waitForReturn(deferral, turn: &turn)
            if currentSerial == breaks[index].serial { currentSerial = nil }
        }
    }
}
