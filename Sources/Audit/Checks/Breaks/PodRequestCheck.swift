import AdServing
import Recording
import Rules
import Values
import Viewer

/// Records each pod request, from which the burst at a break is drawn.
struct PodRequestCheck: BreakCheck {
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let subject = content.subject
        // Use the instants at which requests really left, not at which they were handed over.
        guard
            examination.answer.sentAt != .zero,
            subject.facts.isContentRequest(examination.answer.role, index: examination.answer.index)
        else { return }
        examination.viewer.context.recorder.podRequested(
            subject.slot,
            identifier: Self.identifier(of: subject, askedBy: examination.answer.url),
            viewer: examination.viewer.number,
            breakStart: subject.facts.isOwn ? subject.facts.planned.scheduled.start.microseconds : nil,
            wallMicroseconds: examination.viewer.wallMicroseconds(examination.answer.sentAt),
            url: examination.viewer.redacted(examination.answer.url)
        )
    }

    /// Pod identifier in an interstitial's URL, else the name of its source.
    private static func identifier(of subject: AuditSubject, askedBy url: String) -> String {
        guard !subject.facts.isOwn else { return subject.facts.planned.pathComponent }
        return PodIdentifier(inURL: url)?.pathComponent ?? subject.facts.planned.pathComponent
    }
}
