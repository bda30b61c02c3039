import AdServing
import Profile
import Rules
package import Values

/// A viewer's stream session with the ad server.
package struct SessionPart: Sendable {
    private struct Held: Sendable {
        let streamID: StreamID
        /// Nil without polling.
        var metadataURL: String?
        /// Base URL of media verification pings; nil if none are sent.
        var verificationURL: String?
        /// Tenths of a second from the run's start to the adoption, rounded up.
        var adoptedAtTenth: Int32 = 0
        /// Second of the run; nil if the session states no end.
        var endsAtSecond: Int32?
    }

    /// `none` becomes `held`; `held` becomes `renewed` during a break, or `held` with another session; `renewed` becomes `held`
    /// at the break's end.
    private enum Session: Sendable {
        /// Until registered, and forever if registration was refused: every break is then skipped.
        case none
        case held(Held)
        /// The new session is adopted at the end of the break that is in progress under the old one.
        indirect case renewed(Held, by: StreamSession, StreamID)
    }

    private enum Updates: UInt8, Sendable {
        case none
        case open
        case answered
    }

    private var session = Session.none
    // Small fields first: they fill the session's last word, and each of thousands of viewers has one.
    private var isRegistering = false
    private var hasGivenUp = false
    private var updates = Updates.none
    private var pollingMilliseconds: Int32 = 10_000
    /// Tenths of a second from the run's start to the open registration request, rounded down.
    private var askedAtTenth: Int32 = 0
    /// Index into the plan's ad servers.
    private var serverIndex: Int16 = 0
    private var attempt: Int16 = 0
    private var own = OptionalBox<OwnSession>()

    package var server: Int { Int(serverIndex) }

    package var hasUpdated: Bool { updates != .none }

    private var held: Held? {
        switch session {
        case .none: nil
        case .held(let held), .renewed(let held, by: _, _): held
        }
    }

    var streamID: StreamID? { held?.streamID }

    var metadataURL: String? { held?.metadataURL }

    var verificationURL: String? { held?.verificationURL }

    /// Nil while the URL depends on a session that is not there yet.
    func contentURL(of number: Int, _ plan: ViewerPlan) -> String? {
        own.value?.contentURL ?? plan.contentURL(of: number, streamID: streamID)
    }

    mutating func register(turn: inout Turn) {
        guard !isRegistering else { return }
        let timebase = turn.plan.timebase
        // The request itself is made when it is sent.
        guard let url = turn.plan.sessionURL(of: turn.number, server: server) else {
            // A target without sessions identifies a viewer by the id that the viewer sends.
            session = .held(Held(streamID: StreamID(turn.plan.primaryID(of: turn.number))))
            return
        }
        isRegistering = true
        askedAtTenth = timebase.tenthOfRun(turn.now)
        attempt &+= 1
        if attempt > 1 { turn.count(.retries) }
        turn.fetch(.registration, url: url, plannedAt: turn.now)
    }

    /// Returns whether the viewer must request its channel at the URL that the session gives; nil without a stream id.
    ///
    /// `keepsOld` is true during a break: a pod and its pings belong to one session, so a renewed one waits.
    mutating func registered(_ answer: StreamSession, keepsOld: Bool, hasContent: Bool, turn: inout Turn) -> Bool? {
        isRegistering = false
        attempt = 0
        guard let newID = answer.streamID else {
            turn.count(.registrationFailed)
            let observed = answer.unreadable?.observation ?? "a successful answer without one"
            turn.found(.registrationWithoutStreamID, expected: "a stream_id", observed: observed)
            return nil
        }
        let timebase = turn.plan.timebase
        var answer = answer
        // A server that was slow to answer may count from the request.
        let askedAt = timebase.instant(ofTenth: askedAtTenth)
        answer.validUntil = answer.expiry(registeredAt: timebase.wall(at: askedAt))
        let old = held
        let isRenewal = old != nil
        turn.count(isRenewal ? .registrationRenewed : .registered)
        if let old, keepsOld {
            session = .renewed(old, by: answer, newID)
        } else {
            adopt(answer, streamID: newID, turn)
        }
        if let frequency = answer.pollingFrequency { pollingFrequency = frequency.nanosecondsHeld }
        if turn.plan.pollsMetadata, answer.metadataURL != nil, !isRenewal || own.value?.hasEnded == true {
            let wait = turn.plan.tracksAvails ? Self.firstTracking : pollingFrequency
            turn.schedule(.metadata, at: turn.now &+ wait)
        }
        if !isRenewal { scheduleUpdate(turn: &turn) }
        if let end = answer.validUntil {
            let validity = timebase.instant(of: end).nanoseconds(since: askedAt)
            let renewal = askedAt.later(by: validity / 10 * 9)
            turn.schedule(.renewal, at: max(renewal, turn.now.later(by: Self.shortestRenewal)))
        }
        // A channel that was left because its session ended is requested again, whether the session or the plan gives its URL.
        let isOwed = turn.plan.contentNeedsSession || own.value?.hasEnded == true
        guard isOwed, !hasContent else { return false }
        own[default: OwnSession()].contentURL = answer.contentURL
        return true
    }

    /// False without a renewed session.
    mutating func adoptRenewed(turn: inout Turn) -> Bool {
        guard case .renewed(_, by: let answer, let newID) = session else { return false }
        adopt(answer, streamID: newID, turn)
        return true
    }

    private mutating func adopt(_ answer: StreamSession, streamID: StreamID, _ turn: Turn) {
        let plan = turn.plan
        // Each of thousands of viewers has URLs of its own session, so only URLs that will be used are kept.
        session = .held(
            Held(
                streamID: streamID,
                metadataURL: plan.pollsMetadata ? answer.metadataURL : nil,
                verificationURL: plan.playback.sendsVerificationPings ? answer.mediaVerificationURL : nil,
                adoptedAtTenth: plan.timebase.tenthOfRun(turn.now.later(by: Timebase.tenth - 1)),
                endsAtSecond: answer.validUntil.flatMap { plan.timebase.secondOfRun($0) }
            )
        )
        if answer.contentURL != nil { own[default: OwnSession()].contentURL = answer.contentURL }
        if plan.session.updates?.concern(viewer: turn.number, seed: plan.seed) == true {
            own[default: OwnSession()].updateURL = answer.sessionUpdateURL
        }
    }

    /// `status` is nil without any answer.
    ///
    /// `retryAfter`: seconds in which the server wants no other attempt; nil where the viewer does not mind them.
    mutating func registrationFailed(_ status: Int?, retryAfter: Int32?, turn: inout Turn) {
        isRegistering = false
        let servers = turn.plan.adServers.count
        let (attempt, hasBackup) = (Int(attempt), servers > 1)
        guard let retry = RegistrationFailurePolicy.retry(status: status, attempt: attempt, hasBackupHost: hasBackup)
        else {
            hasGivenUp = true
            turn.count(.registrationFailed)
            return turn.found(.registrationFailed, expected: "a session", observed: "")
        }
        let next = retry.atBackup ? min(1, servers - 1) : 0
        turn.count(next == server ? .registrationRetried : .registrationFailedOver)
        let isOther = next != server
        serverIndex = Int16(next)
        var wait = retry.wait.nanosecondsHeld
        // Another server has not asked for it.
        if let retryAfter, !isOther, Int64(retryAfter) &* 1_000_000_000 > wait {
            wait = Int64(retryAfter) &* 1_000_000_000
            turn.count(.retryAfterWaits)
        }
        turn.schedule(.registrationRetry, at: turn.now.later(by: wait))
    }

    /// Notes a registration that never succeeded.
    func left(turn: inout Turn) {
        guard streamID == nil || isRegistering, attempt > 0, !hasGivenUp else { return }
        let waited = turn.now &- turn.plan.timebase.instant(ofTenth: askedAtTenth)
        guard !isRegistering || attempt > 1 || waited >= turn.plan.joiningNanoseconds else { return }
        let observed = isRegistering ? "no answer in \(waited / 1_000_000_000) s" : ""
        turn.found(.registrationFailed, expected: "a session", observed: observed)
    }

    /// Returns whether the reported end counts, so that the channel must be left.
    ///
    /// Reports while another session is requested are ignored, since each of a viewer's loops gets one.
    mutating func ended(now: Instant) -> Bool { own[default: OwnSession()].ended(now: now) }

    mutating func registerAnew(turn: inout Turn) {
        _ = own.change { ($0.contentURL, $0.updateURL, $0.programmeStart, $0.page) = (nil, nil, nil, nil) }
        turn.cancel(.metadata)
        register(turn: &turn)
    }

    private func scheduleUpdate(turn: inout Turn) {
        let (number, seed) = (turn.number, turn.plan.seed)
        guard let updates = turn.plan.session.updates, updates.concern(viewer: number, seed: seed) else { return }
        turn.schedule(.sessionUpdate, at: turn.now.later(by: updates.wait(&turn.chance)))
    }

    /// No update is sent while a new session is being registered with the previous values.
    mutating func update(turn: inout Turn) {
        scheduleUpdate(turn: &turn)
        let isRenewed = if case .renewed = session { true } else { false }
        guard !isRegistering, updates != .open, !isRenewed else { return turn.count(.sessionUpdatesOverlapped) }
        guard let url = own.value?.updateURL else { return turn.count(.sessionUpdatesWithoutURL) }
        updates = .open
        turn.fetch(.sessionUpdate, url: url, plannedAt: turn.now)
    }

    /// The session continues even after a failure.
    mutating func updateAnswered() { updates = .answered }

    /// Nanoseconds, clamped to one second to one day.
    private var pollingFrequency: Int64 {
        get { Int64(pollingMilliseconds) * 1_000_000 }
        set { pollingMilliseconds = Int32(clamping: min(max(newValue / 1_000_000, 1_000), 86_400_000)) }
    }

    /// `period`, in nanoseconds, replaces the session's own frequency; returns whether metadata was requested.
    mutating func pollMetadata(every period: Int64?, turn: inout Turn) -> Bool {
        guard let metadataURL else { return false }
        if let period { pollingFrequency = period }
        turn.fetch(.metadata, url: metadataURL, plannedAt: turn.now)
        turn.schedule(.metadata, at: turn.now &+ pollingFrequency)
        return true
    }

    /// Zero of MediaTailor's times: the first segment of the session's first playlist.
    var programmeStart: WallTime? { own.value?.programmeStart }

    mutating func programmeBegan(at date: WallTime?) {
        if programmeStart == nil { own[default: OwnSession()].programmeStart = date }
    }

    /// Token of the page of avails to ask for next; nil asks for all of the window.
    package internal(set) var page: String? {
        get { own.value?.page }
        set { if newValue != page { own[default: OwnSession()].page = newValue } }
    }

    /// Whether an exchange lay within the validity that the session stated, with tolerance for clock skew.
    ///
    /// Exchanges of the previous session do not count; false if the session stated no validity.
    package func held(from plannedAt: Instant, to doneAt: Instant, _ timebase: Timebase) -> Bool {
        guard let held, let endsAt = held.endsAtSecond, timebase.tenthOfRun(plannedAt) >= held.adoptedAtTenth else {
            return false
        }
        let second = timebase.wall(at: doneAt).duration(since: timebase.wallStart).components.seconds
        return second &+ Self.clockRoom < Int64(endsAt)
    }

    /// Whether a ping went to this session; the one before a renewal may have expired.
    package func isPing(_ url: String) -> Bool { verificationURL.map { url.hasPrefix($0) } ?? true }

    /// Nanoseconds to the first request of a tracking URL, by podswarm's assumption; then each target duration has one.
    private static let firstTracking: Int64 = 1_000_000_000
    /// Nanoseconds, if the answer says that the session is about to end.
    private static let shortestRenewal: Int64 = 900_000_000
    /// Tolerated seconds by which the target's clock is ahead of this one.
    private static let clockRoom: Int64 = 2
}

