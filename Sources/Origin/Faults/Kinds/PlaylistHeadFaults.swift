import HTTPTypes

/// Faults of the head of an answer with a playlist, and of what is chosen from.
enum PlaylistHeadFaults {
    /// A playlist that says that it is a web page.
    static let contentTypeWrong = FaultKind(
        "content_type_wrong",
        kinds: RequestKind.liveMedia + [.multivariant],
        defaultCount: 2
    ) { edit, _, _ in
        guard edit.isPlaylist else { return }
        edit.fields[.contentType] = ContentType.web.rawValue
    }

    /// A playlist sent as it is to clients that accept gzip.
    static let compressionMissing = FaultKind(
        "compression_missing",
        kinds: RequestKind.liveMedia + [.multivariant],
        defaultCount: 2
    ) { edit, _, _ in
        guard edit.isPlaylist else { return }
        // What does not vary with the client is not compressed for it.
        edit.fields[.vary] = nil
    }

    /// The first variant does not say its frame rate.
    static let variantIncomplete = FaultKind("variant_incomplete", kinds: [.multivariant]) { edit, _, _ in
        guard let place = edit.firstLine(beginningWith: "#EXT-X-STREAM-INF:") else { return }
        let attributes = edit.lines[place].split(separator: ",")
        edit.lines[place] = attributes.filter { !$0.hasPrefix("FRAME-RATE=") }.joined(separator: ",")
    }

    /// The first variant names a group that no rendition is in.
    static let renditionGroupInvalid = FaultKind("rendition_group_invalid", kinds: [.multivariant]) { edit, _, _ in
        guard let place = edit.firstLine(beginningWith: "#EXT-X-STREAM-INF:") else { return }
        edit.lines[place] += ",VIDEO=\"planned-missing\""
    }
}
