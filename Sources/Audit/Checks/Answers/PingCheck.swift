import Audience
import LoadProfile
import Rulebook
import Viewer

/// Tracking pings that are lost, deferred, or of media that nobody knows.
struct PingCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        let role = examination.answer.role
        guard role == .verification || role == .beacon else { return }
        guard examination.context.plan.impressions.areAnsweredByTarget else { return }
        let isVerified = role == .verification
        if let failure = examination.answer.failure {
            guard failure.isOfTarget else { return }
            examination.found(
                .pingLost,
                expected: "an answer to a tracking ping",
                observed: failure.cause.code,
                breakSlot: examination.nearSlot
            )
            return
        }
        let status = examination.answer.status
        let code: FindingCode
        switch status {
        case 202 where isVerified: code = .verificationDeferred
        // What a session knew that is over is not known any more.
        case 404 where isVerified && examination.viewer.facts.isPingOfSession(examination.answer.url):
            guard examination.provesIDWhole else {
                examination.context.sink.count(.pingsOfPrefixes, by: 1)
                return
            }
            code = .verificationNotFound
        // Somebody else has sent a ping that is answered 409, and may have sent a beacon: nothing is lost.
        case 409: return
        case 404 where isVerified, 410 where isVerified: return
        // A refusal loses the event like a server's error does: nobody sends a ping again.
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

    /// What names the id that was pinged.
    private static func source(of examination: borrowing Examination) -> String {
        examination.viewer.facts.pingedListedID ? "metadata lists" : "the ad itself carries"
    }

    /// Where an id that is not known came from.
    private static func origin(of examination: borrowing Examination, _ code: FindingCode) -> String {
        guard code.code == FindingCode.verificationNotFound.code else { return "" }
        guard examination.viewer.facts.pingedListedID else { return " to the id in the ad's own timed metadata" }
        let whoSaysSo = examination.pingsWhatMayBePrefix ? "was recorded for somebody" : "the profile calls whole"
        return " to what metadata lists, which \(whoSaysSo)"
    }
}

extension Examination {
    /// Whether what was pinged may be the beginning of an id: metadata lists it, and nobody says that it lists whole ids.
    var pingsWhatMayBePrefix: Bool { viewer.facts.pingedListedID && !context.plan.listsWholeMediaIDs }

    /// Whether what was pinged is the whole id, so that nothing but the target explains that it is not known.
    fileprivate var provesIDWhole: Bool { !pingsWhatMayBePrefix || context.recordedMediaIDs.has(answer.url) }
}
