enum EmptyPodFault {
    /// Media playlists of the pod are well formed, ended and empty; a manifest, when planned for, lists no variant.
    static let emptyPod = FaultKind(
        "empty_pod",
        kinds: [.podPlaylist, .podManifest],
        defaultCount: 1
    ) { _, _, effects in
        effects.isEmptyPod = true
    }
}
