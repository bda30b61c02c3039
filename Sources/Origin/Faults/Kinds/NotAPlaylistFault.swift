enum NotAPlaylistFault {
    /// Answers 200 with a web page, as captive portals and misconfigured edges do.
    static let notAPlaylist = FaultKind(
        "not_a_playlist",
        kinds: RequestKind.playlists,
        defaultCount: 1
    ) { _, _, effects in
        effects.isWebPage = true
    }
}
