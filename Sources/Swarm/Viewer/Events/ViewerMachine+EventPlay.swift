import AdServing
import HLS
import LoadProfile
import Measurement

// The playhead at an interstitial: how it begins, what is played, and where the programme goes on.
extension ViewerMachine {
    /// Begins the next interstitial that the playhead has reached.
    ///
    /// An interstitial that comes while the pod of the viewer's own break plays or is waited for is skipped, as a break that
    /// comes during ads always was; a pod that comes during an interstitial is skipped alike. They never overlap.
    ///
    /// - Returns: Whether there was one.
    mutating func beginWhatIsDue(now: Int64, actions: inout [ViewerAction]) -> Bool {
        guard self.events.current == nil else { return false }
        for index in self.events.state.entries.indices where self.events.state.entries[index].isAhead {
            let entry = self.events.state.entries[index]
            guard let dueAt = self.startInstant(of: entry, now: now), dueAt <= now, let start = entry.start else {
                continue
            }
            guard !self.adBreak.holdsPlayhead else {
                self.leaveOut(index, .duringAds, &actions)
                return true
            }
            if entry.joinedAt != nil, !self.isStillInside(index, now: now) {
                self.leaveOut(index, .joinedLate, &actions)
                return true
            }
            self.begin(index, dueAt: dueAt, leftAt: start, carried: .zero, now: now, actions: &actions)
            return true
        }
        return false
    }

    /// A pre-roll can take a viewer that joined inside of an interstitial out of it, or further into it.
    private mutating func isStillInside(_ index: Int, now: Int64) -> Bool {
        let entry = self.events.state.entries[index]
        guard let start = entry.start, let playhead = self.playheadDate(at: now) else { return false }
        let into = playhead.duration(since: start)
        if entry.isUnasked || entry.assets.isEmpty {
            self.events.state.entries[index].joinedAt = max(into, .zero)
        }
        return entry.event.occupied.map { into < $0 } ?? true
    }

    private mutating func leaveOut(_ index: Int, _ reason: SkipReason, _ actions: inout [ViewerAction]) {
        self.settle(index, .eventsSkipped, &actions)
        self.pass(index, reason, &actions)
        self.events.state.entries[index].phase = .over
    }

    private mutating func begin(
        _ index: Int,
        dueAt: Int64,
        leftAt: WallTime,
        carried: Duration,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        if self.events.current == nil {
            self.pausePlayhead(now: now)
        }
        self.phase = .inBreak
        let entry = self.events.state.entries[index]
        let current = CurrentEvent(serial: entry.serial, dueAt: dueAt, leftAt: leftAt, carried: carried)
        self.events.state.current = current
        guard !entry.isSettled else {
            // Its list was empty: nothing is played, and the programme goes on where it says.
            let offset = entry.event.interstitial?.resumeOffset ?? .zero
            self.goOn(after: index, at: dueAt, current, offset: offset, now: now, actions: &actions)
            return
        }
        guard entry.phase != .ready else {
            self.startPlaying(index, now: now, actions: &actions)
            return
        }
        self.events.state.entries[index].phase = .waiting
        if entry.phase == .scheduled {
            self.askForContent(index, now: now, actions: &actions)
        }
    }

    /// The playhead is at the interstitial and its first asset in hand.
    mutating func startPlaying(_ index: Int, now: Int64, actions: inout [ViewerAction]) {
        guard var current = self.events.current else { return }
        self.events.state.entries[index].phase = .playing
        let entry = self.events.state.entries[index]
        let afterStart = entry.inHandAt &- current.dueAt
        if afterStart <= self.plan.graceNanoseconds {
            self.book(index, .breakOnTime(afterStart: afterStart), &actions)
        } else {
            self.book(index, .breakLate(by: afterStart &- self.plan.graceNanoseconds), &actions)
        }
        self.note(.eventsStarted, &actions)
        actions.append(.note(.adEvent(.adBreakStarted)))
        actions.append(.note(.adEvent(.adPeriodStarted)))
        current.asset = entry.firstUsable ?? 0
        current.assetStartedAt = now
        if let joinedAt = entry.joinedAt?.nanosecondsHeld {
            current.before = entry.isListTrimmed ? joinedAt : entry.listedNanoseconds(before: current.asset)
            if !entry.isListTrimmed {
                current.assetStartedAt = now.later(by: -max(joinedAt &- current.before, 0))
            }
        }
        current.skipsAt = self.skipInstant(of: entry, from: current.before, &actions)
        self.events.state.current = current
        if entry.joinedAt != nil {
            self.passOverSteps(index, now: now)
        }
    }

