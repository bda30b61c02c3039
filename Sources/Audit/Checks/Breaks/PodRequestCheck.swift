import AdServing
import Audience
import Rulebook
import Time

/// Who asked for which pod, and when: of it the burst at a break is drawn.
struct PodRequestCheck: BreakCheck {
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let subject = content.subject
        // The burst is drawn from when requests really left, not from when they were handed over.
        guard
            examination.answer.sentAt != .zero,
            subject.facts.isContentRequest(examination.answer.role, index: examination.answer.index)
        else { return }
        examination.viewer.context.sink.podRequested(
            subject.slot,
            identifier: Self.identifier(of: subject, askedBy: examination.answer.url),
            viewer: examination.viewer.number,
            breakStart: subject.facts.isOwn ? subject.facts.planned.scheduled.start.microseconds : nil,
            wallMicroseconds: examination.viewer.wallMicroseconds(examination.answer.sentAt),
            url: examination.viewer.redacted(examination.answer.url)
        )
    }

    /// The pod that an interstitial's URL names; where it names none, that it is an interstitial.
    private static func identifier(of subject: AuditSubject, askedBy url: String) -> String {
        guard !subject.facts.isOwn else { return subject.facts.planned.pathComponent }
        return PodIdentifier(inURL: url)?.pathComponent ?? subject.facts.planned.pathComponent
    }
}
