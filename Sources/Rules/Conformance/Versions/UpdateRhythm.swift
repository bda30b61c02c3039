import HLS

/// Checks the mean interval of a live playlist's updates (bis-22 section 6.2.1: a new version no later than one and a half
/// target durations after the one before it).
///
/// One late update may only have been seen late: nothing is seen between two requests, and a cache may answer. Over many
/// updates that counts once. The mean is compared with the rule, less one half of a target duration for a cache.
struct UpdateRhythm {
    /// Target durations that a server may take.
    static let allowedTargets = 1.5
    /// Target durations that are forgiven once, for a cache before the server.
    static let cacheTargets = 0.5
    /// Minimum number of updates for a mean.
    private static let fewest = 8
    /// Maximum distance between requests, in target durations; above it too much is missed.
    private static let widestGap = 1.25

    /// First sight of a live edge, and the number of updates since.
    private var start: (seenAt: Duration, updates: Int)?
    private var askedAt: Duration?
    /// Whether the present rhythm has been reported.
    private var isTold = false

    /// Records a load, and returns a violation once.
    ///
    /// `isAhead` says whether it takes the channel further; `asked` is the time of the request, `now` that of the answer.
    mutating func loaded(
        _ playlist: MediaPlaylist,
        isAhead: Bool,
        askedAt asked: Duration,
        at now: Duration
    ) -> Violation? {
        let target = Duration.seconds(playlist.targetDurationSeconds)
        let before = askedAt
        askedAt = asked
        guard ReloadRule.isReloaded(playlist) else { return nil }
        guard let before, now - before <= target * Self.widestGap else {
            // Updates in the gap are unknown.
            start = isAhead ? (now, 0) : nil
            return nil
        }
        guard isAhead else { return nil }
        guard let known = start else {
            start = (now, 0)
            return nil
        }
        let updates = known.updates + 1
        start?.updates = updates
        // The update came after the previous request, which did not bring it.
        let least = before - known.seenAt - target * Self.cacheTargets
        guard !isTold, updates >= Self.fewest, least > target * Self.allowedTargets * updates else { return nil }
        isTold = true
        let allowed = (target * Self.allowedTargets).wholeMicroseconds.secondsText
        return Violation(
            .playlistStale,
            expected: "a new segment within \(allowed), in the mean of \(updates) updates",
            observed: "one in \((least / updates).wholeMicroseconds.secondsText) or more"
        )
    }
}
