import AdServing
import Audience
import Rulebook

// Delta updates, and whether they lead where the whole playlist does (bis-22 section 6.3.7).
extension Turn {
    /// Counts a merged delta update, and notes a merge that differs from the whole playlist.
    mutating func countMerge(_ merged: SharedPlaylist) {
        count(.deltaUpdates)
        guard let mismatch = merged.mismatch else { return }
        note(.deltaMismatched(mismatch, url: merged.url, at: now))
    }

    /// Holds a whole playlist against the merged one that it was asked for after; one that is newer tells nothing.
    ///
    /// `own` is the viewer's stream id, which is masked in what is said.
    mutating func verify(_ whole: SharedPlaylist, against merged: SharedPlaylist, own: StreamID?) {
        guard
            merged.isMerged, whole.isOfSameMoment(as: merged),
            let mismatch = DeltaMismatch(expected: whole.playlist, observed: merged.playlist, own: own)
        else { return }
        note(.deltaMismatched(mismatch, url: whole.url, at: now))
    }
}
