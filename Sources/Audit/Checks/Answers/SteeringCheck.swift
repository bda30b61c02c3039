import Rules
import Viewer

/// Steering manifests that did not come; 410 and 429 are valid answers.
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

    static func found(_ problem: String, _ examination: borrowing Examination) {
        examination.found(
            .steeringUnavailable,
            expected: "a steering manifest, 410 or 429",
            observed: problem,
            breakSlot: examination.playlistSlot
        )
    }
}
