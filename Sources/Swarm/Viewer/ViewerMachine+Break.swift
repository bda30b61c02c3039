import AdServing
package import HLS
import LoadProfile
import Measurement

extension ViewerMachine {
    mutating func scheduleNextBreak(after now: Int64, actions: inout [ViewerAction]) {
        guard !self.plan.calendar.readsPlaylist else {
            self.considerAnnounced(self.playback.latest?.announced ?? [], now: now, actions: &actions)
            return
        }
        // A break whose pod should have been asked for by now cannot be rehearsed any more.
        let earliest = self.plan.timebase.wall(now &+ self.plan.leadNanoseconds)
        self.noteMissed(until: earliest, actions: &actions)
        if self.adBreak.hadOne, self.plan.calendar.countsFromClick {
            self.clickedAt = now
        }
        let planned = self.plan.breakBook.nextBreak(
            after: max(earliest, self.adBreak.scheduled?.start ?? earliest),
            clickedAt: self.plan.timebase.wall(self.clickedAt),
            isFirst: !self.adBreak.hadOne
        )
        if let planned {
            let startAt = self.plan.timebase.monotonic(planned.scheduled.start)
            self.schedule(planned, startAt: startAt, now: now, actions: &actions)
        } else {
            self.adBreak.phase = .none
        }
    }

    /// Books the breaks whose pods were to be asked for while the last one was not over.
    ///
    /// While its ads played, such a break is skipped; while its pod was still awaited, the target has lost it too.
    private func noteMissed(until earliest: WallTime, actions: inout [ViewerAction]) {
        guard self.adBreak.hadOne, let last = self.adBreak.scheduled?.start else { return }
        var seen = last
        for _ in 0..<Self.mostMissedBreaks {
            let missed = self.plan.calendar.nextBreak(after: seen, clickedAt: seen, isFirst: false)
            guard let missed, missed.start <= earliest, missed.start > seen else { return }
            seen = missed.start
            actions.append(.breakScheduled(self.planned(missed)))
            self.note(.eventsScheduled, &actions)
            guard self.adBreak.hasFailed else {
                self.note(.eventsSkipped, &actions)
                actions.append(.note(.breakSkipped(.duringAds)))
                continue
            }
            self.note(.eventsFailed, &actions)
            actions.append(.note(.breakDue))
            actions.append(.note(.breakFailed(.deadlineMissed)))
        }
    }

    /// More than a run can bring while one pod is awaited: the bound of a loop over a schedule that may be of any density.
    private static let mostMissedBreaks = 1000

    mutating func considerAnnounced(_ announced: [ScheduledBreak], now: Int64, actions: inout [ViewerAction]) {
        guard self.plan.calendar.readsPlaylist, self.adBreak.phase == .none, let latency = self.playback.latency else {
            return
        }
        for scheduled in announced where scheduled.start > (self.adBreak.scheduled?.start ?? .distantPast) {
            let startAt = self.plan.timebase.monotonic(scheduled.start).later(by: latency)
            guard startAt > now else {
                self.passOver(scheduled, startAt: startAt, now: now, actions: &actions)
                continue
            }
            self.schedule(self.planned(scheduled), startAt: startAt, now: now, actions: &actions)
            return
        }
    }

    /// Notes which announced breaks a playlist has that the one before had not; those of the first say nothing of how news
    /// spread.
    mutating func discover(_ announced: [ScheduledBreak], now: Int64, actions: inout [ViewerAction]) {
        let newest = announced.last.map { self.sinceStart($0) } ?? .min + 1
        guard newest > self.newestAnnounced else { return }
        if self.newestAnnounced != .min {
            for scheduled in announced where self.sinceStart(scheduled) > self.newestAnnounced {
                actions.append(.noteOfEvent(self.planned(scheduled), .breakDiscovered(at: now)))
            }
        }
        self.newestAnnounced = newest
    }

    /// Milliseconds from the run's start to a break's, held at what 32 bits can say and above `.min`.
    private func sinceStart(_ scheduled: ScheduledBreak) -> Int32 {
        let away = scheduled.start.duration(since: self.plan.timebase.wallStart).nanosecondsHeld / 1_000_000
        return max(Int32(clamping: away), .min + 1)
    }

    private func planned(_ scheduled: ScheduledBreak) -> PlannedBreak {
        self.plan.breakBook.planned(scheduled, clickedAt: self.plan.timebase.wall(self.clickedAt))
    }

