import AdServing
import Profile
import Results
import Rules
import Transport
import Values
import Viewer

extension Examination {
    /// Called for answers without success, with a status of 202, after redirects, and with flaws.
    func checkAnswer() {
        checkFraming()
        checkRedirects()
        checkPermission()
        checkRefusal()
        checkPing()
        checkPlaylistAvailability()
        checkSegment()
        checkSteering()
    }

    func checkFraming() {
        guard !answer.flaws.isEmpty, answer.failure != .corsRefused else { return }
        found(FramingChecks.violations(of: answer.flaws) { answer.header($0) })
    }

    func checkRedirects() {
        guard answer.failure == nil || answer.failure == .redirectLimit else { return }
        let violations = RedirectChecks.violations(
            redirects: answer.redirects,
            endedByLimit: answer.failure == .redirectLimit,
            leftHost: answer.leftHost,
            // Segments are redirected to the media host by design (live pod serving API, "segment"); first requests are, where
            // a CDN, region or session is chosen.
            mayLeaveHost: role.asksForMedia || role.isFirst,
            status: answer.status,
            reason: answer.failure == nil ? "" : context.missedCookies(answer)
        )
        found(violations)
    }

    /// Answers that a browser keeps from its page.
    func checkPermission() {
        guard answer.failure == .corsRefused else { return }
        let refusal = context.pages?.refusal(of: answer, to: role, persona: viewer.facts.personaIndex)
        if let refusal { found([refusal]) }
    }

    /// Advises of a player in a browser that may get nothing, where the profile does not say on which page it is.
    func adviseOnPermission() {
        guard context.pages?.isFirstWithoutPermission(answer, to: role, persona: viewer.facts.personaIndex) == true
        else { return }
        found(
            .corsHeaderMissing,
            expected: "Access-Control-Allow-Origin, for a player in a browser",
            observed: "no Access-Control-Allow-Origin to a request without Origin"
        )
    }
}

extension ViewerRole {
    fileprivate var asksForMedia: Bool { self == .segment || self == .podSegment || self == .part }

    /// URLs from the profile, which open a session and the channel.
    fileprivate var isFirst: Bool { self == .registration || self == .multivariant }
}

extension Examination {
    func checkRefusal() {
        guard answer.failure == nil, role != .verification, role != .beacon else { return }
        let status = answer.status
        if role.traits.contains(.isPersonal), status == 401 || status == 403 {
            let observed = "status \(status)\(context.missedCookies(answer))"
            return found(.accessRefused, expected: "an answer to a viewer with a session", observed: observed)
        }
        let timebase = context.plan.timebase
        guard saysSessionIsOver, viewer.facts.session.held(from: answer.plannedAt, to: answer.doneAt, timebase)
        else { return }
        let expected = "an answer, for the session is valid by its registration"
        found(.sessionExpired, expected: expected, observed: "status \(status)")
    }

    /// A pod with status 404 may not exist yet; metadata is addressed only by the session.
    private var saysSessionIsOver: Bool {
        let status = answer.status
        return switch role {
        case .metadata: status == 410 || status == 404 || status == 400
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist: status == 410
        default: endsSession
        }
    }

    func checkPing() {
        guard role == .verification || role == .beacon else { return }
        guard context.plan.impressions.addresses.isEmpty else { return }
        let isVerified = role == .verification
        if let failure = answer.failure {
            guard !isOwnFailure else { return }
            found(.pingLost, expected: "an answer to a tracking ping", observed: failure.code)
            return
        }
        let status = answer.status
        let code: FindingCode
        switch status {
        case 202 where isVerified: code = .verificationDeferred
        // Ids of an expired session may be unknown.
        case 404 where isVerified && viewer.facts.session.isPing(answer.url):
            guard provesIDWhole else {
                context.recorder.count(.pingsOfPrefixes, by: 1)
                return
            }
            code = .verificationNotFound
        // An equal ping, or perhaps beacon, came before, so nothing is lost.
        case 409: return
        case 404 where isVerified, 410 where isVerified: return
        // Pings are not retried.
        case 400...: code = .pingLost
        default: return
        }
        found(
            code,
            expected: isVerified ? "204 to a media id that \(pingedIDSource)" : "success to a tracking ping",
            observed: "status \(status)\(code.code == FindingCode.verificationNotFound.code ? pingedIDOrigin : "")"
        )
    }