    /// What of an asset's events and beacons lies before the point where a viewer entered it never happens.
    private mutating func passOverSteps(_ index: Int, now: Int64) {
        guard var current = self.events.current else { return }
        let entry = self.events.state.entries[index]
        let into = now &- current.assetStartedAt
        // A list that was asked for with the offset begins where the viewer does, and the interstitial did not.
        let position = current.before &+ max(into, 0)
        while current.beacon < entry.beacons.count, entry.beacons[current.beacon].offset < position {
            current.beacon += 1
        }
        self.events.state.current = current
        guard into > 0, entry.assets.indices.contains(current.asset),
            let length = entry.assets[current.asset].nanoseconds
        else { return }
        while current.step < adQuartiles.count, Self.offset(ofStep: current.step, in: length) < into {
            current.step += 1
        }
        let beacons = entry.assets[current.asset].beacons
        while current.assetBeacon < beacons.count, beacons[current.assetBeacon].offset < into {
            current.assetBeacon += 1
        }
        self.events.state.current = current
    }

    // MARK: Progress

    private static func offset(ofStep step: Int, in length: Int64) -> Int64 {
        adQuartiles[step].quarter == 4 ? length : length / 4 &* adQuartiles[step].quarter
    }

    /// Plays as far as time has come; true where the interstitial ended.
    mutating func playCurrent(now: Int64, actions: inout [ViewerAction]) -> Bool {
        guard let index = self.events.state.currentIndex, self.events.state.entries[index].phase == .playing,
            var current = self.events.current
        else { return false }
        while true {
            let entry = self.events.state.entries[index]
            guard current.asset < entry.assets.count else {
                // Listed durations can be longer than what was played: what is due at the end is due now.
                for beacon in entry.beacons.dropFirst(current.beacon) {
                    self.sendBeacon(beacon.url, now: now, actions: &actions)
                }
                self.end(index, .eventsFinished, at: current.assetStartedAt, current, now: now, actions: &actions)
                return true
            }
            let asset = entry.assets[current.asset]
            guard asset.phase != .failed, asset.phase != .passed else {
                if current.step > 0 {
                    // It failed while it played: the next begins here, from its own start.
                    current.before = current.before.later(by: max(now &- current.assetStartedAt, 0))
                    current.assetStartedAt = now
                    current.step = 0
                    current.assetBeacon = 0
                }
                current.asset += 1
                continue
            }
            guard asset.isPlayable, let length = asset.nanoseconds else {
                current.isStarved = true
                self.events.state.current = current
                return false
            }
            if current.isStarved {
                current.isStarved = false
                current.assetStartedAt = now
            }
            let stop = self.stop(of: entry, current, length: length)
            self.emit(entry, &current, length: length, until: min(now, stop.at), now: now, actions: &actions)
            guard stop.at <= now else {
                self.events.state.current = current
                return false
            }
            if let outcome = stop.outcome {
                self.end(index, outcome, at: stop.at, current, now: now, actions: &actions)
                return true
            }
            current.before = current.before.later(by: length)
            current.assetStartedAt = stop.at
            current.asset += 1
            current.step = 0
            current.assetBeacon = 0
        }
    }

    /// When and how playing the current asset ends: at its end, at the playout limit, or because the viewer skips.
    private func stop(of entry: EventEntry, _ current: CurrentEvent, length: Int64) -> (
        at: Int64, outcome: ViewerCounter?
    ) {
        let endAt = current.assetStartedAt.later(by: length)
        let isLast = !entry.assets.dropFirst(current.asset + 1).contains { $0.phase != .failed && $0.phase != .passed }
        var stop: (at: Int64, outcome: ViewerCounter?) = (endAt, nil)
        if let limit = entry.event.interstitial?.playoutLimit?.nanosecondsHeld {
            let at = current.assetStartedAt.later(by: limit &- current.before)
            if at < endAt || (at == endAt && !isLast) { stop = (at, .eventsCutShort) }
        }
        if current.skipsAt != .max {
            let at = current.assetStartedAt.later(by: current.skipsAt &- current.before)
            if at < stop.at { stop = (at, .eventsSkipped) }
        }
        return stop
    }

