import AdServing
import Audience
import LoadProfile
import Rulebook
import Time

/// A viewer's stream session with the ad server: registration, renewal, and where its metadata and pings go.
struct SessionPart: Sendable {
    /// What a registration that succeeded leads to.
    enum Registration {
        /// The answer has no stream id, and is as good as none.
        case refused
        /// There is a session, or the next one is kept for the end of a break. `asksForContent`: it says where the channel
        /// is that the viewer does not have.
        case taken(asksForContent: Bool)
    }

    /// nil until registered, and for good when registration was refused: every break is skipped.
    private(set) var streamID: StreamID?
    /// Where metadata is polled; nil where it is not.
    private(set) var metadataURL: String?
    /// Where media verification pings go; nil where none are sent.
    private(set) var verificationURL: String?
    private var pollingMilliseconds: Int32 = 10_000
    /// The second since the run's start until which the session holds by its own words; `.max` where it does not say.
    private var endsAtSecond = Int32.max
    /// Tenths of a second since the run's start when the registration that is under way was asked for, rounded down.
    private var askedAtTenth: Int32 = 0
    /// The same of when the session was taken up, rounded up.
    private var adoptedAtTenth: Int32 = 0
    /// Index into the plan's ad servers that the next registration goes to.
    private var serverIndex: Int16 = 0
    private var attempt: Int16 = 0
    private var isRegistering = false
    private var isUpdating = false
    private var hasGivenUp = false
    /// Whether the ad server was told anything else since the first registration.
    private(set) var hasUpdated = false
    /// The renewed session, taken up when the break that goes on under the old one is over.
    private var renewed = OptionalBox<StreamSession>()
    private var own = OptionalBox<OwnSession>()

    /// The ad server that registrations now go to, as an index into the plan's list.
    var server: Int { Int(serverIndex) }

    /// The URL of a viewer's channel; nil while it comes with a session that is not there yet.
    func contentURL(of number: Int, _ plan: ViewerPlan) -> String? {
        own.value?.contentURL ?? plan.contentURL(of: number, streamID: streamID)
    }

    // MARK: Registration

    /// Asks for a session, unless that is under way.
    mutating func register(turn: inout Turn) {
        guard !isRegistering else { return }
        let timebase = turn.plan.timebase
        let request = turn.plan.sessionRequest(of: turn.number, server: server, now: timebase.wall(at: turn.now))
        guard let request else {
            // Where the target knows no sessions, a viewer is who it says it is.
            streamID = StreamID(turn.plan.primaryID(of: turn.number))
            return
        }
        isRegistering = true
        askedAtTenth = timebase.tenthOfRun(turn.now)
        attempt &+= 1
        if attempt > 1 { turn.count(.retries) }
        turn.fetch(.registration, url: request.url, plannedAt: turn.now)
    }

    /// The ad server's answer.
    ///
    /// - Parameters:
    ///   - answer: What it says, with or without a stream id.
    ///   - keepsOld: True while a break goes on: a pod and its pings belong to one session, so that a renewed one waits.
    ///   - hasContent: Whether the viewer knows its channel.
    ///   - turn: Gets the next poll of metadata and the renewal.
    /// - Returns: What follows for the other parts.
    mutating func registered(
        _ answer: StreamSession,
        keepsOld: Bool,
        hasContent: Bool,
        turn: inout Turn
    ) -> Registration {
        isRegistering = false
        attempt = 0
        guard let newID = answer.streamID else {
            turn.count(.registrationFailed)
            let observed = answer.unreadable?.observation ?? "a successful answer without one"
            turn.note(.finding(.registrationWithoutStreamID, expected: "a stream_id", observed: observed))
            return .refused
        }
        let timebase = turn.plan.timebase
        var answer = answer
        // A server that was slow to answer may count from when it was asked.
        let askedAt = timebase.instant(ofTenth: askedAtTenth)
        answer.validUntil = answer.expiry(registeredAt: timebase.wall(at: askedAt))
        let isRenewal = streamID != nil
        turn.count(isRenewal ? .registrationRenewed : .registered)
        if isRenewal, keepsOld {
            renewed.value = answer
        } else {
            adopt(answer, streamID: newID, turn)
        }
        if let frequency = answer.pollingFrequency {
            pollingFrequency = frequency.nanosecondsHeld
        }
        if turn.plan.playback.pollsMetadata, answer.metadataURL != nil, !isRenewal {
            turn.schedule(.metadata, at: turn.now &+ pollingFrequency)
        }
        if !isRenewal { scheduleUpdate(turn: &turn) }
        if let end = answer.validUntil {
            let validity = timebase.instant(of: end).nanoseconds(since: askedAt)
            let renewal = askedAt.later(by: validity / 10 * 9)
            turn.schedule(.renewal, at: max(renewal, turn.now.later(by: Self.shortestRenewal)))
        }
        // A channel that was left because its session ended is asked for again, whoever says where it is.
        let isOwed = turn.plan.adapter.contentNeedsSession || own.value?.hasEnded == true
        guard isOwed, !hasContent else { return .taken(asksForContent: false) }
        own[default: OwnSession()].contentURL = answer.contentURL
        return .taken(asksForContent: true)
    }

