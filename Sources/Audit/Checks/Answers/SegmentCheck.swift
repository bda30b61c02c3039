import Rules
import Viewer

/// Segments of the channel that could not be loaded.
///
/// Parts and preload hints may disappear at any time.
///
/// An answer that comes after the segment left the playlist is the viewer's delay, not the target's.
struct SegmentCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        guard
            examination.answer.role == .segment, !examination.answer.isSuccess, examination.viewer.facts.isPresent,
            let rendition = examination.viewer.facts.rendition(ofRequest: examination.answer.index),
            examination.viewer.facts.awaitsListedSegment(of: rendition, at: examination.answer.doneAt)
        else { return }
        let problem: String
        if let failure = examination.answer.failure {
            guard failure.isOfTarget else { return }
            problem = "no answer: \(failure.cause.code)"
        } else {
            let status = examination.answer.status
            guard status >= 400, !examination.context.mayRefuseSession(status) else { return }
            problem = "status \(status)"
        }
        examination.found(
            .segmentUnreachable,
            expected: "a segment that is there while the playlist lists it",
            observed: problem,
            breakSlot: examination.playlistSlot
        )
    }
}
