package import Testing

/// What a machine brings about that is too small for target and viewers together, by no fault of either.
package enum StarvedMachine {
    /// Codes of findings that are right there.
    ///
    /// One of the two is late: playlists do stand still, viewers do miss whole windows of them, and sessions do end before
    /// the ping that belongs to them is sent.
    package static let findings: Set<String> = [
        "playlist_stale", "playlist_unavailable", "media_sequence_jump", "window_explosion", "rendition_edge_lags",
        "break_announced_late", "metadata_lag", "verification_not_found", "ping_lost", "early_return_missed",
    ]

    /// Says that nothing can be told of something; a machine that is too busy for it is no failure.
    package static func isTooBusy(for what: String, sourceLocation: SourceLocation = #_sourceLocation) {
        Issue.record("the machine was too busy for \(what)", severity: .warning, sourceLocation: sourceLocation)
    }
}