    /// Takes up the session that was renewed during a break.
    ///
    /// - Returns: Whether there was one.
    mutating func adoptRenewed(turn: inout Turn) -> Bool {
        guard let answer = renewed.value, let newID = answer.streamID else { return false }
        renewed.value = nil
        adopt(answer, streamID: newID, turn)
        return true
    }

    private mutating func adopt(_ answer: StreamSession, streamID: StreamID, _ turn: Turn) {
        let plan = turn.plan
        self.streamID = streamID
        adoptedAtTenth = plan.timebase.tenthOfRun(turn.now.later(by: Timebase.tenth - 1))
        endsAtSecond = answer.validUntil.map { plan.timebase.secondOfRun($0) } ?? .max
        if answer.contentURL != nil { own[default: OwnSession()].contentURL = answer.contentURL }
        // A URL of the session's own for each of thousands of viewers: kept only where it will be asked.
        metadataURL = plan.playback.pollsMetadata ? answer.metadataURL : nil
        verificationURL = plan.playback.sendsVerificationPings ? answer.mediaVerificationURL : nil
        if plan.updates?.concern(viewer: turn.number) == true {
            own[default: OwnSession()].updateURL = answer.sessionUpdateURL
        }
    }

    /// No usable answer came to a registration; the status is nil where none came at all.
    mutating func registrationFailed(_ status: Int?, turn: inout Turn) {
        isRegistering = false
        let servers = turn.plan.adServers.count
        let decision = RegistrationFailurePolicy.decide(
            status: status,
            attempt: Int(attempt),
            hasBackupHost: servers > 1
        )
        switch decision {
        case .giveUp:
            hasGivenUp = true
            turn.count(.registrationFailed)
            turn.note(.finding(.registrationFailed, expected: "a session", observed: ""))
        case .retry(let host, let delay):
            let next = host == .backup ? min(1, servers - 1) : 0
            turn.count(next == server ? .registrationRetried : .registrationFailedOver)
            serverIndex = Int16(next)
            turn.schedule(.registrationRetry, at: turn.now &+ delay.nanosecondsHeld)
        }
    }

    /// The viewer leaves: a registration that never came to anything is a finding.
    func left(turn: inout Turn) {
        guard streamID == nil || isRegistering, attempt > 0, !hasGivenUp else { return }
        let waited = turn.now &- turn.plan.timebase.instant(ofTenth: askedAtTenth)
        guard isRegistering else {
            return turn.note(.finding(.registrationFailed, expected: "a session", observed: ""))
        }
        guard attempt > 1 || waited >= turn.plan.joiningNanoseconds else { return }
        let observed = "no answer in \(waited / 1_000_000_000) s"
        turn.note(.finding(.registrationFailed, expected: "a session", observed: observed))
    }

    /// The target says that this viewer's session is over.
    ///
    /// What it says again while another is asked for is not heard: each of a viewer's loops is told.
    ///
    /// - Returns: Whether it is heard: then the channel is to be left.
    mutating func ended(now: Instant) -> Bool {
        own[default: OwnSession()].ended(now: now)
    }

    /// Asks for another session, which may have another channel.
    mutating func registerAnew(turn: inout Turn) {
        own[default: OwnSession()].contentURL = nil
        own[default: OwnSession()].updateURL = nil
        register(turn: &turn)
    }

    // MARK: Updates

    private func scheduleUpdate(turn: inout Turn) {
        guard let updates = turn.plan.updates, updates.concern(viewer: turn.number) else { return }
        turn.schedule(.sessionUpdate, at: turn.now.later(by: updates.wait(&turn.chance)))
    }

