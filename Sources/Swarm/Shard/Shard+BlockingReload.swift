import HLS
import Measurement
import Transport

// Answers that the server was to hold.
extension Shard {
    /// Looks whether a blocking reload brought what it asked for, from a server that offers to wait for it.
    ///
    /// An error is an answer too: that it takes the place of a playlist is for the others to judge.
    func checkHold(
        _ role: ViewerRole,
        _ shared: SharedPlaylist,
        of rendition: PlayedRendition,
        _ result: borrowing TransferResult,
        _ viewer: ViewerSlot
    ) {
        let playlist = shared.playlist
        guard
            role == .blockingPlaylist, !viewer.machine.askedForNoMore(than: shared, of: rendition),
            playlist.serverControl?.canBlockReload == true,
            let asked = try? DeliveryDirectives(in: result.effectiveURL), !asked.areMet(by: playlist)
        else { return }
        let wanted = Self.place(asked.mediaSequence ?? 0, part: asked.part)
        let end = Self.place(
            playlist.endMediaSequence,
            part: playlist.partTargetMicroseconds == nil ? nil : playlist.trailingPartCount
        )
        let waited = max(0, result.firstByteAt &- result.sentAt) / 1_000_000
        self.found(
            .blockingReloadIgnored,
            url: result.effectiveURL,
            expected: "held until \(wanted) is there, or an error",
            observed: "after \(waited) ms a playlist that ends before \(end)",
            viewer,
            breakSlot: self.playlistSlot(viewer, now: result.doneAt)
        )
    }

    private static func place(_ segment: UInt64, part: UInt64?) -> String {
        (part.map { "part \($0) of " } ?? "") + "segment \(segment)"
    }
}
