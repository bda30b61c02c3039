import HLS
import Rules
import Transport
import Viewer

/// Blocking reloads whose answer lacks the requested segment or part, though the server offers to wait.
///
/// Errors are answers too; other checks judge those.
struct BlockingReloadCheck: VersionCheck {
    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        guard examination.role == .blockingPlaylist else { return }
        let playlist = version.shared.playlist
        guard
            !examination.viewer.facts.askedForNoMore(than: version.shared, of: version.rendition),
            playlist.serverControl?.canBlockReload == true,
            let asked = try? DeliveryDirectives(in: examination.answer.url), !asked.areMet(by: playlist)
        else { return }
        let wanted = Self.name(asked.mediaSequence ?? 0, part: asked.part)
        let end = Self.name(
            playlist.endMediaSequence,
            part: playlist.partTargetMicroseconds == nil ? nil : playlist.trailingPartCount
        )
        let waited = max(0, examination.answer.firstByteAt &- examination.answer.sentAt) / 1_000_000
        examination.found(
            .blockingReloadIgnored,
            expected: "held until \(wanted) is there, or an error",
            observed: "after \(waited) ms a playlist that ends before \(end)",
            breakSlot: examination.playlistSlot
        )
    }

    private static func name(_ segment: UInt64, part: UInt64?) -> String {
        (part.map { "part \($0) of " } ?? "") + "segment \(segment)"
    }
}
