extension FaultKind {
    /// Puts another session's stream id into the URIs of the body, as a cache that ignores the query would.
    static let foreignStreamID = FaultKind(
        "foreign_stream_id",
        kinds: [.podPlaylist, .podManifest],
        defaultCount: 1
    ) { _, _, effects in
        effects.streamID = .foreign
    }
}
