import AdServing

enum ForeignStreamIDFault {
    /// Puts another session's stream id into the body: into the URIs of pods, as a cache that ignores the query would, and
    /// into other bodies beside what they say.
    static let foreignStreamID = FaultKind(
        "foreign_stream_id",
        kinds: [.podPlaylist, .podManifest, .playlist, .blockingPlaylist, .assetList, .assetManifest, .metadata],
        defaultCount: 1,
        apply: { _, occasion, effects in
            if occasion.kind.isPod { effects.streamID = .foreign }
        },
        edit: { edit, _, occasion in
            guard !occasion.kind.isPod else { return }
            // As pod serving names it, and as MediaTailor does.
            let session = occasion.neighbour.prefix { $0 != ":" }
            let leak = "stream_id=\(StreamID(occasion.neighbour).percentEncoded)&aws.sessionId=\(session)"
            if let first = edit.lines.first, first.hasPrefix("{") {
                edit.lines[0] = #"{"debug":"\#(leak)","# + first.dropFirst()
            } else {
                edit.insertInHeader("# \(leak)")
            }
        }
    )

    /// Names another viewer's session in the paths of what a pod lists, as a stitcher would that mixes up its sessions.
    static let foreignSessionPath = FaultKind(
        "foreign_session_path",
        kinds: [.podPlaylist],
        editing: { edit, _, occasion in
            let session = StreamID(occasion.neighbour).percentEncoded
            for place in edit.lines.indices {
                edit.lines[place] = AddressRewriter.replacingAddresses(in: edit.lines[place]) { address in
                    address.hasPrefix("/") ? SessionPiece.put(session, before: address) : address
                }
            }
        }
    )
}

extension RequestKind {
    fileprivate var isPod: Bool { self == .podPlaylist || self == .podManifest }
}
