enum PodContentFaults {
    /// Marks the pod's segments as slate, by a piece of their paths.
    static let slateOnly = FaultKind(
        "slate_only",
        kinds: [.podPlaylist],
        editing: { edit, _, _ in
            for place in edit.lines.indices {
                edit.lines[place] = edit.lines[place].replacing("/profile/", with: "/slate/")
                    .replacing("/interstitials/media/", with: "/interstitials/slate/")
            }
        }
    )

    /// Like a cache that ignores the identifier.
    static let stalePod = FaultKind("stale_pod", kinds: [.podManifest]) { _, _, effects in
        effects.isStalePod = true
    }

    /// One discontinuity less or more than in other renditions; `path` selects the rendition.
    static let podRenditionMismatch = FaultKind(
        "pod_rendition_mismatch",
        kinds: [.podPlaylist],
        editing: { edit, _, _ in
            let tag = "#EXT-X-DISCONTINUITY"
            if let last = edit.lines.lastIndex(of: tag) {
                edit.lines.remove(at: last)
            } else if let last = edit.lastLine(beginningWith: "#EXTINF:"),
                last != edit.firstLine(beginningWith: "#EXTINF:")
            {
                edit.lines.insert(tag, at: last)
            }
        }
    )
}
