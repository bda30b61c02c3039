import AdServing
import HLS
package import LoadProfile
import Measurement

/// One viewer: a state machine that is told what happened and answers what to do.
///
/// It does no I/O and owns no timer; time comes in with each event as CLOCK_MONOTONIC nanoseconds. The same events give
/// the same actions, always, which is how a whole broadcast is tested in microseconds.
package struct ViewerMachine: Sendable {
    /// The life of a viewer, as seen from outside.
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
    /// The player that this viewer watches with, as its place in the plan's list.
    package let personaIndex: UInt8
    var chance: ViewerChance
    package internal(set) var phase: Phase = .waiting
    /// When the viewer pressed play.
    var clickedAt: Int64 = 0
    /// Requests that were asked for and not answered yet.
    package internal(set) var requestsInFlight = 0
    var session = SessionState()
    var playback = PlaybackState()
    var adBreak = BreakState()
    var events = EventTimeline()
    var isInPictureInPicture = false
    /// False until the first playlist was seen: only then is a pre-roll played.
    var hasFollowedSchedule = false
    /// Start of the last break that was announced, in milliseconds since the run's start; `.min` before the first
    /// playlist.
    var newestAnnounced = Int32.min

    package init(number: Int, plan: ViewerPlan) {
        self.number = number
        self.plan = plan
        self.personaIndex = plan.personaIndex(ofViewer: number)
        self.chance = ViewerChance(seed: plan.seed, viewer: number)
    }

    /// Takes one event and appends what is to be done about it.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - now: The moment it is handled, or for a timer the deadline it was set to.
    ///   - actions: Gets the actions, in the order in which they are to be carried out.
    package mutating func handle(_ event: ViewerEvent, now: Int64, actions: inout [ViewerAction]) {
        if event.endsRequest {
            self.requestsInFlight -= 1
        }
        switch self.phase {
        case .gone: return
        case .leaving:
            self.settleDeparture(&actions)
            return
        case .waiting, .joining, .watching, .inBreak: break
        }
        switch event {
        case .join: self.join(now: now, actions: &actions)
        case .timer(let timer): self.timerFired(timer, now: now, actions: &actions)
        case .registered(let session): self.registered(session, now: now, actions: &actions)
        case .sessionEnded: self.sessionEnded(now: now, actions: &actions)
        case .registrationFailed(let status): self.registrationFailed(status, now: now, actions: &actions)
        case .multivariant(let playlist): self.choseFrom(playlist, now: now, actions: &actions)
        case .playlist(let shared, let plannedAt, let index, let age):
            self.loaded(shared, plannedAt: plannedAt, index: index, age: age, now: now, actions: &actions)
        case .playlistFailed(let plannedAt, let reason, let index):
            self.loadFailed(plannedAt: plannedAt, reason: reason, index: index, now: now, actions: &actions)
        case .deltaUnusable(let plannedAt, let index):
            self.deltaUnusable(plannedAt: plannedAt, index: index, now: now, actions: &actions)
        case .mediaFinished(let index, let failure):
            self.mediaFinished(index: index, failure: failure, now: now, actions: &actions)
        case .steered(let steering): self.steered(steering, now: now, actions: &actions)
        case .steeringFailed(let failure): self.steeringFailed(failure, now: now, actions: &actions)
        case .podManifest(let playlist, let url): self.podArrived(playlist, url: url, now: now, actions: &actions)
        case .podPlaylist(let playlist, let url):
            self.podPlaylistArrived(playlist, url: url, now: now, actions: &actions)
        case .podFailed(let failure, let isClientError):
            self.podUnanswered(failure, isClientError: isClientError, now: now, actions: &actions)
        case .podRepeatFinished, .podSuperseded: break
        case .podSegmentFinished(let succeeded):
            self.podSegmentFinished(succeeded: succeeded, now: now, actions: &actions)
        case .metadata(let metadata): self.learned(metadata, now: now, actions: &actions)
        case .pingAnswered: self.pingAnswered(now: now, actions: &actions)
        case .interstitial(let answer): self.answered(answer, now: now, actions: &actions)
        case .requestFinished(let role, _, let succeeded):
            if role == .beacon { self.beaconAnswered(succeeded: succeeded, &actions) }
        case .leave: self.leave(now: now, actions: &actions)
        }
    }

    /// How this viewer's player behaves.
    package var persona: Persona { self.plan.personas[Int(self.personaIndex)].persona }

    mutating func fetch(
        _ role: ViewerRole,
        url: String,
        plannedAt: Int64,
        index: UInt8 = 0,
        actions: inout [ViewerAction]
    ) {
        self.requestsInFlight += 1
        actions.append(.fetch(role, url: url, plannedAt: plannedAt, index: index))
    }

    func note(_ counter: ViewerCounter, _ actions: inout [ViewerAction]) {
        actions.append(.note(.counted(counter)))
    }

    private mutating func join(now: Int64, actions: inout [ViewerAction]) {
        self.phase = .joining
        self.clickedAt = now
        self.note(.joined, &actions)
        self.register(plannedAt: now, actions: &actions)
        self.askForContent(plannedAt: now, actions: &actions)
        if let meanStay = self.plan.meanStay {
            let stay = self.chance.nanoseconds(untilNextOfMean: meanStay)
            actions.append(.schedule(.leave, at: now.later(by: stay)))
        }
        if self.chance.happens(self.plan.pictureInPicture.share) {
            self.scheduleEntry(now: now, actions: &actions)
        }
        self.scheduleNextBreak(after: now, actions: &actions)
    }

    private mutating func timerFired(_ timer: ViewerTimer, now: Int64, actions: inout [ViewerAction]) {
        switch timer {
        case .reload: self.reload(plannedAt: now, actions: &actions)
        case .metadata: self.pollMetadata(plannedAt: now, actions: &actions)
        case .registrationRetry, .renewal: self.register(plannedAt: now, actions: &actions)
        case .breakPreparation: self.prepareBreak(now: now, actions: &actions)
        case .breakFetch: self.askForPod(plannedAt: now, actions: &actions)
        case .breakStart: self.reachedBreak(now: now, actions: &actions)
        case .adProgress: self.adsProgressed(now: now, actions: &actions)
        case .pictureInPicture: self.pictureInPictureToggled(now: now, actions: &actions)
        case .leave: self.leave(now: now, actions: &actions)
        case .reloadAudio: self.reload(.audio, plannedAt: now, actions: &actions)
        case .reloadSubtitles: self.reload(.subtitles, plannedAt: now, actions: &actions)
        case .buffering, .retry: self.goOnLoading(now: now, actions: &actions)
        case .steering: self.askForSteering(plannedAt: now, actions: &actions)
        case .playhead: break
        case .eventFetch, .eventStart, .eventEnd: self.eventTimerFired(timer, now: now, actions: &actions)
        }
    }

    private mutating func leave(now: Int64, actions: inout [ViewerAction]) {
        self.settlePlayback(now: now, actions: &actions)
        self.abandonBreak(now: now, actions: &actions)
        self.abandonEvents(now: now, actions: &actions)
        if self.phase != .waiting {
            self.note(.left, &actions)
        }
        self.phase = .leaving
        for timer in ViewerTimer.allCases {
            actions.append(.cancel(timer))
        }
        self.settleDeparture(&actions)
    }

    private mutating func settleDeparture(_ actions: inout [ViewerAction]) {
        guard self.requestsInFlight == 0 else { return }
        self.phase = .gone
        actions.append(.gone)
    }
}

extension ViewerEvent {
    /// True for the one answer that each request gets.
    fileprivate var endsRequest: Bool {
        switch self {
        case .join, .timer, .leave, .sessionEnded: false
        case .registered, .registrationFailed, .multivariant, .playlist, .playlistFailed, .deltaUnusable: true
        case .mediaFinished, .steered, .steeringFailed: true
        case .podManifest, .podPlaylist, .podFailed, .podRepeatFinished, .podSuperseded, .podSegmentFinished: true
        case .metadata, .pingAnswered, .interstitial, .requestFinished: true
        }
    }
}
