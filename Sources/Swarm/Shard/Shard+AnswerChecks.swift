import AdServing
import EventLoop
import HLS
import LoadProfile
import Measurement
import Transport

// How an answer came: over how many redirects, from whom, and with which refusal.
extension Shard {
    /// More than one to the session's place and one to the media is a chain.
    private static let ordinaryRedirects = 2

    /// Looks at everything about an answer but its body; an ordinary one costs a few comparisons.
    ///
    /// `breakSlot` is of the break that the request belongs to; nil for one that belongs to none, whose findings are booked
    /// under the break that is near.
    func checkAnswer(
        _ role: ViewerRole,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot,
        breakSlot: Int32?
    ) {
        let isOrdinary = result.failure == nil && (200..<300).contains(result.status) && result.status != 202
        guard !isOrdinary || result.redirects > 0 else { return }
        let now = self.plan.timebase.wall(result.doneAt)
        let slot = breakSlot ?? self.breakSlot(nearTo: now, isOfBreak: role == .verification, viewer)
        self.checkRedirects(role, result, viewer, breakSlot: slot)
        guard !isOrdinary else { return }
        switch role {
        case .verification, .beacon: self.checkPing(role, result, viewer, breakSlot: slot)
        default: self.checkRefusal(role, result, viewer, breakSlot: slot)
        }
    }

    /// The measurement's place for the one of the viewer's own breaks whose start is nearest, if an instant lies from three
    /// target durations before one of them to three after its end; otherwise -1.
    ///
    /// What `isOfBreak` always is of one: a playhead may be as far behind as it likes.
    private func breakSlot(nearTo now: WallTime, isOfBreak: Bool = false, _ viewer: ViewerSlot) -> Int32 {
        let room = Duration.seconds(viewer.machine.latest(of: .video)?.playlist.targetDurationSeconds ?? 6) * 3
        let own = viewer.planned.map { FormerBreak(planned: $0, slot: viewer.breakSlot) }
        let known = [own, viewer.formerBreak].compactMap(\.self)
        let isNear =
            isOfBreak
            || known.contains { known in
                let scheduled = known.planned.scheduled
                return scheduled.start - room <= now && now <= scheduled.start + scheduled.duration + room
            }
        guard isNear else { return -1 }
        return known.min { now.distance(to: $0) < now.distance(to: $1) }?.slot ?? -1
    }

    // MARK: Redirects

    private func checkRedirects(
        _ role: ViewerRole,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot,
        breakSlot: Int32
    ) {
        guard result.redirects > 0 || result.failure == .redirectLimit else { return }
        let url = result.effectiveURL
        let hops = result.redirects
        if result.failure == .redirectLimit {
            self.found(
                .redirectLoop,
                url: url,
                expected: "an answer within \(hops) redirects",
                observed: "\(hops) redirects, and status \(result.status) to yet another place",
                viewer,
                breakSlot: breakSlot
            )
            return
        }
        guard result.failure == nil else { return }
        if hops > Self.ordinaryRedirects {
            self.found(
                .redirectChain,
                url: url,
                expected: "at most \(Self.ordinaryRedirects) redirects before an answer",
                observed: "\(hops) redirects",
                viewer,
                breakSlot: breakSlot
            )
        }
        // Segments are sent on to the host of the media by design (live pod serving API, "segment").
        guard result.leftHost, !role.asksForMedia else { return }
        self.found(
            .redirectToOtherHost,
            url: url,
            expected: "an answer of the host that was asked",
            observed: "an answer after a redirect to another host",
            viewer,
            breakSlot: breakSlot
        )
    }

    // MARK: Refusals

    private func checkRefusal(
        _ role: ViewerRole,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot,
        breakSlot: Int32
    ) {
        guard result.failure == nil else { return }
        switch result.status {
        case 401 where role.isPersonal, 403 where role.isPersonal:
            self.found(
                .accessRefused,
                url: result.effectiveURL,
                expected: "an answer to a viewer with a session",
                observed: "status \(result.status)",
                viewer,
                breakSlot: breakSlot
            )
        default:
            guard self.saysSessionIsOver(role, result),
                viewer.machine.sessionHeld(from: result.plannedAt, to: result.doneAt)
            else { return }
            self.found(
                .sessionExpired,
                url: result.effectiveURL,
                expected: "an answer, for the session is valid by its registration",
                observed: "status \(result.status)",
                viewer,
                breakSlot: breakSlot
            )
        }
    }

    /// Whether an answer can only mean that the session is not known any more.
    ///
    /// A pod that is not found may be one that is not there yet; metadata is addressed by nothing but the session.
    private func saysSessionIsOver(_ role: ViewerRole, _ result: borrowing TransferResult) -> Bool {
        switch role {
        case .metadata: result.status == 410 || result.status == 404 || result.status == 400
        case .podManifest, .podRepeat, .podPlaylist: result.status == 410
        default: self.sessionsEnd && self.endsSession(role, result)
        }
    }

    // MARK: Pings

