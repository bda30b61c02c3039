import HLS

extension VersionChecks {
    /// Three times the target duration's rounding, at most half a second; microseconds.
    private static let windowTolerance: Int64 = 1_500_000

    /// The minimum length of a playlist from which segments are removed (bis-22 sections 4.4.3.5, 6.2.1 and 6.2.2).
    ///
    /// Requires two versions: a playlist may begin at any media sequence number, so one version alone proves no removal.
    static func checkRemoval(_ pair: VersionPair, _ result: inout VersionTransition) {
        let next = pair.next
        guard next.mediaSequence > pair.previous.mediaSequence, !next.hasEndList else { return }
        let removed = "segments removed up to media sequence \(next.mediaSequence - 1)"
        switch next.playlistType {
        case .event:
            result.add(
                Violation(
                    .livePlaylistTyped,
                    expected: "no EXT-X-PLAYLIST-TYPE once segments are removed",
                    observed: "#EXT-X-PLAYLIST-TYPE:EVENT with \(removed)"
                )
            )
        case .vod: break
        case nil:
            let least = pair.targetMicroseconds &* 3
            let left = next.durationMicroseconds
            guard left.adding(windowTolerance) < least else { return }
            result.add(
                Violation(
                    .liveWindowShort,
                    expected: "at least three target durations, \(least.secondsText), once segments are removed",
                    observed: "\(next.segments.count) segments of \(left.secondsText) left, with \(removed)"
                )
            )
        }
    }
}
