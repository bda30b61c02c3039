import Conformance

/// What answers of every kind say of their own bodies that cannot be right.
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
