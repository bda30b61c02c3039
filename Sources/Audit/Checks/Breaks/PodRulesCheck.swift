import AdServing
import Rules
import Viewer

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