    private var pingedIDSource: String { viewer.facts.pingedListedID ? "metadata lists" : "the ad itself carries" }

    private var pingedIDOrigin: String {
        guard viewer.facts.pingedListedID else { return " to the id in the ad's own timed metadata" }
        let whoSaysSo = pingsWhatMayBePrefix ? "was recorded for another viewer" : "the profile calls whole"
        return " to what metadata lists, which \(whoSaysSo)"
    }

    /// Listed ids may be prefixes, unless the profile says that they are whole.
    var pingsWhatMayBePrefix: Bool { viewer.facts.pingedListedID && !context.plan.listsWholeMediaIDs }

    /// Only the target explains a 404 to a whole id.
    fileprivate var provesIDWhole: Bool { !pingsWhatMayBePrefix || context.recordedMediaIDs.has(answer.url) }

    /// Rejected directives and expired sessions or tokens are not failures of the playlist.
    func checkPlaylistAvailability() {
        guard role == .playlist || role == .blockingPlaylist, !answer.isSuccess, viewer.facts.isPresent,
            let rendition = viewer.facts.rendition(ofRequest: index), viewer.facts[rendition].versionBefore != nil,
            !endsSession, let problem = playlistProblem
        else { return }
        let namesOthers = rendition == .video && isDropped
        let violation = Violation(
            .playlistUnavailable,
            expected: "the playlist, as it was there before",
            observed: problem + (namesOthers ? ", and the multivariant playlist now names others" : ""),
            likely: namesOthers ? PlaylistWatch.renamed : nil
        )
        found([violation], breakSlot: playlistSlot)
    }

    /// Viewers with sessions may be given playlists of their own.
    private var isDropped: Bool {
        let plan = context.plan
        guard !plan.hasSession, !plan.contentNeedsSession, let channel = viewer.facts.multivariant
        else { return false }
        return checks.library.hasDropped(viewer.facts[.video].url, from: channel)
    }

    private var playlistProblem: String? {
        if isOwnDelay { return nil }
        switch answer.failure {
        case .localResources, .unauthorisedHost, .abandoned, .redirectLimit, .corsRefused: return nil
        case .some(let cause): return cause.isOfProxy ? nil : "no answer: \(cause)"
        case nil: break
        }
        switch answer.status {
        case 401, 403: return nil
        case 400 where role == .blockingPlaylist, 503 where role == .blockingPlaylist: return nil
        default: return "status \(answer.status)"
        }
    }

    /// Parts and preload hints may disappear at any time.
    ///
    /// An answer that comes after the segment left the playlist is the viewer's delay, not the target's.
    func checkSegment() {
        guard [.segment, .key].contains(role), !answer.isSuccess, viewer.facts.isPresent,
            let rendition = viewer.facts.rendition(ofRequest: index),
            viewer.facts.awaitsListedSegment(of: rendition, at: answer.doneAt),
            let problem = problem(where: { $0 >= 400 && !context.mayRefuseSession($0) })
        else { return }
        let expected = "a segment that is there while the playlist lists it"
        found(.segmentUnreachable, expected: expected, observed: problem, breakSlot: playlistSlot)
    }

    /// 410 and 429 are valid answers.
    func checkSteering() {
        guard role == .steering, !answer.isSuccess,
            let problem = problem(where: { $0 >= 400 && ![410, 429].contains($0) && !context.mayRefuseSession($0) })
        else { return }
        found(.steeringUnavailable, expected: SteeringChecks.expected, observed: problem, breakSlot: playlistSlot)
    }
}

extension AuditedViewer {
    func checkToken(in url: String, breakSlot: BreakSlot, at now: Instant) {
        let wall = context.plan.timebase.wall(at: now)
        for mistake in AuthTokenCheck.mistakes(in: url, at: wall) {
            let (code, expected, observed) = mistake.finding
            let slot = breakSlot == .outside ? self.breakSlot(nearTo: wall) : breakSlot
            let evidence = Evidence(url: redacted(url), expected: expected, observed: observed)
            found(code, evidence, breakSlot: slot, at: now)
        }
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
