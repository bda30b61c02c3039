import AdServing
import HLS

extension FaultKind {
    /// Faults by which viewers of one break, or edges of a CDN (`edge`), differ.
    ///
    /// An announcement must appear and leave the window within half a break interval of the start: a viewer's version is
    /// constant only there.
    static let audience: [FaultKind] = [
        .setting("pod_mismatch", \.decisionSalt, to: 1, of: [.podManifest, .assetList], byDefault: 1),
        .edit("pod_ladder_differs", of: [.podManifest]) { edit, _, _ in
            guard let last = edit.lastLine(beginningWith: AnswerEdit.variantTag),
                last != edit.firstLine(beginningWith: AnswerEdit.variantTag)
            else { return }
            edit.lines.removeSubrange(last...min(last + 1, edit.lines.count - 1))
        },
        .setting("asset_list_mismatch", \.decisionSalt, to: 1, of: [.assetList]),
        foreignStreamID,
        // Only in breaks that the channel itself carries.
        .setting("stitched_mismatch", \.stitchedSalt, to: StitchedMarkup.mismatch),
        // Later by `shift`, by default half a second.
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
        .edit("early_return_missed") { edit, _, _ in
            for place in edit.dateRangeLines { edit.removeAttribute(InterstitialName.playoutLimit, inLine: place) }
        },
        // Lags by `shift`, by default four target durations; only viewers of several edges see time travel.
        .effect("edge_behind", parameters: [.shift]) { fault, occasion, effects in
            effects.playlistFrozenAt = occasion.now - fault.lag(occasion.targetDuration * 4)
        },
        // Goes back by `shift`, by default four target durations, and then catches up at double speed.
        .effect("edge_time_travel", parameters: [.shift]) { fault, occasion, effects in
            guard let since = FaultMoment.since(fault, occasion), since >= .zero else { return }
            let left = fault.lag(occasion.targetDuration * 4) - since
            guard left > .zero else { return }
            effects.playlistFrozenAt = occasion.now - left
        },
        // Other names for the break's first segments, as of another packager.
        //
        // A viewer gets them as long as they are listed: the segments must leave the window within half a break interval.
        .edit("edge_content_differs") { edit, _, occasion in
            for (_, segment) in edit.segments(from: occasion.breakStart, offsets: 0..<2) {
                let uri = edit.lines[segment.lines.upperBound]
                // Still leads to the segment.
                guard !uri.contains(":"), !uri.hasPrefix("/"), !uri.hasPrefix("{") else { continue }
                edit.lines[segment.lines.upperBound] = "./" + uri
            }
        },
    ]

    /// Another viewer's stream id; no effect without another session: an unassigned id is not a leak.
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
                // As in pod serving and MediaTailor.
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
    /// Ranges near the break's start; nil removes one.
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
