import HLS

// What only several edges of a CDN can do wrong; `edge` says which of them does.
enum EdgeFaults {
    /// Gives the sessions in the share another asset list than the others get for the same interstitial.
    static let assetListMismatch = FaultKind("asset_list_mismatch", kinds: [.assetList]) { _, _, effects in
        effects.decisionSalt = 1
    }

    /// Keeps an edge behind the others by `shift`, four target durations unless told otherwise.
    ///
    /// Found as time travel by viewers whose requests reach several edges, and not at all by viewers that stay at one.
    static let edgeBehind = FaultKind(
        "edge_behind",
        kinds: RequestKind.liveMedia,
        parameters: [.shift]
    ) { fault, occasion, effects in
        effects.playlistFrozenAt = occasion.now - lag(fault, occasion)
    }

    /// Sets an edge back by `shift` at the break's start, by default four target durations.
    ///
    /// It then catches up at double speed.
    static let edgeTimeTravel = FaultKind(
        "edge_time_travel",
        kinds: RequestKind.liveMedia,
        parameters: [.shift]
    ) { fault, occasion, effects in
        guard let start = occasion.breakStart.map({ $0 + (fault.from ?? .zero) }), occasion.now >= start else { return }
        let left = lag(fault, occasion) - occasion.now.duration(since: start)
        guard left > .zero else { return }
        effects.playlistFrozenAt = occasion.now - left
    }

    /// Names the segments of the break's first two target durations as another packager would.
    ///
    /// A viewer in the share gets these names as long as they are listed, so that nothing changes for it. The segments
    /// must leave the window within half a break interval.
    static let edgeContentDiffers = FaultKind(
        "edge_content_differs",
        kinds: RequestKind.liveMedia
    ) { edit, _, occasion in
        guard let start = occasion.breakStart else { return }
        let end = start + occasion.targetDuration * 2
        var date: WallTime?
        for place in edit.lines.indices {
            let line = edit.lines[place]
            if line.hasPrefix(programDatePrefix) {
                date = WallTime(iso8601: String(line.dropFirst(programDatePrefix.count)))
            } else if line.hasPrefix("#EXTINF:"), let seconds = Double(line.dropFirst(8).prefix { $0 != "," }) {
                if let begin = date, begin >= start, begin < end {
                    edit.renameSegment(after: place)
                }
                date = date.map { $0 + .microseconds(Int64((seconds * 1e6).rounded())) }
            }
        }
    }

    private static let programDatePrefix = "#EXT-X-PROGRAM-DATE-TIME:"

    private static func lag(_ fault: PlannedFault, _ occasion: FaultOccasion) -> Duration {
        guard let shift = fault.shift else { return occasion.targetDuration * 4 }
        return shift < .zero ? .zero - shift : shift
    }
}

extension AnswerEdit {
    /// Spells the URI after an EXTINF in another way that still leads to the segment.
    fileprivate mutating func renameSegment(after place: Int) {
        guard let uri = lines.indices.first(where: { $0 > place && !lines[$0].isEmpty && !lines[$0].hasPrefix("#") })
        else { return }
        if !lines[uri].contains(":"), !lines[uri].hasPrefix("/"), !lines[uri].hasPrefix("{") {
            lines[uri] = "./" + lines[uri]
        }
    }
}
