import HLS
import Profile
import Rules
import Values

/// Seeks back, and some seconds later forward to where the viewer would have been.
struct Navigation: Sendable {
    enum Seek: Sendable, Equatable {
        case never
        case back(at: Instant)
        /// `latency`: nanoseconds behind the wall clock before the viewer went back.
        case forward(at: Instant, latency: Int64)
        /// A jump that plays a restricted interstitial first.
        case held(at: Instant, latency: Int64)
    }

    private(set) var next = Seek.never

    var instant: Instant {
        switch next {
        case .never: .distantFuture
        case .back(let at), .forward(let at, _), .held(let at, _): at
        }
    }

    mutating func plan(turn: inout Turn) {
        guard let plan = turn.plan.audience.seeks, turn.belongs(to: plan, salt: 0x5345_454B) else { return }
        let away = turn.chance.nanoseconds(untilNextOfMean: plan.every.nanosecondsHeld)
        next = .back(at: turn.now.later(by: max(away, 1_000_000)))
    }

    mutating func move(to instant: Instant) {
        switch next {
        case .never: break
        case .back: next = .back(at: instant)
        case .forward(_, let latency): next = .forward(at: instant, latency: latency)
        case .held(_, let latency): next = .held(at: instant, latency: latency)
        }
    }

    mutating func hold(_ latency: Int64, turn: Turn) {
        next = .held(at: turn.now.later(by: 1_000_000_000), latency: latency)
    }

    mutating func wentBack(from latency: Int64, turn: inout Turn) {
        let away = 1_000_000_000 &+ Int64(turn.chance.unit() * 4e9)
        next = .forward(at: turn.now.later(by: away), latency: latency)
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
    /// skipping. In a pod of its own the viewer has what the application offers: `cancelCurrentEvent` (AVFoundation,
    /// AVPlayerInterstitialEventController), unless the event's restrictions forbid it.
    mutating func skipOffset(in interstitial: Interstitial?, _ queue: AssetQueue, from start: Int64) -> Int64? {
        guard let skips = plan.audience.skips, interstitial != nil || plan.breaks.skipping != .never,
            belongs(to: skips, salt: 0x534B_4950)
        else { return nil }
        let into = chance.nanoseconds(untilNextOfMean: skips.every.nanosecondsHeld)
        if let control = interstitial?.skipControl?.overridden(by: queue.skipControl) ?? queue.skipControl {
            let opens = Duration.seconds(control.offsetSeconds ?? 0).nanosecondsHeld
            let closes =
                control.durationSeconds.map { opens.addingClamped(Duration.seconds($0).nanosecondsHeld) } ?? .max
            let at = max(start.addingClamped(into), opens)
            return at <= closes ? at : nil
        }
        let at = start.addingClamped(into)
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
            navigation.move(to: turn.now.later(by: 1_000_000_000))
            return
        }
        switch navigation.next {
        case .never: return
        case .back: seekBack(from: playhead, turn: &turn)
        case .forward(_, let latency), .held(_, let latency):
            jumpForward(from: playhead, latency: latency, turn: &turn)
        }
    }

    /// Goes on with a jump from where the programme resumes after an interstitial.
    mutating func goOnJumping(from date: WallTime, turn: inout Turn) {
        guard keepsExtras, case .held(_, let latency) = navigation.next else { return }
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
        navigation.wentBack(from: latency, turn: &turn)
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
            navigation.hold(latency, turn: turn)
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
