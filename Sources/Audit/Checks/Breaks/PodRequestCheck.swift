import AdServing
import Recording
import Rules
import Transport
import Values
import Viewer

/// Records each pod request, from which the burst at a break is drawn.
struct PodRequestCheck: BreakCheck {
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let subject = content.subject
        // Use the instants at which requests really left, not at which they were handed over.
        guard
            examination.answer.sentAt != .zero,
            subject.facts.isContentRequest(examination.role, index: examination.index)
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

/// Violations in the playlists of pods and assets; equal ones are parsed once for all viewers.
struct PodRulesCheck: BreakCheck {
    let assets: AssetLibrary

    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let slot = content.subject.slot
        switch content.content {
        case .noPlaylist(let error): examination.foundNoPlaylist(error, breakSlot: slot)
        case .pod(let playlist):
            guard playlist.holdsMedia, let own = examination.viewer.facts.streamID else { return }
            inspect(own: own, slot: slot, examination)
        case .asset: inspect(own: StreamID(examination.viewer.facts.primaryID), slot: slot, examination)
        case .nothing, .segment, .repeated, .list, .noList: break
        }
    }

    private func inspect(own: StreamID, slot: Int32, _ examination: borrowing Examination) {
        // Each viewer has its own, so compression is optional (bis-22 appendix B.1 speaks of the channel's).
        let head = examination.headViolations(offersGzip: false)
        let body = assets.violations(in: examination.answer.body, own: own, url: examination.answer.url)
        examination.found(body + head, breakSlot: slot)
    }
}
