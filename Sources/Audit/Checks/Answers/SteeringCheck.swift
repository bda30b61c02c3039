import Audience
import Rulebook

/// Steering manifests that did not come; "gone" and "too many" are answers that steer.
struct SteeringCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        guard examination.answer.role == .steering, !examination.answer.isSuccess else { return }
        if let failure = examination.answer.failure {
            guard failure.isOfTarget else { return }
            Self.found("no answer: \(failure.cause.code)", examination)
            return
        }
        let status = examination.answer.status
        guard status >= 400, ![410, 429].contains(status), !examination.context.mayRefuseSession(status) else { return }
        Self.found("status \(status)", examination)
    }

    /// Books that a steering manifest was asked for and none came.
    static func found(_ problem: String, _ examination: borrowing Examination) {
        examination.found(
            .steeringUnavailable,
            expected: "a steering manifest, 410 or 429",
            observed: problem,
            breakSlot: examination.playlistSlot
        )
    }
}