    /// Remembers a break that began before this viewer knew of it, so that it is booked once.
    private mutating func passOver(
        _ scheduled: ScheduledBreak,
        startAt: Int64,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        let planned = self.planned(scheduled)
        self.adBreak.planned = planned
        guard startAt.later(by: scheduled.duration.nanosecondsHeld) > now else { return }
        actions.append(.breakScheduled(planned))
        self.note(.eventsScheduled, &actions)
        self.note(.eventsSkipped, &actions)
        actions.append(.note(.breakSkipped(.joinedLate)))
    }

    private mutating func schedule(
        _ planned: PlannedBreak,
        startAt: Int64,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        self.adBreak.phase = .scheduled
        self.adBreak.planned = planned
        self.adBreak.startAt = startAt
        self.adBreak.podURL = ""
        self.adBreak.isRepeatDrawn = false
        self.adBreak.isDeferred = false
        self.adBreak.isResolved = false
        self.adBreak.hasFailed = false
        self.adBreak.isSettled = false
        actions.append(.breakScheduled(planned))
        self.note(.eventsScheduled, &actions)
        // A break announced after its instant is asked for at once: planned in the past, the request would be counted
        // as one that the generator sent late.
        self.adBreak.fetchAt = max(self.fetchInstant(of: planned.scheduled, startAt: startAt), now)
        actions.append(.schedule(.breakFetch, at: self.adBreak.fetchAt))
        self.prepareBreak(now: now, actions: &actions)
    }

    private mutating func fetchInstant(of scheduled: ScheduledBreak, startAt: Int64) -> Int64 {
        switch self.plan.breaks.trigger {
        case .rendezvous:
            return self.plan.timebase.monotonic(scheduled.start) &- self.plan.leadNanoseconds
        case .playhead:
            let offset = (self.chance.unit() * 2 - 1) * Double(self.plan.jitterNanoseconds)
            return startAt.later(by: Int64(offset.rounded()) &- self.plan.leadNanoseconds)
        }
    }

    mutating func askForPod(plannedAt: Int64, actions: inout [ViewerAction]) {
        guard !self.isAwaitingPod else {
            self.fetch(.podManifest, url: self.adBreak.podURL, plannedAt: plannedAt, actions: &actions)
            return
        }
        // Also where it comes to nothing: the guide's rule counts the first break from the click, and would name this
        // one again.
        self.adBreak.hadOne = true
        guard self.events.current == nil else {
            self.skip(.duringAds, &actions)
            self.finishBreak(now: plannedAt, actions: &actions)
            return
        }
        guard self.phase == .watching, self.adBreak.phase == .scheduled else {
            // Still without a playlist: there is nothing that a break could interrupt.
            self.note(.breaksBeforePlayback, &actions)
            self.finishBreak(now: plannedAt, actions: &actions)
            return
        }
        self.phase = .inBreak
        self.preparePodURL(&actions)
        guard !self.adBreak.podURL.isEmpty else {
            // Such a viewer should have shown the break, so that it counts as due: its ads are lost in silence.
            self.resolve(.breakSkipped(.noStreamID), &actions)
            self.finishBreak(now: max(plannedAt, self.adBreak.startAt), actions: &actions)
            return
        }
        self.adBreak.phase = .asking
        self.dropPendingPings(&actions)
        self.adBreak.course.failedAttempts = 0
        self.fetch(.podManifest, url: self.adBreak.podURL, plannedAt: plannedAt, actions: &actions)
        actions.append(.schedule(.breakStart, at: self.adBreak.startAt))
    }

    mutating func podArrived(_ playlist: Playlist, url: String, now: Int64, actions: inout [ViewerAction]) {
        guard self.isAwaitingPod else { return }
        switch playlist {
        case .media(let media):
            self.podPlaylistArrived(media, url: url, now: now, actions: &actions)
        case .multivariant(let multivariant):
            guard
                let variant = self.choice(of: multivariant),
                let playlistURL = URLReference.resolve(multivariant.variants[variant].uri, against: url)
            else {
                self.podFailed(.podEmpty, now: now, actions: &actions)
                return
            }
            self.fetch(.podPlaylist, url: playlistURL, plannedAt: now, actions: &actions)
        }
    }

