import AdServing

enum ForeignStreamIDFault {
    enum Piece: String, CaseIterable, Sendable {
        /// Query, as from a cache that ignores it.
        case query
        /// Paths of listed URIs, as from a stitcher that confuses its sessions.
        case path
    }

    /// Another viewer's stream id in URIs of pods, and as an addition to other bodies.
    ///
    /// No effect while no other viewer has a session: an unassigned id is no leak.
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
            // In the forms of pod serving and of MediaTailor.
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
