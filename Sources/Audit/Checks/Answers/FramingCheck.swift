import Rules
import Transport

/// Invalid statements of an answer about its own body, for all kinds of answers.
struct FramingCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        let flaws = examination.answer.flaws
        guard !flaws.isEmpty else { return }
        let violations = FramingChecks.violations(
            of: flaws,
            contentLength: examination.answer.header("content-length"),
            contentEncoding: examination.answer.header("content-encoding"),
            transferEncoding: examination.answer.header("transfer-encoding")
        )
        examination.found(violations, breakSlot: examination.nearSlot)
    }
}
