import HLS

enum StalePlaylistFault {
    /// Keeps live playlists as at the break's start (without breaks, the origin's) for `delay`, by default six target
    /// durations.
    ///
    /// A client may conclude that the server misbehaves after 1.5 target durations without change (bis-22 6.3.4).
    static let stalePlaylist = FaultKind(
        "stale_playlist",
        kinds: RequestKind.liveMedia,
        parameters: [.delay]
    ) { fault, occasion, effects in
        guard let start = occasion.breakStart, occasion.now >= start else { return }
        guard occasion.now < start + (fault.delay ?? occasion.targetDuration * 6) else { return }
        effects.playlistFrozenAt = start
    }
}
