import AdServing

enum ForeignStreamIDFault {
    /// Where the URIs of a pod name another's session.
    enum Piece: String, CaseIterable, Sendable {
        /// In the query, as a cache that ignores it would.
        case query
        /// In the paths of what is listed, as a stitcher would that mixes up its sessions.
        case path
    }

    /// Puts another viewer's stream id into the body: into the URIs of pods, and into other bodies beside what they say.
    ///
    /// Nothing happens while no other viewer was given any: what nobody has is no leak.
    static let foreignStreamID = FaultKind(
        "foreign_stream_id",
        kinds: [.podPlaylist, .podManifest, .playlist, .blockingPlaylist, .assetList, .assetManifest, .metadata],
        defaultCount: 1,
        parameters: [.piece],
        when: { fault, occasion in
            occasion.neighbour != nil && (!occasion.kind.isPod || fault.piece == .path)
        },
        apply: { fault, occasion, effects in
            if occasion.kind.isPod, fault.piece == .query { effects.foreignStreamID = occasion.neighbour }
        },
        edit: { edit, _, occasion in
            guard let neighbour = occasion.neighbour else { return }
            let id = StreamID(neighbour).percentEncoded
            guard !occasion.kind.isPod else { return putIntoPaths(id, &edit) }
            // As pod serving names it, and as MediaTailor does.
            let leak = "stream_id=\(id)&aws.sessionId=\(neighbour.prefix { $0 != ":" })"
            if let first = edit.lines.first, first.hasPrefix("{") {
                edit.lines[0] = #"{"debug":"\#(leak)","# + first.dropFirst()
            } else {
                edit.insertInHeader("# \(leak)")
            }
        },
        stitchedAddress: { address, occasion in
            guard let neighbour = occasion.neighbour else { return address }
            let path = LivePlaylistPath(target: occasion.target).absolute(address)
            return SessionPiece.put(StreamID(neighbour).percentEncoded, before: path)
        }
    )

    private static func putIntoPaths(_ id: String, _ edit: inout AnswerEdit) {
        edit.changeAddresses { $0.hasPrefix("/") ? SessionPiece.put(id, before: $0) : $0 }
    }
}

extension RequestKind {
    fileprivate var isPod: Bool { self == .podPlaylist || self == .podManifest }
}
