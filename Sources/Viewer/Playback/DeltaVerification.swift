import AdServing
import Rules

// Delta updates must yield the same playlist as a full load (bis-22 section 6.3.7).
extension Turn {
    mutating func countMerge(_ merged: SharedPlaylist) {
        count(.deltaUpdates)
        guard let mismatch = merged.mismatch else { return }
        note(.deltaMismatched(mismatch, url: merged.url, at: now))
    }

    /// Compares a full playlist with the merged one that it was requested to verify, unless it is newer.
    ///
    /// `own` is the viewer's stream id, which is masked in the finding.
    mutating func verify(_ whole: SharedPlaylist, against merged: SharedPlaylist, own: StreamID?) {
        guard
            merged.isMerged, whole.isOfSameMoment(as: merged),
            let mismatch = DeltaMismatch(expected: whole.playlist, observed: merged.playlist, own: own)
        else { return }
        note(.deltaMismatched(mismatch, url: whole.url, at: now))
    }
}
