import HLS

// Faults of a CDN with several edges; `edge` selects the edge.
enum EdgeFaults {
    /// Another asset list for the interstitial in the sessions of the share.
    static let assetListMismatch = FaultKind("asset_list_mismatch", kinds: [.assetList]) { _, _, effects in
        effects.decisionSalt = 1
    }

    /// An edge that lags by `shift`, by default four target durations.
    ///
    /// Viewers whose requests reach several edges see time travel; viewers of one edge see nothing.
    static let edgeBehind = FaultKind(
        "edge_behind",
        kinds: RequestKind.liveMedia,
        parameters: [.shift]
    ) { fault, occasion, effects in
        effects.playlistFrozenAt = occasion.now - lag(fault, occasion)
    }

    /// An edge that goes back by `shift` at the break's start, by default four target durations, and then catches up at double
    /// speed.
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

    /// Other names, as of another packager, for the segments of the break's first two target durations.
    ///
    /// A viewer in the share gets these names as long as they are listed, so that no version contradicts another. The segments
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
    /// Changes the spelling of the URI after an EXTINF to one that still leads to the segment.
    fileprivate mutating func renameSegment(after place: Int) {
        guard let uri = lines.indices.first(where: { $0 > place && !lines[$0].isEmpty && !lines[$0].hasPrefix("#") })
        else { return }
        if !lines[uri].contains(":"), !lines[uri].hasPrefix("/"), !lines[uri].hasPrefix("{") {
            lines[uri] = "./" + lines[uri]
        }
    }
}
