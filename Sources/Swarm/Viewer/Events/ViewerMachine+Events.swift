import AdServing
import HLS
import LoadProfile
import Measurement

// The schedule of interstitials as one viewer follows it: what is added, changed and taken away.
extension ViewerMachine {
    /// Playheads and start dates are held against each other with this much room, for dates have a finite resolution.
    static let dateTolerance = Duration.milliseconds(20)

    /// Takes up what a new version of the playlist schedules.
    mutating func follow(_ schedule: InterstitialSchedule, now: Int64, actions: inout [ViewerAction]) {
        guard self.persona.interstitials.trigger != .never, let playhead = self.playheadDate(at: now) else { return }
        let isJoining = !self.hasFollowedSchedule
        self.hasFollowedSchedule = true
        guard self.events.schedule !== schedule else { return }
        guard self.events.isInUse || !schedule.events.isEmpty else { return }
        if self.events.schedule == nil {
            self.drawSeek(now: now)
        }
        self.events.state.schedule = schedule
        self.dropRemoved(schedule, playhead: playhead, actions: &actions)
        for event in schedule.events {
            if let index = self.events.state.entries.firstIndex(where: { $0.event.id == event.id }) {
                self.update(index, to: event, playhead: playhead, now: now, actions: &actions)
            } else {
                self.admit(event, isJoining: isJoining, playhead: playhead, now: now, actions: &actions)
            }
        }
    }

    // MARK: Added

    private mutating func admit(
        _ event: InterstitialEvent,
        isJoining: Bool,
        playhead: WallTime,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        // Never an unfinished one for a newer: each is to come to its end.
        let isFull = self.events.state.entries.count >= EventState.keptEntries
        guard !isFull || self.events.state.entries.contains(where: { $0.phase == .over }) else { return }
        var entry = EventEntry(event, serial: self.events.state.takeSerial(), now: now)
        guard event.interstitial != nil else {
            entry.phase = .anticipated
            self.insert(entry)
            return
        }
        if !isJoining {
            actions.append(.noteOfEvent(event.planned, .breakDiscovered(at: now)))
        }
        if let doubled = event.doubledEvent {
            let observed = DoubledPing.observed(doubled)
            let finding = ViewerNote.finding(.pingDoubled, expected: DoubledPing.expected, observed: observed)
            actions.append(.noteOfEvent(event.planned, finding))
        }
        let place = self.place(of: event, isJoining: isJoining, playhead: playhead)
        switch place {
        case .ahead:
            if event.isPreRoll { entry.start = playhead }
            self.note(.eventsScheduled, &actions)
        case .inside(let offset):
            entry.joinedAt = offset
            self.note(.eventsScheduled, &actions)
            self.note(.joinedMidBreak, &actions)
        case .late:
            self.note(.eventsScheduled, &actions)
            self.settle(&entry, .eventsSkipped, &actions)
            self.pass(&entry, .joinedLate, &actions)
            entry.phase = .over
        case .past:
            entry.phase = .over
            entry.isSettled = true
        }
        self.insert(entry)
    }

    private enum EventPlace {
        case ahead
        case inside(Duration)
        /// The playhead is past its start, and the viewer was there already.
        case late
        case past
    }

    private func place(of event: InterstitialEvent, isJoining: Bool, playhead: WallTime) -> EventPlace {
        if event.isOnce, self.events.state.playedOnce.contains(event.id) { return .past }
        if event.isPreRoll { return isJoining ? .ahead : .past }
        guard let start = event.start, start + Self.dateTolerance < playhead else { return .ahead }
        guard let occupied = event.occupied, playhead + Self.dateTolerance < start + occupied else { return .past }
        return isJoining ? .inside(playhead.duration(since: start)) : .late
    }

    /// Puts an entry in the order in which interstitials are played: pre-rolls first, then by start, and for one start in
    /// the playlist's order.
    private mutating func insert(_ entry: EventEntry) {
        if self.events.state.entries.count >= EventState.keptEntries {
            guard let old = self.events.state.entries.firstIndex(where: { $0.phase == .over }) else { return }
            self.events.state.entries.remove(at: old)
        }
        let key = Self.order(entry)
        let place = self.events.state.entries.firstIndex { Self.order($0) > key }
        self.events.state.entries.insert(entry, at: place ?? self.events.state.entries.count)
    }

    private static func order(_ entry: EventEntry) -> WallTime {
        entry.event.isPreRoll ? .distantPast : entry.start ?? .distantFuture
    }

    // MARK: Changed

    private mutating func update(
        _ index: Int,
        to event: InterstitialEvent,
        playhead: WallTime,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        let old = self.events.state.entries[index].event
        guard old !== event else { return }
        self.events.state.entries[index].event = event
        if old.interstitial == nil {
            // Still only a preload range, if another one.
            guard event.interstitial != nil else { return }
            self.becomeReal(index, anticipatedFor: old.preload?.uri, now: now, &actions)
            return
        } else if !event.isUnchanged(from: old), self.events.state.entries[index].phase != .over {
            self.note(.eventsChanged, &actions)
        }
        guard self.events.state.entries[index].isAhead else { return }
        if !event.isPreRoll {
            self.events.state.entries[index].start = event.start
        }
        if let preload = old.preload, event.preload == nil, playhead < preload.endDate {
            self.discardPreloaded(index)
        }
    }

