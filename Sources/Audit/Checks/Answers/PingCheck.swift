import Profile
import Recording
import Rules
import Transport
import Viewer

/// Tracking pings that are lost, deferred, or for unknown media.
struct PingCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        let role = examination.role
        guard role == .verification || role == .beacon else { return }
        guard examination.context.plan.impressions.areAnsweredByTarget else { return }
        let isVerified = role == .verification
        if let failure = examination.answer.failure {
            guard !examination.isOwnFailure else { return }
            examination.found(
                .pingLost,
                expected: "an answer to a tracking ping",
                observed: failure.code,
                breakSlot: examination.nearSlot
            )
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
        // 409 means that the same ping, or perhaps beacon, came before, so nothing is lost.
        case 409: return
        case 404 where isVerified, 410 where isVerified: return
        // A rejection loses the event like a server error: pings are not retried.
        case 400...: code = .pingLost
        default: return
        }
        examination.found(
            code,
            expected: isVerified
                ? "204 to a media id that \(Self.source(of: examination))" : "success to a tracking ping",
            observed: "status \(status)\(Self.origin(of: examination, code))",
            breakSlot: examination.nearSlot
        )
    }

    private static func source(of examination: borrowing Examination) -> String {
        examination.viewer.facts.pingedListedID ? "metadata lists" : "the ad itself carries"
    }

    private static func origin(of examination: borrowing Examination, _ code: FindingCode) -> String {
        guard code.code == FindingCode.verificationNotFound.code else { return "" }
        guard examination.viewer.facts.pingedListedID else { return " to the id in the ad's own timed metadata" }
        let whoSaysSo = examination.pingsWhatMayBePrefix ? "was recorded for somebody" : "the profile calls whole"
        return " to what metadata lists, which \(whoSaysSo)"
    }
}

extension Examination {
    /// Whether the pinged id may be a prefix: metadata lists it, and the profile does not say that it lists whole ids.
    var pingsWhatMayBePrefix: Bool { viewer.facts.pingedListedID && !context.plan.listsWholeMediaIDs }

    /// Whether the whole id was pinged, so that only the target explains a 404.
    fileprivate var provesIDWhole: Bool { !pingsWhatMayBePrefix || context.recordedMediaIDs.has(answer.url) }
}
