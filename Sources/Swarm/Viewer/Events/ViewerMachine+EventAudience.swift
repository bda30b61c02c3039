import AdServing
import HLS
import LoadProfile
import Measurement

// Viewers that want out of interstitials: by a skip, or by a jump over them.
extension ViewerMachine {
    private func belongs(to plan: NavigationPlan, _ salt: UInt64) -> Bool {
        var own = ViewerChance(seed: self.plan.seed &+ salt, viewer: self.number)
        return own.happens(plan.share)
    }

    /// When a viewer presses skip, in nanoseconds from the interstitial's start; .max where it does not, or may not.
    ///
    /// Where a skip button is offered it is pressed in its time, whatever X-RESTRICT says of other ways to skip (bis-22
    /// appendix D.3); elsewhere X-RESTRICT=SKIP forbids it.
    mutating func skipInstant(of entry: EventEntry, from start: Int64, _ actions: inout [ViewerAction]) -> Int64 {
        guard let plan = self.plan.audience.skips, let interstitial = entry.event.interstitial,
            self.belongs(to: plan, 0x534B_4950)
        else { return .max }
        let into = self.chance.nanoseconds(untilNextOfMean: plan.every.nanosecondsHeld)
        let control = interstitial.skipControl?.overridden(by: entry.skipControl) ?? entry.skipControl
        if let control {
            let opens = Duration.seconds(control.offsetSeconds ?? 0).nanosecondsHeld
            let closes = control.durationSeconds.map { opens.later(by: Duration.seconds($0).nanosecondsHeld) } ?? .max
            let at = max(start.later(by: into), opens)
            return at <= closes ? at : .max
        }
        let at = start.later(by: into)
        let length = entry.assets.reduce(Int64(0)) { $0.later(by: $1.nanoseconds ?? 0) }
        guard at < interstitial.playoutDuration(ofAssets: .nanoseconds(length)).nanosecondsHeld else { return .max }
        guard !interstitial.restrictions.contains(.skip) else {
            self.note(.eventsRestricted, &actions)
            return .max
        }
        return at
    }

    // MARK: Seeking

    /// When a viewer that seeks does so next; others never do.
    mutating func drawSeek(now: Int64) {
        guard let plan = self.plan.audience.seeks, self.belongs(to: plan, 0x5345_454B) else { return }
        self.events.state.seeksBackNext = true
        let away = self.chance.nanoseconds(untilNextOfMean: plan.every.nanosecondsHeld)
        self.events.state.seekAt = now.later(by: max(away, 1_000_000))
    }

    /// Seeks back, and some seconds later forward again to where it would have been.
    mutating func seekWhereDue(now: Int64, actions: inout [ViewerAction]) {
        guard self.events.state.seekAt <= now, let plan = self.plan.audience.seeks else { return }
        self.events.state.seekAt = .max
        guard self.events.current == nil, !self.adBreak.holdsPlayhead, let playhead = self.playheadDate(at: now) else {
            // In a break there is no seeking: later.
            self.events.state.seekAt = now.later(by: 1_000_000_000)
            return
        }
        if self.events.state.seeksBackNext {
            self.seekBack(to: playhead - plan.distance, from: playhead, now: now, actions: &actions)
        } else {
            self.jumpForward(from: playhead, now: now, actions: &actions)
            self.drawSeek(now: now)
        }
    }

    private mutating func seekBack(
        to target: WallTime,
        from playhead: WallTime,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        guard target < playhead, let first = self.playback.latest?.playlist.programDate(at: 0), first <= target else {
            self.drawSeek(now: now)
            return
        }
        self.events.state.latencyBefore = now &- self.plan.timebase.monotonic(playhead)
        for index in self.events.state.entries.indices {
            let entry = self.events.state.entries[index]
            guard entry.phase == .over, !entry.event.isOnce, !entry.event.isPreRoll, let start = entry.start,
                start <= playhead, entry.event.interstitial != nil
            else { continue }
            if start >= target {
                self.revive(index, now: now, actions: &actions)
            } else if let occupied = entry.event.occupied, target + Self.dateTolerance < start + occupied {
                self.revive(index, inside: target.duration(since: start), now: now, actions: &actions)
            }
        }
        self.seek(to: target, now: now, actions: &actions)
        self.events.state.seeksBackNext = false
        self.events.state.seekAt = now.later(by: 1_000_000_000 &+ Int64(self.chance.unit() * 4e9))
    }

    /// An interstitial that lies ahead again is asked for again: its content is bound late each time (bis-22 appendix D.1).
    ///
    /// One that the viewer goes back into begins there, as for a viewer that joins.
    private mutating func revive(
        _ index: Int,
        inside offset: Duration? = nil,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        let old = self.events.state.entries[index]
        var entry = EventEntry(old.event, serial: self.events.state.takeSerial(), now: now)
        entry.isRepeat = true
        entry.joinedAt = offset
        // A viewer has a break once in the measurement.
        entry.isBooked = true
        entry.hasDrawnPreload = true
        self.events.state.entries[index] = entry
        self.note(.eventsScheduled, &actions)
    }

    /// X-RESTRICT=JUMP forbids to pass an interstitial that lies ahead without playing it, also one that was played before.
    private mutating func jumpForward(from playhead: WallTime, now: Int64, actions: inout [ViewerAction]) {
        let target = self.plan.timebase.wall(now &- self.events.state.latencyBefore)
        guard playhead < target else { return }
        let passed = self.events.state.entries.indices.filter { index in
            let entry = self.events.state.entries[index]
            guard entry.isAhead, let start = entry.start else { return false }
            return start >= playhead && start < target
        }
        guard !passed.contains(where: { self.events.state.entries[$0].event.forbidsJump }) else {
            self.note(.eventsRestricted, &actions)
            return
        }
        for index in passed {
            self.settle(index, .eventsSkipped, &actions)
            self.pass(index, .jumpedOver, &actions)
            self.events.state.entries[index].phase = .over
        }
        self.seek(to: target, now: now, actions: &actions)
    }

    private mutating func seek(to date: WallTime, now: Int64, actions: inout [ViewerAction]) {
        self.note(.seeks, &actions)
        self.resumePlayhead(at: date, now: now)
        self.programmeResumed(now: now, actions: &actions)
        self.shiftAnnouncedBreak(now: now, actions: &actions)
    }
}

extension InterstitialEvent {
    fileprivate var forbidsJump: Bool { self.interstitial?.restrictions.contains(.jump) ?? false }
}