    /// Emits the events and beacons of the current asset up to an instant.
    private mutating func emit(
        _ entry: EventEntry,
        _ current: inout CurrentEvent,
        length: Int64,
        until: Int64,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        while current.step < adQuartiles.count,
            current.assetStartedAt.later(by: Self.offset(ofStep: current.step, in: length)) <= until
        {
            actions.append(.note(.adEvent(adQuartiles[current.step].event)))
            current.step += 1
        }
        let beacons = entry.assets[current.asset].beacons
        while current.assetBeacon < beacons.count,
            current.assetStartedAt.later(by: min(beacons[current.assetBeacon].offset, length)) <= until
        {
            self.sendBeacon(beacons[current.assetBeacon].url, now: now, actions: &actions)
            current.assetBeacon += 1
        }
        while current.beacon < entry.beacons.count,
            current.assetStartedAt.later(by: entry.beacons[current.beacon].offset &- current.before) <= until
        {
            self.sendBeacon(entry.beacons[current.beacon].url, now: now, actions: &actions)
            current.beacon += 1
        }
    }

    /// When playing the current interstitial goes on to anything; .max where it does not by time.
    func nextPlayInstant() -> Int64 {
        guard let current = self.events.current, let index = self.events.state.currentIndex, !current.isStarved else {
            return .max
        }
        let entry = self.events.state.entries[index]
        guard entry.phase == .playing, entry.assets.indices.contains(current.asset) else { return .max }
        let asset = entry.assets[current.asset]
        guard asset.isPlayable, let length = asset.nanoseconds else { return .max }
        var next = self.stop(of: entry, current, length: length).at
        if current.step < adQuartiles.count {
            next = min(next, current.assetStartedAt.later(by: Self.offset(ofStep: current.step, in: length)))
        }
        if current.assetBeacon < asset.beacons.count {
            next = min(next, current.assetStartedAt.later(by: min(asset.beacons[current.assetBeacon].offset, length)))
        }
        if current.beacon < entry.beacons.count {
            let offset = entry.beacons[current.beacon].offset &- current.before
            next = min(next, current.assetStartedAt.later(by: offset))
        }
        return next
    }

    // MARK: The end

    /// When the current interstitial is expected to end and where the programme then goes on; nil while that is unknown.
    func expectedEnd(of index: Int, _ current: CurrentEvent) -> (at: Int64, resumesAt: WallTime)? {
        let entry = self.events.state.entries[index]
        guard entry.phase == .playing, !current.isStarved else { return nil }
        var length = Int64(0)
        for asset in entry.assets.dropFirst(current.asset) where asset.phase != .failed && asset.phase != .passed {
            guard let nanoseconds = asset.nanoseconds else { return nil }
            length = length.later(by: nanoseconds)
        }
        if let limit = entry.event.interstitial?.playoutLimit?.nanosecondsHeld {
            length = min(length, max(limit &- current.before, 0))
        }
        let offset =
            entry.event.interstitial?.resumeOffset ?? .nanoseconds(current.before.later(by: length))
        return (current.assetStartedAt.later(by: length), current.leftAt + current.carried + offset)
    }

    private mutating func end(
        _ index: Int,
        _ outcome: ViewerCounter,
        at instant: Int64,
        _ current: CurrentEvent,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        if outcome == .eventsCutShort {
            self.note(.playoutLimited, &actions)
        }
        actions.append(.note(.adEvent(.adPeriodEnded)))
        actions.append(.note(.adEvent(.adBreakEnded)))
        self.settle(index, outcome, &actions)
        let entry = self.events.state.entries[index]
        let position = Duration.nanoseconds(current.before.later(by: instant &- current.assetStartedAt))
        self.goOn(
            after: index,
            at: instant,
            current,
            offset: entry.event.interstitial?.resumeOffset ?? position,
            now: now,
            actions: &actions
        )
    }

