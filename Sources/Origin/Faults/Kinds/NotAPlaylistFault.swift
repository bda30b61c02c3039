enum NotAPlaylistFault {
    /// A web page with status 200, as from captive portals and misconfigured edges.
    static let notAPlaylist = FaultKind(
        "not_a_playlist",
        kinds: RequestKind.playlists,
        defaultCount: 1
    ) { _, _, effects in
        effects.isWebPage = true
    }
}
