extension MultivariantPlaylist {
    /// The renditions of one kind that a variant's group offers, in playlist order (RFC 8216 section 4.3.4.1.1).
    package func renditions(_ kind: Rendition.Kind, of variant: Variant) -> [Rendition] {
        let group =
            switch kind {
            case .audio: variant.audioGroup
            case .video: variant.videoGroup
            case .subtitles: variant.subtitlesGroup
            case .closedCaptions: variant.otherAttributes["CLOSED-CAPTIONS"]?.text
            }
        guard let group else {
            return []
        }
        return renditions.filter { $0.type == kind && $0.groupID == group }
    }

    /// The rendition that a client without a choice of its user plays; nil where there is none to play.
    ///
    /// One in `language` that may be chosen without the user, else the default one, else one that may be chosen; for
    /// audio and video else the first, because something must be heard and seen (RFC 8216 section 4.3.4.1).
    package func selectedRendition(
        _ kind: Rendition.Kind,
        of variant: Variant,
        language: String? = nil
    ) -> Rendition? {
        let offered = renditions(kind, of: variant)
        if let language {
            let spoken = offered.filter { $0.language == language && ($0.isDefault || $0.isAutoselect) }
            if let found = spoken.first(where: \.isDefault) ?? spoken.first {
                return found
            }
        }
        let chosen = offered.first(where: \.isDefault) ?? offered.first(where: \.isAutoselect)
        return chosen ?? (kind == .audio || kind == .video ? offered.first : nil)
    }

    /// The renditions whose own media playlists are loaded with a variant's: the selected ones that have a URI, and
    /// not the variant's own.
    package func separateRenditions(of variant: Variant, language: String? = nil) -> [Rendition] {
        [Rendition.Kind.audio, .video, .subtitles].compactMap { kind in
            selectedRendition(kind, of: variant, language: language).flatMap { rendition in
                rendition.uri == nil || rendition.uri == variant.uri ? nil : rendition
            }
        }
    }
}