    mutating func podPlaylistArrived(_ media: MediaPlaylist, url: String, now: Int64, actions: inout [ViewerAction]) {
        guard self.isAwaitingPod else { return }
        let content = AdTimeline(media)
        self.checkDuration(of: content, actions: &actions)
        guard content.segmentCount > 0 else {
            actions.append(
                .note(.finding(.emptyPod, expected: "at least one segment", observed: "a pod without segments"))
            )
            self.podFailed(.podEmpty, now: now, actions: &actions)
            return
        }
        self.adBreak.course.content = content
        switch self.plan.playback.segments {
        case .ads, .all:
            self.adBreak.course.loading = PodLoading(pod: LoadedPod(media, url: url))
            self.loadNextPodItem(now: now, actions: &actions)
        case .none, .content:
            self.podInHand(now: now, actions: &actions)
        }
    }

    /// The pod's request failed: it is made again where the player does so, by its rule for asset lists.
    mutating func podUnanswered(
        _ failure: BreakFailure,
        isClientError: Bool,
        now: Int64,
        actions: inout [ViewerAction]
    ) {
        guard self.isAwaitingPod, failure == .podManifestFailed || failure == .deadlineMissed else {
            self.podFailed(failure, now: now, actions: &actions)
            return
        }
        self.adBreak.course.failedAttempts &+= 1
        let cause = EventLoadFailure(failure, isTimeout: failure == .deadlineMissed, isClientError: isClientError)
        let rule = self.persona.requests.assetList
        guard let wait = self.wait(after: cause, made: self.adBreak.course.failedAttempts, rule: rule) else {
            self.podFailed(failure, now: now, actions: &actions)
            return
        }
        actions.append(.schedule(.breakFetch, at: now.later(by: wait.nanosecondsHeld)))
    }

    mutating func podFailed(_ failure: BreakFailure, now: Int64, actions: inout [ViewerAction]) {
        guard self.isAwaitingPod else { return }
        if self.adBreak.isDeferred {
            self.skip(.pictureInPictureLost, &actions)
        } else {
            self.resolve(.breakFailed(failure), &actions)
            self.settlePod(.eventsFailed, &actions)
            self.adBreak.hasFailed = true
        }
        self.finishBreak(now: max(now, self.adBreak.startAt), actions: &actions)
    }

    /// Notes what a break came to for a viewer that should have shown it.
    mutating func resolve(_ note: ViewerNote, _ actions: inout [ViewerAction]) {
        guard !self.adBreak.isResolved else { return }
        self.adBreak.isResolved = true
        actions.append(.note(.breakDue))
        actions.append(.note(note))
    }

    /// Notes what the break came to as an event, once.
    mutating func settlePod(_ outcome: ViewerCounter, _ actions: inout [ViewerAction]) {
        guard !self.adBreak.isSettled else { return }
        self.adBreak.isSettled = true
        self.note(outcome, &actions)
    }

    /// Notes that the viewer was not to show the break after all.
    mutating func skip(_ reason: SkipReason, _ actions: inout [ViewerAction]) {
        guard !self.adBreak.isResolved else { return }
        self.adBreak.isResolved = true
        actions.append(.note(.breakSkipped(reason)))
    }

    /// False once the break is over for this viewer; answers that come still are counted and not read.
    private var isAwaitingPod: Bool {
        self.adBreak.phase == .asking || self.adBreak.phase == .waiting
    }

    mutating func podInHand(now: Int64, actions: inout [ViewerAction]) {
        guard self.isAwaitingPod, let content = self.adBreak.course.content else { return }
        self.adBreak.inHandAt = now
        actions.append(.note(.podInHand(content)))
        self.repeatRequest(now: now, actions: &actions)
        guard self.adBreak.phase == .waiting else {
            self.adBreak.phase = .ready
            return
        }
        self.adBreak.phase = .ready
        if now &- self.adBreak.startAt > self.plan.graceNanoseconds {
            // It was watching at the break: that it entered picture in picture since is no excuse for a late pod.
            self.resolvePunctuality(&actions)
        }
        self.playPod(now: now, actions: &actions)
    }

    private mutating func resolvePunctuality(_ actions: inout [ViewerAction]) {
        // By when the pod was in hand, not by when the playhead's timer fired: a late timer is no merit of the target.
        let afterStart = self.adBreak.inHandAt &- self.adBreak.startAt
        if afterStart <= self.plan.graceNanoseconds {
            self.resolve(.breakOnTime(afterStart: afterStart), &actions)
        } else {
            self.resolve(.breakLate(by: afterStart &- self.plan.graceNanoseconds), &actions)
        }
    }

