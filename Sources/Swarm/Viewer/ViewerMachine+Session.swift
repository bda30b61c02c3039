package import AdServing
import HLS
import LoadProfile
import Measurement

/// A viewer's stream session with the ad server.
struct SessionState: Sendable {
    /// nil until registered, and for good when registration was refused: every break is skipped.
    var streamID: StreamID?
    var metadataURL: String?
    var verificationURL: String?
    private var pollingMilliseconds: Int32 = 10_000
    /// The second since the run's start until which the session holds by its own words; `.max` where it does not say.
    var endsAtSecond = Int32.max
    /// Tenths of a second since the run's start when the registration that is under way was asked for, rounded down.
    var askedAtTenth: Int32 = 0
    /// The same of when the session was taken up, rounded up.
    var adoptedAtTenth: Int32 = 0
    /// Index into the plan's ad servers that the next registration goes to.
    var server: Int16 = 0
    var attempt: Int16 = 0
    var isRegistering = false
    /// The renewed session, none or one, taken up when the break that goes on under the old one is over.
    var renewed: [StreamSession] = []
    private var ownSessions: [OwnSession] = []

    /// Nanoseconds between two polls of metadata, from a second to a day.
    var pollingFrequency: Int64 {
        get { Int64(self.pollingMilliseconds) * 1_000_000 }
        set { self.pollingMilliseconds = Int32(clamping: min(max(newValue / 1_000_000, 1_000), 86_400_000)) }
    }

    /// What is known of a session with a channel of its own; a viewer without one carries an empty reference.
    var own: OwnSession {
        get { self.ownSessions.first ?? OwnSession() }
        _modify {
            if self.ownSessions.isEmpty { self.ownSessions.append(OwnSession()) }
            yield &self.ownSessions[0]
        }
    }
}

/// A session whose channel is its own, as targets other than Google's give them.
struct OwnSession: Sendable {
    /// Nil where the target's adapter says it, or nobody yet.
    var contentURL: String?
    /// When the target last said that the session is over, monotonic nanoseconds; `.min`: never.
    var endedAt: Int64 = .min
}

extension ViewerMachine {
    /// The stream id that the ad server gave this viewer, once it has one.
    package var streamID: StreamID? { self.session.streamID }

    /// True while the answer to a metadata poll would be read, not only counted.
    package var wantsMetadata: Bool { self.plan.playback.sendsVerificationPings && self.adBreak.wantsMetadata }

    /// Where the session's metadata is polled; empty where it is not.
    package var metadataURL: String { self.session.metadataURL ?? "" }

    /// The ad server that registrations now go to, as an index into the plan's list.
    package var registrationServer: Int { Int(self.session.server) }

    mutating func register(plannedAt: Int64, actions: inout [ViewerAction]) {
        guard !self.session.isRegistering else { return }
        let request = self.plan.sessionRequest(
            of: self.number,
            server: self.registrationServer,
            now: self.plan.timebase.wall(plannedAt)
        )
        guard let request else {
            // Where the target knows no sessions, a viewer is who it says it is.
            self.session.streamID = StreamID(self.plan.identity(of: self.number).primaryID)
            return
        }
        self.session.isRegistering = true
        self.session.askedAtTenth = self.tenthOfRun(plannedAt)
        self.session.attempt &+= 1
        self.fetch(.registration, url: request.url, plannedAt: plannedAt, actions: &actions)
    }

    /// Asks for the channel, unless its URL comes with a session that is not there yet.
    mutating func askForContent(plannedAt: Int64, actions: inout [ViewerAction]) {
        guard let url = self.contentURL else { return }
        self.playback.downloads += 1
        self.fetch(.multivariant, url: url, plannedAt: plannedAt, actions: &actions)
    }

    /// The URL of this viewer's channel; nil while it comes with a session that is not there yet.
    var contentURL: String? { self.plan.contentURL(of: self.number, self.session) }

    mutating func registered(_ answer: StreamSession, now: Int64, actions: inout [ViewerAction]) {
        self.session.isRegistering = false
        self.session.attempt = 0
        guard let streamID = answer.streamID else {
            self.note(.registrationFailed, &actions)
            actions.append(
                .note(
                    .finding(
                        .registrationWithoutStreamID,
                        expected: "a stream_id",
                        observed: "a successful answer without one"
                    )
                )
            )
            return
        }
        var answer = answer
        // A server that was slow to answer may count from when it was asked.
        let askedAt = self.instant(ofTenth: self.session.askedAtTenth)
        answer.validUntil = answer.expiry(registeredAt: self.plan.timebase.wall(askedAt))
        let isRenewal = self.session.streamID != nil
        self.note(isRenewal ? .registrationRenewed : .registered, &actions)
        if isRenewal, self.adBreak.isGoingOn {
            // A pod and its pings belong to one session: the new one is taken up when this break is over.
            self.session.renewed = [answer]
        } else {
            self.adopt(answer, streamID: streamID, now: now)
        }
        if let frequency = answer.pollingFrequency {
            self.session.pollingFrequency = frequency.nanosecondsHeld
        }
        if self.plan.playback.pollsMetadata, answer.metadataURL != nil, !isRenewal {
            actions.append(.schedule(.metadata, at: now &+ self.session.pollingFrequency))
        }
        if let end = answer.validUntil {
            let validity = self.plan.timebase.monotonic(end).later(by: -askedAt)
            let renewal = askedAt.later(by: validity / 10 * 9)
            actions.append(.schedule(.renewal, at: max(renewal, now.later(by: Self.shortestRenewal))))
        }
        // A channel that was left because its session ended is asked for again, whoever says where it is.
        let isOwed = self.plan.adapter.contentNeedsSession || self.session.own.endedAt != .min
        if isOwed, self.playback.video.url.isEmpty {
            self.session.own.contentURL = answer.contentURL
            self.askForContent(plannedAt: now, actions: &actions)
        }
        self.prepareAnew(now: now, actions: &actions)
    }

