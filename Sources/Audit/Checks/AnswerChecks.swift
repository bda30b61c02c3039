import AdServing
import Profile
import Results
import Rules
import Transport
import Values
import Viewer

struct FramingCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        let flaws = examination.answer.flaws
        guard !flaws.isEmpty, examination.answer.failure != .corsRefused else { return }
        let violations = FramingChecks.violations(
            of: flaws,
            contentLength: examination.answer.header("content-length"),
            contentEncoding: examination.answer.header("content-encoding"),
            transferEncoding: examination.answer.header("transfer-encoding")
        )
        examination.found(violations)
    }
}

struct RedirectCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        let answer = examination.answer
        guard answer.failure == nil || answer.failure == .redirectLimit else { return }
        let violations = RedirectChecks.violations(
            redirects: answer.redirects,
            endedByLimit: answer.failure == .redirectLimit,
            leftHost: answer.leftHost,
            // Segments are redirected to the media host by design (live pod serving API, "segment"); first requests are, where
            // a CDN, region or session is chosen.
            mayLeaveHost: examination.role.asksForMedia || examination.role.isFirst,
            status: answer.status,
            reason: answer.failure == nil ? "" : examination.context.missedCookies(answer)
        )
        examination.found(violations)
    }
}

/// Answers that a browser keeps from its page.
struct CrossOriginCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        guard examination.answer.failure == .corsRefused else { return }
        let refusal = examination.context.pages?.refusal(
            of: examination.answer,
            to: examination.role,
            persona: examination.viewer.facts.personaIndex
        )
        if let refusal { examination.found([refusal]) }
    }
}

extension Examination {
    /// Advises of a player in a browser that may get nothing, where the profile does not say on which page it is.
    func adviseOnPermission() {
        guard
            context.pages?.isFirstWithoutPermission(answer, to: role, persona: viewer.facts.personaIndex) == true
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

struct RefusalCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        let role = examination.role
        guard examination.answer.failure == nil, role != .verification, role != .beacon else { return }
        let status = examination.answer.status
        switch status {
        case 401 where role.isPersonal, 403 where role.isPersonal:
            examination.found(
                .accessRefused,
                expected: "an answer to a viewer with a session",
                observed: "status \(status)\(examination.context.missedCookies(examination.answer))"
            )
        default:
            guard Self.saysSessionIsOver(examination),
                examination.viewer.facts.sessionHeld(from: examination.answer.plannedAt, to: examination.answer.doneAt)
            else { return }
            examination.found(
                .sessionExpired,
                expected: "an answer, for the session is valid by its registration",
                observed: "status \(status)"
            )
        }
    }

    /// A pod with status 404 may not exist yet; metadata is addressed only by the session.
    private static func saysSessionIsOver(_ examination: borrowing Examination) -> Bool {
        let status = examination.answer.status
        return switch examination.role {
        case .metadata: status == 410 || status == 404 || status == 400
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist: status == 410
        default: examination.endsSession
        }
    }
}

extension ViewerRole {
    fileprivate var isPersonal: Bool {
        switch self {
        case .multivariant, .playlist, .blockingPlaylist, .metadata: true
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist: true
        case .assetList, .assetManifest: true
        case .registration, .segment, .podSegment, .verification, .beacon, .part, .steering, .sessionUpdate, .key:
            false
        }
    }
}

struct PingCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        let role = examination.role
        guard role == .verification || role == .beacon else { return }
        guard examination.context.plan.impressions.addresses.isEmpty else { return }
        let isVerified = role == .verification
        if let failure = examination.answer.failure {
            guard !examination.isOwnFailure else { return }
            examination.found(.pingLost, expected: "an answer to a tracking ping", observed: failure.code)
            return
        }
        let status = examination.answer.status
        let code: FindingCode
        switch status {
        case 202 where isVerified: code = .verificationDeferred
        // Ids of an expired session may be unknown.
        case 404 where isVerified && examination.viewer.facts.isPingOfSession(examination.answer.url):
            guard examination.provesIDWhole else {
                examination.context.recorder.count(.pingsOfPrefixes, by: 1)
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
        examination.found(
            code,
            expected: isVerified
                ? "204 to a media id that \(Self.source(of: examination))" : "success to a tracking ping",
            observed: "status \(status)\(Self.origin(of: examination, code))"
        )
    }

    private static func source(of examination: borrowing Examination) -> String {
        examination.viewer.facts.pingedListedID ? "metadata lists" : "the ad itself carries"
    }

    private static func origin(of examination: borrowing Examination, _ code: FindingCode) -> String {
        guard code.code == FindingCode.verificationNotFound.code else { return "" }
        guard examination.viewer.facts.pingedListedID else { return " to the id in the ad's own timed metadata" }
        let whoSaysSo = examination.pingsWhatMayBePrefix ? "was recorded for another viewer" : "the profile calls whole"
        return " to what metadata lists, which \(whoSaysSo)"
    }
}