    /// The range that a preload range spoke of is there: what was loaded is kept only where it names the same
    /// (bis-22 appendix F).
    private mutating func becomeReal(
        _ index: Int,
        anticipatedFor uri: String?,
        now: Int64,
        _ actions: inout [ViewerAction]
    ) {
        self.note(.eventsScheduled, &actions)
        var entry = self.events.state.entries.remove(at: index)
        entry.start = entry.event.start
        entry.phase = entry.isUnasked ? .scheduled : entry.assets.first?.isPlayable == true ? .ready : .resolving
        self.insert(entry)
        guard let place = self.events.state.index(ofSerial: entry.serial) else { return }
        if entry.event.interstitial?.content.uri != uri {
            self.discardPreloaded(place)
        } else if entry.phase == .resolving, !entry.assets.isEmpty {
            self.askForFirstAssets(place, now: now, actions: &actions)
        }
    }

    /// Forgets what was loaded ahead of its time because of a preload range that no longer is, or names something else.
    private mutating func discardPreloaded(_ index: Int) {
        guard self.events.state.entries[index].preloadPoint != nil else { return }
        self.events.state.entries[index].preloadPoint = nil
        guard self.events.state.entries[index].tookPreload else { return }
        self.events.state.entries[index].serial = self.events.state.takeSerial()
        self.events.state.entries[index].phase = .scheduled
        self.events.state.entries[index].resolution = LoadAttempts()
        self.events.state.entries[index].assets = []
        self.events.state.entries[index].tookPreload = false
    }

    /// What was asked for ahead of its time did not come: it is asked for again in its time.
    mutating func forgetPreloaded(_ index: Int) {
        self.events.state.entries[index].preloadPoint = nil
        self.events.state.entries[index].tookPreload = false
        self.events.state.entries[index].resolution = LoadAttempts()
        self.events.state.entries[index].assets = []
    }

    // MARK: Taken away

    /// An interstitial that was not reached and is not in the playlist any more is cancelled; one that slid out of the live
    /// window with its segments is not.
    private mutating func dropRemoved(
        _ schedule: InterstitialSchedule,
        playhead: WallTime,
        actions: inout [ViewerAction]
    ) {
        let windowStart = self.playback.latest?.playlist.programDate(at: 0) ?? .distantPast
        var index = 0
        while index < self.events.state.entries.count {
            let entry = self.events.state.entries[index]
            guard !entry.isCurrent, !schedule.events.contains(where: { $0.id == entry.event.id }) else {
                index += 1
                continue
            }
            if entry.isAhead {
                guard (entry.start ?? .distantFuture) >= windowStart else {
                    index += 1
                    continue
                }
                self.settle(index, .eventsCancelled, &actions)
            }
            self.events.state.entries.remove(at: index)
        }
    }
}

// What an interstitial came to, for the measurement.
extension ViewerMachine {
    /// Notes what an event came to, once.
    mutating func settle(_ index: Int, _ outcome: ViewerCounter, _ actions: inout [ViewerAction]) {
        self.settle(&self.events.state.entries[index], outcome, &actions)
    }

    func settle(_ entry: inout EventEntry, _ outcome: ViewerCounter, _ actions: inout [ViewerAction]) {
        guard !entry.isSettled else { return }
        entry.isSettled = true
        actions.append(.note(.counted(outcome)))
    }

    /// Notes what the break came to for a viewer that should have shown it, once.
    mutating func book(_ index: Int, _ note: ViewerNote, _ actions: inout [ViewerAction]) {
        guard !self.events.state.entries[index].isBooked else { return }
        self.events.state.entries[index].isBooked = true
        let planned = self.events.state.entries[index].event.planned
        self.events.state.notedInHandAt = self.events.state.entries[index].inHandAt
        actions.append(.noteOfEvent(planned, .breakDue))
        actions.append(.noteOfEvent(planned, note))
    }

    /// Notes that the viewer was not to show the break after all, once.
    mutating func pass(_ index: Int, _ reason: SkipReason, _ actions: inout [ViewerAction]) {
        self.pass(&self.events.state.entries[index], reason, &actions)
    }

    func pass(_ entry: inout EventEntry, _ reason: SkipReason, _ actions: inout [ViewerAction]) {
        guard !entry.isBooked else { return }
        entry.isBooked = true
        actions.append(.noteOfEvent(entry.event.planned, .breakSkipped(reason)))
    }

    /// The viewer leaves: what its interstitials came to is settled first.
    mutating func abandonEvents(now: Int64, actions: inout [ViewerAction]) {
        guard self.events.isInUse else { return }
        for index in self.events.state.entries.indices {
            let entry = self.events.state.entries[index]
            switch entry.phase {
            case .anticipated, .over: continue
            case .scheduled: break
            case .resolving, .ready: self.pass(index, .leftBefore, &actions)
            case .waiting:
                let due = self.events.current?.dueAt ?? now
                if now > due.later(by: self.plan.graceNanoseconds) {
                    self.book(index, .breakFailed(.deadlineMissed), &actions)
                } else {
                    self.pass(index, .leftBefore, &actions)
                }
            case .playing: self.note(.leftDuringAds, &actions)
            }
            self.settle(index, .eventsLeft, &actions)
            self.events.state.entries[index].phase = .over
        }
        self.abandonStitched(now: now, &actions)
        self.events.state.current = nil
    }
}