    /// Takes up the session that was renewed during a break; what was prepared under the former one is prepared anew.
    mutating func adoptRenewedSession(now: Int64, actions: inout [ViewerAction]) {
        guard let renewed = self.session.renewed.first, let streamID = renewed.streamID else { return }
        self.session.renewed = []
        self.adopt(renewed, streamID: streamID, now: now)
        self.prepareAnew(now: now, actions: &actions)
    }

    private mutating func adopt(_ answer: StreamSession, streamID: StreamID, now: Int64) {
        self.session.streamID = streamID
        self.session.adoptedAtTenth = self.tenthOfRun(now.later(by: Self.tenth - 1))
        self.session.endsAtSecond = answer.validUntil.map { self.secondOfRun($0) } ?? .max
        if answer.contentURL != nil { self.session.own.contentURL = answer.contentURL }
        // A URL of the session's own for each of thousands of viewers: kept only where it will be asked.
        self.session.metadataURL = self.plan.playback.pollsMetadata ? answer.metadataURL : nil
        self.session.verificationURL = self.plan.playback.sendsVerificationPings ? answer.mediaVerificationURL : nil
    }

    mutating func registrationFailed(_ status: Int?, now: Int64, actions: inout [ViewerAction]) {
        self.session.isRegistering = false
        let decision = RegistrationFailurePolicy.decide(
            status: status,
            attempt: Int(self.session.attempt),
            hasBackupHost: self.plan.adServers.count > 1
        )
        switch decision {
        case .giveUp:
            self.note(.registrationFailed, &actions)
        case .retry(let host, let delay):
            let server = host == .backup ? min(1, self.plan.adServers.count - 1) : 0
            self.note(server == self.registrationServer ? .registrationRetried : .registrationFailedOver, &actions)
            self.session.server = Int16(server)
            actions.append(.schedule(.registrationRetry, at: now &+ delay.nanosecondsHeld))
        }
    }

    /// The target says that this viewer's session is over: the viewer asks for another, and for the channel anew.
    ///
    /// What the target says again while that goes on is not heard: each of a viewer's loops is told.
    mutating func sessionEnded(now: Int64, actions: inout [ViewerAction]) {
        let patience: Int64 = 10_000_000_000
        guard self.session.own.endedAt == .min || now &- self.session.own.endedAt >= patience else { return }
        self.session.own.endedAt = now
        self.leaveContent(&actions)
        guard self.plan.adapter.hasSession else {
            self.note(.registrationRenewed, &actions)
            self.askForContent(plannedAt: now, actions: &actions)
            return
        }
        self.session.own.contentURL = nil
        self.register(plannedAt: now, actions: &actions)
    }

    mutating func pollMetadata(plannedAt: Int64, actions: inout [ViewerAction]) {
        guard let url = self.session.metadataURL else { return }
        if self.adBreak.phase == .playing { self.adBreak.course.tracking.isAskedSinceStart = true }
        self.fetch(.metadata, url: url, plannedAt: plannedAt, actions: &actions)
        actions.append(.schedule(.metadata, at: plannedAt &+ self.session.pollingFrequency))
    }

    /// Rounded down.
    private func tenthOfRun(_ instant: Int64) -> Int32 {
        Int32(clamping: instant.later(by: -self.plan.timebase.monotonicStart) / Self.tenth)
    }

    private func instant(ofTenth tenth: Int32) -> Int64 {
        self.plan.timebase.monotonicStart.later(by: Int64(tenth) * Self.tenth)
    }

    /// Nanoseconds.
    private static let tenth: Int64 = 100_000_000
    /// Nanoseconds after an answer that says it is all but over.
    private static let shortestRenewal: Int64 = 900_000_000

    /// Rounded down.
    private func secondOfRun(_ instant: WallTime) -> Int32 {
        let since = instant.microseconds.subtractingReportingOverflow(self.plan.timebase.wallStart.microseconds)
        guard !since.overflow else { return instant < self.plan.timebase.wallStart ? .min : .max }
        return Int32(clamping: since.partialValue / 1_000_000)
    }

    /// Seconds by which the target's clock may be ahead of this one.
    private static let clockRoom: Int64 = 2

    /// Whether an exchange was the session's from its beginning, and the session held to its end by its own words, with
    /// room for clocks that differ; false where it says nothing of when it ends.
    ///
    /// What was asked in the session before this one is answered as that one deserves.
    package func sessionHeld(from plannedAt: Int64, to doneAt: Int64) -> Bool {
        guard
            self.session.streamID != nil, self.session.endsAtSecond != .max,
            self.tenthOfRun(plannedAt) >= self.session.adoptedAtTenth
        else { return false }
        let second = self.plan.timebase.wall(doneAt).duration(since: self.plan.timebase.wallStart).components.seconds
        return second &+ Self.clockRoom < Int64(self.session.endsAtSecond)
    }
}
