import AdServing
import HLS

extension FaultKind {
    /// Faults by which viewers of one break differ, or requests that reach several edges of a CDN (`edge` selects the edge).
    ///
    /// A viewer's version of an announcement stays constant only within the break's zone: the announcement must appear and leave
    /// the window within half a break interval of the start.
    static let audience: [FaultKind] = [
        .setting("pod_mismatch", \.decisionSalt, to: 1, of: [.podManifest, .assetList], byDefault: 1),
        .edit("pod_ladder_differs", of: [.podManifest]) { edit, _, _ in
            guard let last = edit.lastLine(beginningWith: AnswerEdit.variantTag),
                last != edit.firstLine(beginningWith: AnswerEdit.variantTag)
            else { return }
            edit.lines.removeSubrange(last...min(last + 1, edit.lines.count - 1))
        },
        // Another asset list for the interstitial in the sessions of the share.
        .setting("asset_list_mismatch", \.decisionSalt, to: 1, of: [.assetList]),
        foreignStreamID,
        // Other ad segments for the viewers in the share, in breaks that the channel itself carries.
        .setting("stitched_mismatch", \.stitchedSalt, to: StitchedMarkup.mismatch),
        // A start that is `shift` later; by default half a second.
        .edit("break_start_differs", parameters: [.shift]) { edit, fault, occasion in
            edit.changeRanges(of: occasion) { line in
                guard let value = AnswerEdit.attribute("START-DATE", in: line),
                    let start = WallTime(iso8601: String(value))
                else { return line }
                let shifted = start + (fault.shift ?? .milliseconds(500))
                return line[..<value.startIndex] + shifted.iso8601 + line[value.endIndex...]
            }
        },
        .edit("break_announcement_differs") { edit, _, occasion in
            edit.changeRanges(of: occasion) { line in line.replacing("ID=\"", with: "ID=\"b-", maxReplacements: 1) }
        },
        .edit("break_announcement_missing") { edit, _, occasion in edit.changeRanges(of: occasion) { _ in nil } },
        // No X-PLAYOUT-LIMIT, so that an early return of the channel plan is missed.
        .edit("early_return_missed") { edit, _, _ in
            for place in edit.dateRangeLines { edit.removeAttribute(InterstitialName.playoutLimit, inLine: place) }
        },
        // An edge that lags by `shift`, by default four target durations.
        //
        // Viewers whose requests reach several edges see time travel; viewers of one edge see nothing.
        .effect("edge_behind", parameters: [.shift]) { fault, occasion, effects in
            effects.playlistFrozenAt = occasion.now - fault.lag(occasion.targetDuration * 4)
        },
        // An edge that goes back by `shift` at the break's start, by default four target durations, and then catches up at
        // double speed.
        .effect("edge_time_travel", parameters: [.shift]) { fault, occasion, effects in
            guard let since = FaultMoment.since(fault, occasion), since >= .zero else { return }
            let left = fault.lag(occasion.targetDuration * 4) - since
            guard left > .zero else { return }
            effects.playlistFrozenAt = occasion.now - left
        },
        // Other names, as of another packager, for the segments of the break's first two target durations.
        //
        // A viewer in the share gets these names as long as they are listed, so that no version contradicts another. The
        // segments must leave the window within half a break interval.
        .edit("edge_content_differs") { edit, _, occasion in
            for (_, segment) in edit.segments(from: occasion.breakStart, offsets: 0..<2) {
                let uri = edit.lines[segment.lines.upperBound]
                // A spelling that still leads to the segment.
                guard !uri.contains(":"), !uri.hasPrefix("/"), !uri.hasPrefix("{") else { continue }
                edit.lines[segment.lines.upperBound] = "./" + uri
            }
        },
    ]

    /// Another viewer's stream id in URIs of pods, and as an addition to other bodies.
    ///
    /// No effect while no other viewer has a session: an unassigned id is no leak.
    private static let foreignStreamID: FaultKind = {
        var kind = FaultKind.edit(
            "foreign_stream_id",
            of: [.podPlaylist, .podManifest, .playlist, .blockingPlaylist, .assetList, .assetManifest, .metadata],
            byDefault: 1,
            parameters: [.piece],
            when: { fault, occasion in occasion.neighbour != nil && (!occasion.kind.isPod || fault.piece == .path) },
            by: { edit, _, occasion in
                guard let neighbour = occasion.neighbour else { return }
                let id = StreamID(neighbour).percentEncoded
                guard !occasion.kind.isPod else {
                    return edit.changeAddresses { $0.hasPrefix("/") ? SessionPiece.put(id, before: $0) : $0 }
                }
                // In the forms of pod serving and of MediaTailor.
                let leak = "stream_id=\(id)&aws.sessionId=\(neighbour.prefix { $0 != ":" })"
                if let first = edit.lines.first, first.hasPrefix("{") {
                    edit.lines[0] = #"{"debug":"\#(leak)","# + first.dropFirst()
                } else {
                    edit.insertInHeader("# \(leak)")
                }
            }
        )
        kind.apply = { fault, occasion, effects in
            if occasion.kind.isPod, fault.piece == .query { effects.foreignStreamID = occasion.neighbour }
        }
        kind.stitchedAddress = { address, occasion in
            guard let neighbour = occasion.neighbour else { return address }
            let path = LivePlaylistPath(target: occasion.target).absolute(address)
            return SessionPiece.put(StreamID(neighbour).percentEncoded, before: path)
        }
        return kind
    }()
}

extension AnswerEdit {
    /// Changes the date ranges that start within two target durations of the break; nil removes one.
    fileprivate mutating func changeRanges(of occasion: FaultOccasion, _ change: (String) -> String?) {
        guard let start = occasion.breakStart else { return }
        let limit = occasion.targetDuration * 2
        for place in dateRangeLines.reversed() {
            guard let distance = self.start(ofRangeInLine: place)?.duration(since: start), distance <= limit,
                distance >= .zero - limit
            else { continue }
            lines.replaceSubrange(place...place, with: [change(lines[place])].compactMap { $0 })
        }
    }
}

extension RequestKind {
    fileprivate var isPod: Bool { self == .podPlaylist || self == .podManifest }
}
