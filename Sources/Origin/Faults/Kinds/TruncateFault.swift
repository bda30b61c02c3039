enum TruncateFault {
    /// Announces the whole body, sends half of it and closes the connection (resets the stream, with HTTP/2).
    static let truncate = FaultKind(
        "truncate",
        kinds: RequestKind.playlists + [.segment, .podSegment, .metadata, .registration, .assetList]
    ) { _, _, effects in
        effects.delivery = .truncated
    }
}
