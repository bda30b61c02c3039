import Audience
import HLS
import Viewer

/// Playlists of the channel that name another viewer's session.
struct ForeignSessionCheck: VersionCheck {
    let breaks: KnownBreaks

    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        guard version.isNew, version.shared.audience.namesSessions else { return }
        let shared = version.shared
        let slot = breaks.slot(near: examination.wallTime, of: shared, for: examination.viewer)
        shared.playlist.text.withUnsafeBytes {
            _ = examination.lookForForeignSession(in: $0, breakSlot: slot)
        }
    }
}
