import Rules
import Transport
import Viewer

/// Segments of the channel that could not be loaded.
///
/// Parts and preload hints may disappear at any time.
///
/// An answer that comes after the segment left the playlist is the viewer's delay, not the target's.
struct SegmentCheck: AnswerCheck {
    func examine(_ examination: borrowing Examination) {
        guard
            examination.role == .segment, !examination.answer.isSuccess, examination.viewer.facts.isPresent,
            let rendition = examination.viewer.facts.rendition(ofRequest: examination.index),
            examination.viewer.facts.awaitsListedSegment(of: rendition, at: examination.answer.doneAt)
        else { return }
        let context = examination.context
        let problem = examination.problem { $0 >= 400 && !context.mayRefuseSession($0) }
        guard let problem else { return }
        examination.found(
            .segmentUnreachable,
            expected: "a segment that is there while the playlist lists it",
            observed: problem,
            breakSlot: examination.playlistSlot
        )
    }
}
