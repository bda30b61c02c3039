enum PodContentFaults {
    /// The pod's segments are slate, by the piece of their paths that says so.
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

    /// The pod that the session asked for before, as a cache that ignores the identifier would answer.
    static let stalePod = FaultKind("stale_pod", kinds: [.podManifest]) { _, _, effects in
        effects.isStalePod = true
    }

    /// A discontinuity that other renditions have is missing, or an additional one is there; `path` names the
    /// rendition.
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
