import HLS

// Faults of sequence numbers and window sizes in versions of a playlist. All act for some updates from the break's start,
// unless the plan says when.
enum VersionSequenceFaults {
    /// A status for the live playlists; 500 by default.
    static let playlistUnavailable = FaultKind(
        "playlist_unavailable",
        kinds: RequestKind.liveMedia,
        parameters: [.status]
    ) { fault, occasion, effects in
        guard FaultMoment.targets(0, 2.5)(fault, occasion) else { return }
        effects.status = fault.status ?? 500
    }

    /// Numbers as of a channel that restarted later.
    static let mediaSequenceBackwards = FaultKind(ofVersions: "media_sequence_backwards") { edit in
        edit.add(-1_000, to: "#EXT-X-MEDIA-SEQUENCE")
    }

    static let mediaSequenceJump = FaultKind(ofVersions: "media_sequence_jump") { edit in
        edit.add(1_000, to: "#EXT-X-MEDIA-SEQUENCE")
    }

    /// Removes the last three segments, or fewer where fewer than six are listed.
    ///
    /// For two target durations only: after three, the list would continue the one before.
    static let playlistShrunk = FaultKind(ofVersions: "playlist_shrunk", targets: 2) { edit in
        let segments = edit.uriLines
        guard segments.count > 1 else { return }
        let kept = max(1, segments.count - min(3, segments.count / 2))
        let end = segments[segments.count - 1]
        edit.lines.removeSubrange((segments[kept - 1] + 1)...end)
    }

    static let windowExplosion = FaultKind(ofVersions: "window_explosion") { edit in
        guard let last = edit.uriLines.last else { return }
        let name = edit.lines[last]
        guard let number = Int64(name.prefix { $0.isNumber }),
            let duration = edit.lastLine(beginningWith: "#EXTINF:").map({ edit.lines[$0] })
        else { return }
        let rest = name.drop { $0.isNumber }
        let added = (1...10).flatMap { [duration, "\(number &+ Int64($0))\(rest)"] }
        edit.lines.insert(contentsOf: added, at: last + 1)
    }

    static let endlistOnLive = FaultKind(ofVersions: "endlist_on_live") { edit in
        guard let last = edit.uriLines.last else { return }
        edit.lines.insert("#EXT-X-ENDLIST", at: last + 1)
    }

    static let targetDurationChanged = FaultKind(ofVersions: "target_duration_changed") { edit in
        edit.add(1, to: "#EXT-X-TARGETDURATION")
    }
}
