/// Faults of single lines of a live media playlist, without lasting effects.
enum PlaylistTagFaults {
    /// A malformed value of a tag that players can ignore.
    static let tagMalformed = FaultKind("tag_malformed", kinds: RequestKind.liveMedia) { edit, _, _ in
        guard edit.isMediaPlaylist else { return }
        edit.insertBeforeSegments("#EXT-X-BITRATE:fast")
    }

    static let tagRepeated = FaultKind("tag_repeated", kinds: RequestKind.liveMedia) { edit, _, _ in
        guard edit.isMediaPlaylist else { return }
        let tag = "#EXT-X-INDEPENDENT-SEGMENTS"
        if edit.firstLine(beginningWith: tag) == nil { edit.insertInHeader(tag) }
        edit.insertInHeader(tag)
    }

    /// Players refuse a media playlist without EXT-X-TARGETDURATION.
    static let tagMissing = FaultKind("tag_missing", kinds: RequestKind.liveMedia) { edit, _, _ in
        guard edit.isMediaPlaylist else { return }
        edit.removeLines(beginningWith: "#EXT-X-TARGETDURATION:")
    }

    static let tagMisplaced = FaultKind("tag_misplaced", kinds: RequestKind.liveMedia) { edit, _, _ in
        guard edit.isMediaPlaylist else { return }
        edit.appendLine("#EXT-X-BYTERANGE:1000@0")
    }

    /// A line with trailing white space.
    static let playlistFormLoose = FaultKind("playlist_form_loose", kinds: RequestKind.liveMedia) { edit, _, _ in
        guard edit.isMediaPlaylist else { return }
        edit.insertBeforeSegments("#EXT-X-BITRATE:1000 ")
    }

    /// The version before EXT-X-MAP and most other tags of the channel.
    static let versionTooLow = FaultKind("version_too_low", kinds: RequestKind.liveMedia) { edit, _, _ in
        edit.setValue("3", of: "#EXT-X-VERSION")
    }

    static let variableUndefined = FaultKind("variable_undefined", kinds: RequestKind.liveMedia) { edit, _, _ in
        guard edit.isMediaPlaylist else { return }
        if let version = edit.value(of: "#EXT-X-VERSION").flatMap({ Int($0) }), version < 8 {
            edit.setValue("8", of: "#EXT-X-VERSION")
        }
        edit.insertInHeader("#EXT-X-DEFINE:IMPORT=\"podswarm-undefined\"")
    }

    /// METHOD=NONE with a URI.
    static let encryptionInvalid = FaultKind("encryption_invalid", kinds: RequestKind.liveMedia) { edit, _, _ in
        guard edit.isMediaPlaylist else { return }
        edit.insertBeforeSegments("#EXT-X-KEY:METHOD=NONE,URI=\"key\"")
    }

    static let startOffsetNearEdge = FaultKind("start_offset_near_edge", kinds: RequestKind.liveMedia) { edit, _, _ in
        guard edit.isMediaPlaylist else { return }
        edit.removeLines(beginningWith: "#EXT-X-START:")
        edit.insertInHeader("#EXT-X-START:TIME-OFFSET=-1")
    }

    /// EXT-X-PLAYLIST-TYPE:EVENT in a sliding playlist.
    static let livePlaylistTyped = FaultKind("live_playlist_typed", kinds: RequestKind.liveMedia) { edit, _, _ in
        guard edit.isMediaPlaylist else { return }
        edit.insertInHeader("#EXT-X-PLAYLIST-TYPE:EVENT")
    }

    /// CAN-SKIP-DATERANGES without CAN-SKIP-UNTIL.
    static let serverControlInvalid = FaultKind("server_control_invalid", kinds: RequestKind.liveMedia) { edit, _, _ in
        guard edit.isMediaPlaylist else { return }
        let tag = "#EXT-X-SERVER-CONTROL"
        let attributes = (edit.value(of: tag) ?? "").split(separator: ",").filter { !$0.hasPrefix("CAN-SKIP-") }
        edit.removeLines(beginningWith: tag + ":")
        edit.insertInHeader("\(tag):\((attributes + ["CAN-SKIP-DATERANGES=YES"]).joined(separator: ","))")
    }

    /// A hold-back of two part targets.
    ///
    /// Playlists of a channel are loaded one after another, so that they contradict each other while the fault begins or ends.
    static let partHoldBackShort = FaultKind(
        "part_hold_back_short",
        kinds: RequestKind.liveMedia + [.podPlaylist],
        defaultCount: 2
    ) { edit, _, _ in
        guard edit.isMediaPlaylist, let target = edit.targetSeconds else { return }
        let inf = "#EXT-X-PART-INF"
        var partTarget = String(target)
        if let line = edit.value(of: inf) {
            guard let named = line.split(separator: "=").last else { return }
            partTarget = String(named)
        } else {
            edit.insertInHeader("\(inf):PART-TARGET=\(partTarget)")
        }
        guard let seconds = Double(partTarget) else { return }
        let tag = "#EXT-X-SERVER-CONTROL"
        let attributes = (edit.value(of: tag) ?? "").split(separator: ",").filter { !$0.hasPrefix("PART-HOLD-BACK") }
        edit.removeLines(beginningWith: tag + ":")
        edit.insertInHeader("\(tag):\((attributes + ["PART-HOLD-BACK=\(seconds * 2)"]).joined(separator: ","))")
    }

    /// Partial segments without PART-HOLD-BACK.
    static let partialSegmentInvalid = FaultKind("partial_segment_invalid", kinds: RequestKind.liveMedia) {
        edit,
        _,
        _ in
        guard edit.isMediaPlaylist else { return }
        let control = "#EXT-X-SERVER-CONTROL"
        guard edit.value(of: "#EXT-X-PART-INF") == nil, let target = edit.targetSeconds else {
            let attributes = (edit.value(of: control) ?? "").split(separator: ",")
            edit.setValue(attributes.filter { !$0.hasPrefix("PART-HOLD-BACK") }.joined(separator: ","), of: control)
            return
        }
        edit.insertInHeader("#EXT-X-PART-INF:PART-TARGET=\(target)")
    }
}
