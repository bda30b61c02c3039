import AdServing
import HLS
import Viewer

/// Playlists of the channel that name another viewer's session.
struct ForeignSessionCheck: VersionCheck {
    let breaks: KnownBreaks

    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        let (shared, audience) = (version.shared, version.shared.audience)
        guard version.isNew, audience.namesSessions || audience.strangers != .none else { return }
        let slot = breaks.slot(near: examination.wallTime, of: shared, for: examination.viewer)
        guard audience.namesSessions else {
            examination.noteStrangers(audience.strangers, breakSlot: slot)
            return
        }
        shared.playlist.text.withUnsafeBytes {
            _ = examination.lookForForeignSession(in: $0, breakSlot: slot)
        }
    }
}