    /// The interstitial is lost: nothing of it is played, and the programme goes on where it was left (bis-22 appendix
    /// D.5); after an empty list X-RESUME-OFFSET counts all the same.
    mutating func failEvent(
        _ index: Int,
        _ reason: BreakFailure,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        let entry = self.events.state.entries[index]
        guard entry.phase != .anticipated else {
            self.forgetPreloaded(index)
            return
        }
        let offset =
            reason == .assetListEmpty
            ? entry.event.interstitial?.resumeOffsetOfEmptyList ?? .zero : Interstitial.resumeOffsetOfFailure
        self.book(index, .breakFailed(reason), &actions)
        self.settle(index, .eventsFailed, &actions)
        guard let current = self.events.current, current.serial == entry.serial else {
            // With an offset to go to, it still has its moment, in which nothing is played.
            self.events.state.entries[index].phase = offset > .zero ? .ready : .over
            return
        }
        self.goOn(after: index, at: now, current, offset: offset, now: now, actions: &actions)
    }

    /// A viewer that joined inside finds that all of it is over.
    mutating func nothingIsLeft(_ index: Int, now: Int64, actions: inout [ViewerAction]) {
        let entry = self.events.state.entries[index]
        self.leaveOut(index, .joinedLate, &actions)
        guard let current = self.events.current, current.serial == entry.serial else { return }
        let offset = entry.joinedAt ?? .zero
        self.goOn(after: index, at: now, current, offset: offset, now: now, actions: &actions)
    }

    /// Goes on to the next interstitial of the same date, or to the programme.
    private mutating func goOn(
        after index: Int,
        at instant: Int64,
        _ current: CurrentEvent,
        offset: Duration,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        let entry = self.events.state.entries[index]
        self.events.state.entries[index].phase = .over
        self.events.state.entries[index].assets = []
        self.events.state.entries[index].beacons = []
        if entry.event.isOnce {
            self.rememberOnce(entry.event.id)
        }
        let carried = current.carried + offset
        let next = self.events.state.entries.indices.first {
            $0 > index && self.events.state.entries[$0].isAhead && self.events.state.entries[$0].start == entry.start
                && self.events.state.entries[$0].joinedAt == nil
        }
        if let next {
            self.begin(next, dueAt: instant, leftAt: current.leftAt, carried: carried, now: now, actions: &actions)
        } else {
            self.resume(from: current.leftAt, offset: carried, entry, now: now, actions: &actions)
        }
    }

    private mutating func resume(
        from left: WallTime,
        offset: Duration,
        _ entry: EventEntry,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        var date = left + offset
        if entry.event.interstitial?.snap.contains(.in) == true, let playlist = self.playback.latest?.playlist {
            date = playlist.nearestBoundary(to: date) ?? date
        }
        self.events.state.current = nil
        self.phase = self.adBreak.isGoingOn ? .inBreak : .watching
        self.resumePlayhead(at: date, now: now)
        // What begins in the stretch that was jumped over is not played; an ad that is some milliseconds too long jumps
        // over nothing.
        for index in self.events.state.entries.indices where self.events.state.entries[index].isAhead {
            guard let start = self.events.state.entries[index].start, start > left,
                start + Self.dateTolerance < date,
                !self.events.state.entries[index].event.isPreRoll
            else { continue }
            self.leaveOut(index, .duringAds, &actions)
        }
        if !self.adBreak.isGoingOn {
            self.adoptRenewedSession(now: now, actions: &actions)
        }
        self.programmeResumed(now: now, actions: &actions)
    }

    private mutating func rememberOnce(_ id: String) {
        if self.events.state.playedOnce.count >= EventState.keptOnce {
            self.events.state.playedOnce.removeFirst()
        }
        self.events.state.playedOnce.append(id)
    }
}

extension EventEntry {
    /// Nanoseconds of the assets before one, as the list says.
    func listedNanoseconds(before asset: Int) -> Int64 {
        self.assets.prefix(asset).reduce(0) { $0.later(by: $1.nanoseconds ?? 0) }
    }
}
