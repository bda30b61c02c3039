import HLS
import Rulebook

/// Whether a live playlist is updated often enough over many updates (bis-22 section 6.2.1: a new version no later than
/// one and a half target durations after the one before it).
///
/// One late update cannot be told from one that was seen late: between two requests nobody looks, and a cache may answer.
/// Over many updates that counts once. The mean is held against the rule, less one half of a target duration for a cache.
struct UpdateRhythm {
    /// Target durations that a server may take.
    static let allowedTargets = 1.5
    /// Target durations that are forgiven once, for a cache before the server.
    static let cacheTargets = 0.5
    /// Updates from which on a mean says something.
    private static let fewest = 8
    /// Requests further apart than this see too little, in target durations.
    private static let widestGap = 1.25

    /// When the live edge first was where it was, and how often it moved since.
    private var start: (seenAt: Duration, updates: Int)?
    private var askedAt: Duration?
    /// This rhythm was found already.
    private var isTold = false

    /// Takes a load in.
    ///
    /// - Parameters:
    ///   - playlist: What came.
    ///   - isAhead: Whether it takes the channel further.
    ///   - asked: When the request was sent.
    ///   - now: When the answer came.
    /// - Returns: A violation, once.
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
            // Nobody knows what came meanwhile.
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
        // It came after the request before, which brought nothing of it.
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