/// Few viewers have a channel of their own, which only targets other than Google's give, or an update URL.
private struct OwnSession: Sendable {
    /// Nanoseconds in which a repeated session end is ignored.
    private static let patience: Int64 = 10_000_000_000

    /// Nil if the target's templates know the URL, or if none is known yet.
    var contentURL: String?
    var updateURL: String?
    var programmeStart: WallTime?
    var page: String?
    private var endedAt: Instant?

    var hasEnded: Bool { endedAt != nil }

    mutating func ended(now: Instant) -> Bool {
        if let endedAt, now &- endedAt < Self.patience { return false }
        endedAt = now
        return true
    }
}

// Small numbers, since each of thousands of viewers keeps some.
extension Timebase {
    fileprivate static let tenth: Int64 = 100_000_000

    /// Rounded down.
    fileprivate func tenthOfRun(_ instant: Instant) -> Int32 {
        Int32(clamping: instant.nanoseconds(since: start) / Self.tenth)
    }

    fileprivate func instant(ofTenth tenth: Int32) -> Instant { start.later(by: Int64(tenth) * Self.tenth) }

    /// Rounded down; nil for an instant that no run reaches.
    fileprivate func secondOfRun(_ instant: WallTime) -> Int32? {
        let since = instant.microseconds.subtractingClamped(wallStart.microseconds) / 1_000_000
        return since < Int64(Int32.max) ? Int32(clamping: since) : nil
    }
}