    /// The playhead is in the break and the pod in hand: ads start, unless picture in picture forbids it.
    private mutating func playPod(now: Int64, actions: inout [ViewerAction]) {
        guard !self.isInPictureInPicture else {
            self.meetBreakInPictureInPicture(now: now, actions: &actions)
            return
        }
        self.resolvePunctuality(&actions)
        self.startAds(now: now, actions: &actions)
    }

    mutating func reachedBreak(now: Int64, actions: inout [ViewerAction]) {
        switch self.adBreak.phase {
        case .asking where self.events.current != nil, .ready where self.events.current != nil:
            self.skip(.duringAds, &actions)
            self.finishBreak(now: now, actions: &actions)
        case .asking, .ready:
            if self.adBreak.isDeferred {
                // The break is over and the viewer never came back to standard playback.
                self.skip(.pictureInPictureLost, &actions)
                self.finishBreak(now: now, actions: &actions)
            } else if self.adBreak.phase == .ready {
                self.playPod(now: now, actions: &actions)
            } else if self.isInPictureInPicture {
                self.meetBreakInPictureInPicture(now: now, actions: &actions)
            } else {
                self.adBreak.phase = .waiting
            }
        case .none, .scheduled, .waiting, .playing:
            break
        }
    }

    /// Some sessions ask for the same pod once more, to see whether they get it.
    private mutating func repeatRequest(now: Int64, actions: inout [ViewerAction]) {
        guard !self.adBreak.isRepeatDrawn else { return }
        self.adBreak.isRepeatDrawn = true
        guard self.chance.happens(self.plan.pods.repeatShare), !self.adBreak.podURL.isEmpty else { return }
        self.fetch(.podRepeat, url: self.adBreak.podURL, plannedAt: now, actions: &actions)
    }

    private func checkDuration(of content: AdTimeline, actions: inout [ViewerAction]) {
        guard let scheduled = self.adBreak.scheduled, content.segmentCount > 0 else { return }
        let wanted = scheduled.duration.nanosecondsHeld / 1000
        let off = content.durationMicroseconds &- wanted
        guard off.magnitude > UInt64(max(self.plan.pods.durationTolerance.nanosecondsHeld / 1000, 0)) else { return }
        actions.append(
            .note(
                .finding(
                    off < 0 ? .podUnderfilled : .podOverfilled,
                    expected: "\(wanted / 1000) ms",
                    observed: "\(content.durationMicroseconds / 1000) ms"
                )
            )
        )
    }

    /// Ends the break, however far it came, and looks for the next.
    mutating func finishBreak(now: Int64, actions: inout [ViewerAction]) {
        // What ends without having begun, and without a failure, was passed over.
        self.settlePod(.eventsSkipped, &actions)
        self.adBreak.phase = .none
        if self.adBreak.keepsCourse, self.adBreak.course.failedAttempts > 0 {
            actions.append(.cancel(.breakFetch))
        }
        self.adBreak.endCourse()
        actions.append(.cancel(.breakStart))
        if self.events.current == nil {
            if self.phase == .inBreak {
                self.phase = .watching
            }
            self.adoptRenewedSession(now: now, actions: &actions)
        }
        self.scheduleNextBreak(after: now, actions: &actions)
    }

    /// The viewer leaves: what its break came to is settled first.
    mutating func abandonBreak(now: Int64, actions: inout [ViewerAction]) {
        switch self.adBreak.phase {
        case .none, .scheduled: break
        case .waiting where now > self.adBreak.startAt.later(by: self.plan.graceNanoseconds):
            self.resolve(.breakFailed(.deadlineMissed), &actions)
        case .asking, .ready, .waiting: self.skip(.leftBefore, &actions)
        case .playing: self.note(.leftDuringAds, &actions)
        }
        self.settlePod(.eventsLeft, &actions)
        self.adBreak.phase = .none
    }
}

extension ViewerMachine {
    /// When the pod of the last break that had one was in hand, monotonic nanoseconds.
    package var podInHandAt: Int64 { self.adBreak.inHandAt }

    /// Start of the break that this viewer waits for; nil where none is in sight.
    package var nextBreakStart: WallTime? {
        self.adBreak.phase == .scheduled ? self.adBreak.scheduled?.start : nil
    }
}

extension WallTime {
    static var distantPast: WallTime { WallTime(microseconds: .min / 2) }
    static var distantFuture: WallTime { WallTime(microseconds: .max / 2) }
}
