enum EmptyPodFault {
    /// Well-formed, ended and empty media playlists; for manifests, one without variants.
    static let emptyPod = FaultKind(
        "empty_pod",
        kinds: [.podPlaylist, .podManifest],
        defaultCount: 1
    ) { _, _, effects in
        effects.isEmptyPod = true
    }
}
