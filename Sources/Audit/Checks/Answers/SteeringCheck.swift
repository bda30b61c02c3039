import Rules
import Transport
import Viewer

/// Steering manifests that did not come; 410 and 429 are valid answers.
struct SteeringCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        guard examination.role == .steering, !examination.answer.isSuccess else { return }
        let context = examination.context
        let problem = examination.problem {
            $0 >= 400 && ![410, 429].contains($0) && !context.mayRefuseSession($0)
        }
        if let problem { Self.found(problem, examination) }
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