extension Examination {
    /// Listed ids may be prefixes, unless the profile says that they are whole.
    var pingsWhatMayBePrefix: Bool { viewer.facts.pingedListedID && !context.plan.listsWholeMediaIDs }

    /// Only the target explains a 404 to a whole id.
    fileprivate var provesIDWhole: Bool { !pingsWhatMayBePrefix || context.recordedMediaIDs.has(answer.url) }
}

/// Rejected directives and expired sessions or tokens are not failures of the playlist.
struct PlaylistAvailabilityCheck: AnswerCheck {
    let library: PlaylistLibrary

    func examine(_ examination: borrowing Examination) {
        let role = examination.role
        guard
            role == .playlist || role == .blockingPlaylist, !examination.answer.isSuccess,
            examination.viewer.facts.isPresent,
            let rendition = examination.viewer.facts.rendition(ofRequest: examination.index),
            examination.viewer.facts.version(before: rendition) != nil,
            !examination.endsSession,
            let problem = Self.problem(examination)
        else { return }
        let namesOthers = rendition == .video && isDropped(examination)
        let violation = Violation(
            .playlistUnavailable,
            expected: "the playlist, as it was there before",
            observed: problem + (namesOthers ? ", and the multivariant playlist now names others" : ""),
            likely: namesOthers ? PlaylistWatch.renamed : nil
        )
        examination.found([violation], breakSlot: examination.playlistSlot)
    }

    /// Viewers with sessions may be given playlists of their own.
    private func isDropped(_ examination: borrowing Examination) -> Bool {
        let plan = examination.context.plan
        guard !plan.adapter.hasSession, !plan.adapter.contentNeedsSession,
            let channel = examination.viewer.facts.multivariant
        else { return false }
        return library.hasDropped(examination.viewer.facts.url(of: .video), from: channel)
    }

    private static func problem(_ examination: borrowing Examination) -> String? {
        if examination.isOwnDelay { return nil }
        switch examination.answer.failure {
        case .localResources, .unauthorisedHost, .abandoned, .redirectLimit, .corsRefused: return nil
        case .some(let cause): return cause.isOfProxy ? nil : "no answer: \(cause)"
        case nil: break
        }
        switch examination.answer.status {
        case 401, 403: return nil
        case 400 where examination.role == .blockingPlaylist, 503 where examination.role == .blockingPlaylist:
            return nil
        default: return "status \(examination.answer.status)"
        }
    }
}

/// Parts and preload hints may disappear at any time.
///
/// An answer that comes after the segment left the playlist is the viewer's delay, not the target's.
struct SegmentCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        guard
            [.segment, .key].contains(examination.role), !examination.answer.isSuccess,
            examination.viewer.facts.isPresent,
            let rendition = examination.viewer.facts.rendition(ofRequest: examination.index),
            examination.viewer.facts.awaitsListedSegment(of: rendition, at: examination.answer.doneAt)
        else { return }
        let context = examination.context
        let problem = examination.problem { $0 >= 400 && !context.mayRefuseSession($0) }
        guard let problem else { return }
        examination.found(
            .segmentUnreachable,
            expected: "a segment that is there while the playlist lists it",
            observed: problem,
            breakSlot: examination.playlistSlot
        )
    }
}

/// 410 and 429 are valid answers.
struct SteeringCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        guard examination.role == .steering, !examination.answer.isSuccess else { return }
        let context = examination.context
        let problem = examination.problem {
            $0 >= 400 && ![410, 429].contains($0) && !context.mayRefuseSession($0)
        }
        guard let problem else { return }
        examination.found(
            .steeringUnavailable,
            expected: SteeringChecks.expected,
            observed: problem,
            breakSlot: examination.playlistSlot
        )
    }
}

enum TokenCheck {
    static func concerns(_ role: ViewerRole) -> Bool { role.comesFromTarget }

    static func examine(_ url: String, _ viewer: borrowing AuditedViewer, breakSlot: BreakSlot, at now: Instant) {
        let wall = viewer.context.plan.timebase.wall(at: now)
        for mistake in AuthTokenCheck.mistakes(in: url, at: wall) {
            let (code, expected, observed) = mistake.finding
            viewer.found(
                code,
                url: url,
                expected: expected,
                observed: observed,
                breakSlot: breakSlot == .outside ? viewer.breakSlot(nearTo: wall) : breakSlot,
                at: now
            )
        }
    }
}

extension ViewerRole {
    /// The viewer builds a pod's URL itself.
    fileprivate var comesFromTarget: Bool {
        switch self {
        case .podPlaylist, .podRepeatPlaylist, .podSegment, .metadata, .verification, .assetList, .assetManifest,
            .beacon, .sessionUpdate:
            true
        case .registration, .multivariant, .playlist, .blockingPlaylist, .segment, .part, .key: false
        case .podManifest, .podRepeat, .steering: false
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
