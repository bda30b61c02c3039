enum BlockingReloadFault {
    /// Answers requests for a future segment or part at once with the current playlist.
    static let blockingReloadIgnored = FaultKind(
        "blocking_reload_ignored",
        kinds: [.blockingPlaylist]
    ) { _, _, effects in
        effects.ignoresBlocking = true
    }
}
