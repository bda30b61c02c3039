import HTTPTypes

enum PlaylistHeadFaults {
    static let contentTypeWrong = FaultKind(
        "content_type_wrong",
        kinds: RequestKind.liveMedia + [.multivariant],
        defaultCount: 2
    ) { edit, _, _ in
        guard edit.isPlaylist else { return }
        edit.fields[.contentType] = ContentType.web.rawValue
    }

    static let compressionMissing = FaultKind(
        "compression_missing",
        kinds: RequestKind.liveMedia + [.multivariant],
        defaultCount: 2
    ) { edit, _, _ in
        guard edit.isPlaylist else { return }
        // Only answers with Vary are compressed.
        edit.fields[.vary] = nil
    }

    /// No frame rate of the first variant.
    static let variantIncomplete = FaultKind("variant_incomplete", kinds: [.multivariant]) { edit, _, _ in
        guard let place = edit.firstLine(beginningWith: "#EXT-X-STREAM-INF:") else { return }
        let attributes = edit.lines[place].split(separator: ",")
        edit.lines[place] = attributes.filter { !$0.hasPrefix("FRAME-RATE=") }.joined(separator: ",")
    }

    static let renditionGroupInvalid = FaultKind("rendition_group_invalid", kinds: [.multivariant]) { edit, _, _ in
        guard let place = edit.firstLine(beginningWith: "#EXT-X-STREAM-INF:") else { return }
        edit.lines[place] += ",VIDEO=\"planned-missing\""
    }
}
