enum BlockingReloadFault {
    /// Requests for a future segment or part are answered at once with the playlist as it is.
    static let blockingReloadIgnored = FaultKind(
        "blocking_reload_ignored",
        kinds: [.blockingPlaylist]
    ) { _, _, effects in
        effects.ignoresBlocking = true
    }
}