    /// Tells the ad server something else of the viewer, and sets the timer for the next time.
    ///
    /// Not while the session is about to be another one, which was registered with what was told before.
    mutating func update(turn: inout Turn) {
        scheduleUpdate(turn: &turn)
        guard !isRegistering, !isUpdating, renewed.isEmpty else { return turn.count(.sessionUpdatesOverlapped) }
        guard let url = own.value?.updateURL else { return turn.count(.sessionUpdatesWithoutURL) }
        isUpdating = true
        hasUpdated = true
        turn.fetch(.sessionUpdate, url: url, plannedAt: turn.now)
    }

    /// An update was answered, or failed: either way the session goes on.
    mutating func updateAnswered() { isUpdating = false }

    // MARK: Metadata

    /// Nanoseconds between two polls of metadata, from a second to a day.
    private var pollingFrequency: Int64 {
        get { Int64(pollingMilliseconds) * 1_000_000 }
        set { pollingMilliseconds = Int32(clamping: min(max(newValue / 1_000_000, 1_000), 86_400_000)) }
    }

    /// Asks for the session's metadata, and sets the timer for the next time.
    ///
    /// - Returns: Whether it was asked for.
    mutating func pollMetadata(turn: inout Turn) -> Bool {
        guard let metadataURL else { return false }
        turn.fetch(.metadata, url: metadataURL, plannedAt: turn.now)
        turn.schedule(.metadata, at: turn.now &+ pollingFrequency)
        return true
    }

    // MARK: Facts

    /// Whether an exchange was the session's from its beginning, and the session held to its end by its own words, with
    /// room for clocks that differ; false where it says nothing of when it ends.
    ///
    /// What was asked in the session before this one is answered as that one deserves.
    func held(from plannedAt: Instant, to doneAt: Instant, _ timebase: Timebase) -> Bool {
        guard streamID != nil, endsAtSecond != .max, timebase.tenthOfRun(plannedAt) >= adoptedAtTenth else {
            return false
        }
        let second = timebase.wall(at: doneAt).duration(since: timebase.wallStart).components.seconds
        return second &+ Self.clockRoom < Int64(endsAtSecond)
    }

    /// Whether a ping went to this session: one that was renewed since may have run out.
    func isPing(_ url: String) -> Bool { verificationURL.map { url.hasPrefix($0) } ?? true }

    /// Nanoseconds after an answer that says it is all but over.
    private static let shortestRenewal: Int64 = 900_000_000
    /// Seconds by which the target's clock may be ahead of this one.
    private static let clockRoom: Int64 = 2
}

/// What few viewers' sessions have: a channel of their own, as targets other than Google's give them, or an address at
/// which they are updated.
private struct OwnSession: Sendable {
    /// Nanoseconds in which the end of a session is not heard again.
    private static let patience: Int64 = 10_000_000_000

    /// Nil where the target's adapter says it, or nobody yet.
    var contentURL: String?
    /// Nil where the viewer updates no session, or the registration named none.
    var updateURL: String?
    /// When the target last said that the session is over; the distant past: never.
    private var endedAt = Instant.distantPast

    var hasEnded: Bool { endedAt != .distantPast }

    mutating func ended(now: Instant) -> Bool {
        guard endedAt == .distantPast || now &- endedAt >= Self.patience else { return false }
        endedAt = now
        return true
    }
}

// Moments of a run as small numbers, of which thousands of viewers each keep some.
extension Timebase {
    /// Nanoseconds.
    fileprivate static let tenth: Int64 = 100_000_000

    /// Tenths of a second since the run's start, rounded down.
    fileprivate func tenthOfRun(_ instant: Instant) -> Int32 {
        Int32(clamping: instant.nanoseconds(since: start) / Self.tenth)
    }

    fileprivate func instant(ofTenth tenth: Int32) -> Instant {
        start.later(by: Int64(tenth) * Self.tenth)
    }

    /// Seconds since the run's start, rounded down.
    fileprivate func secondOfRun(_ instant: WallTime) -> Int32 {
        let since = instant.microseconds.subtractingReportingOverflow(wallStart.microseconds)
        guard !since.overflow else { return instant < wallStart ? .min : .max }
        return Int32(clamping: since.partialValue / 1_000_000)
    }
}
