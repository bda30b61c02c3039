import HLS

// Faults of the numbers and amounts that versions of a playlist have in common. All act for some updates from the
// break's start, unless the plan says when.
enum VersionSequenceFaults {
    private static let live: [RequestKind] = [.playlist, .blockingPlaylist]

    /// Refuses the live playlists, with 500 unless told otherwise.
    static let playlistUnavailable = FaultKind(
        "playlist_unavailable",
        kinds: live,
        parameters: [.status]
    ) { fault, occasion, effects in
        guard FaultMoment.targets(0, 2.5)(fault, occasion) else { return }
        effects.status = fault.status ?? 500
    }

    /// Counts segments as if the channel had been started anew a while later.
    static let mediaSequenceBackwards = FaultKind(
        "media_sequence_backwards",
        kinds: live,
        when: FaultMoment.targets(0, 3)
    ) { edit, _, _ in
        guard edit.isLiveMedia else { return }
        edit.add(-1_000, to: "#EXT-X-MEDIA-SEQUENCE")
    }

    /// Counts a thousand segments that there never were.
    static let mediaSequenceJump = FaultKind(
        "media_sequence_jump",
        kinds: live,
        when: FaultMoment.targets(0, 3)
    ) { edit, _, _ in
        guard edit.isLiveMedia else { return }
        edit.add(1_000, to: "#EXT-X-MEDIA-SEQUENCE")
    }

    /// Takes back the last three segments, or fewer where fewer than six are listed.
    ///
    /// For two target durations only: after three, what is listed would follow from what was listed before.
    static let playlistShrunk = FaultKind(
        "playlist_shrunk",
        kinds: live,
        when: FaultMoment.targets(0, 2)
    ) { edit, _, _ in
        let segments = edit.uriLines
        guard edit.isLiveMedia, segments.count > 1 else { return }
        let kept = max(1, segments.count - min(3, segments.count / 2))
        let end = segments[segments.count - 1]
        edit.lines.removeSubrange((segments[kept - 1] + 1)...end)
    }

    /// Lists ten segments that will only be made later.
    static let windowExplosion = FaultKind(
        "window_explosion",
        kinds: live,
        when: FaultMoment.targets(0, 3)
    ) { edit, _, _ in
        guard edit.isLiveMedia, let last = edit.uriLines.last else { return }
        let name = edit.lines[last]
        guard let number = Int64(name.prefix { $0.isNumber }),
            let duration = edit.lastLine(beginningWith: "#EXTINF:").map({ edit.lines[$0] })
        else { return }
        let rest = name.drop { $0.isNumber }
        let added = (1...10).flatMap { [duration, "\(number &+ Int64($0))\(rest)"] }
        edit.lines.insert(contentsOf: added, at: last + 1)
    }

    /// Says that the channel has ended.
    static let endlistOnLive = FaultKind(
        "endlist_on_live",
        kinds: live,
        when: FaultMoment.targets(0, 3)
    ) { edit, _, _ in
        guard edit.isLiveMedia, let last = edit.uriLines.last else { return }
        edit.lines.insert("#EXT-X-ENDLIST", at: last + 1)
    }

    /// Says a target duration that is a second longer.
    static let targetDurationChanged = FaultKind(
        "target_duration_changed",
        kinds: live,
        when: FaultMoment.targets(0, 3)
    ) { edit, _, _ in
        guard edit.isLiveMedia else { return }
        edit.add(1, to: "#EXT-X-TARGETDURATION")
    }
}