    private func checkPing(
        _ role: ViewerRole,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot,
        breakSlot: Int32
    ) {
        let isVerified = role == .verification
        if let failure = result.failure {
            guard failure.isOfTarget, !self.isOwnDelay(failure, role, result, viewer) else { return }
            self.found(
                .pingLost,
                url: result.effectiveURL,
                expected: "an answer to a tracking ping",
                observed: TransportFailure(failure).code,
                viewer,
                breakSlot: breakSlot
            )
            return
        }
        let code: FindingCode
        switch result.status {
        case 202 where isVerified: code = .verificationDeferred
        // What a session knew that is over is not known any more.
        case 404 where isVerified && viewer.machine.isPingOfSession(result.effectiveURL): code = .verificationNotFound
        case 404 where isVerified, 410 where isVerified: return
        // A refusal loses the event like a server's error does: nobody sends a ping again.
        case 400...: code = .pingLost
        default: return
        }
        self.found(
            code,
            url: result.effectiveURL,
            expected: isVerified ? "204 to a media id that metadata names" : "success to a tracking ping",
            observed: "status \(result.status)",
            viewer,
            breakSlot: breakSlot
        )
    }

    /// Whether a request of which nothing came timed out so late that this machine stood still: the answer may have been
    /// there all the time.
    func isOwnDelay(
        _ failure: TransferFailure,
        _ role: ViewerRole,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) -> Bool {
        let limits = self.limits[viewer.machine.personaIndex, role]
        let connection = self.connection
        let began: Int64
        let limit: Int64
        switch failure {
        case .connectTimeout:
            began = result.plannedAt
            limit = limits.connectTimeout(otherwise: connection.connectTimeout.nanosecondsHeld)
        case .firstByteTimeout:
            began = result.sentAt
            limit = limits.firstByteTimeout(otherwise: connection.firstByteTimeout.nanosecondsHeld)
        case .totalTimeout:
            began = result.plannedAt
            limit = limits.totalTimeout(otherwise: connection.totalTimeout.nanosecondsHeld)
        default: return false
        }
        return result.doneAt &- began > limit.later(by: self.lateAfterNanoseconds)
    }

    /// Looks for events that an asset list has a player report twice.
    func checkPings(in list: AssetList, url: String, _ viewer: ViewerSlot, breakSlot: Int32) {
        let signaling = [list.signaling] + list.assets.map(\.signaling)
        guard let event = signaling.lazy.compactMap({ $0?.doubledEvent }).first else { return }
        self.found(
            .pingDoubled,
            url: url,
            expected: DoubledPing.expected,
            observed: DoubledPing.observed(event),
            viewer,
            breakSlot: breakSlot
        )
    }

    // MARK: Tokens

    /// Looks at the token of an address that the target handed out and that is asked for now.
    ///
    /// `serial` is of the interstitial that it belongs to; nil for the viewer's own break.
    func checkToken(of url: String, _ role: ViewerRole, serial: UInt16? = nil, _ viewer: ViewerSlot) {
        guard role.comesFromTarget else { return }
        let now = self.plan.timebase.wall(MonotonicClock.now())
        let mistakes = AuthTokenCheck.mistakes(in: url, at: now)
        guard !mistakes.isEmpty else { return }
        let slot: Int32
        if let serial {
            slot = viewer.machine.subject(ofSerial: serial).map { self.slot(of: $0.planned) } ?? -1
        } else {
            slot = role.belongsToBreak ? viewer.breakSlot : self.breakSlot(nearTo: now, viewer)
        }
        for mistake in mistakes {
            let (code, expected, observed) = mistake.finding
            self.found(code, url: url, expected: expected, observed: observed, viewer, breakSlot: slot)
        }
    }
}

extension ViewerRole {
    /// True for what a viewer is let in to as itself.
    fileprivate var isPersonal: Bool {
        switch self {
        case .multivariant, .playlist, .blockingPlaylist, .podManifest, .podRepeat, .podPlaylist, .metadata: true
        case .assetList, .assetManifest: true
        case .registration, .segment, .podSegment, .verification, .beacon, .part, .steering: false
        }
    }

    fileprivate var asksForMedia: Bool { self == .segment || self == .podSegment || self == .part }

    /// True for addresses that a target hands out with a break or session; a pod's own the viewer puts together.
    fileprivate var comesFromTarget: Bool {
        switch self {
        case .podPlaylist, .podSegment, .metadata, .verification, .assetList, .assetManifest, .beacon: true
        case .registration, .multivariant, .playlist, .blockingPlaylist, .segment, .part: false
        case .podManifest, .podRepeat, .steering: false
        }
    }
}

extension TransferFailure {
    /// False for what this machine, its limits or its user brought about.
    var isOfTarget: Bool {
        switch self {
        case .unauthorisedHost, .redirectLimit, .localResources, .abandoned: false
        default: true
        }
    }
}

extension FormerBreak {
    fileprivate var start: WallTime { self.planned.scheduled.start }
}

extension WallTime {
    fileprivate func distance(to other: FormerBreak) -> Duration {
        let since = self.duration(since: other.start)
        return since < .zero ? .zero - since : since
    }
}

extension AuthTokenMistake {
    fileprivate var finding: (FindingCode, expected: String, observed: String) {
        switch self {
        case .expired(let seconds):
            (
                .tokenExpired, "a token that holds when its address is asked for",
                "a token that ran out \(seconds) s before"
            )
        case .expiryInMilliseconds(let expiry):
            (.tokenExpiryInMilliseconds, "an exp in seconds since 1970", "exp=\(expiry)")
        case .anotherBreak(let token, let address):
            (.tokenOfAnotherBreak, "a token for \(address)", "a token for \(token)")
        }
    }
}
