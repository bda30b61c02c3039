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
            let leak = "stream_id=\(strangersID(occasion))"
            if let first = edit.lines.first, first.hasPrefix("{") {
                edit.lines[0] = #"{"debug":"\#(leak)","# + first.dropFirst()
            } else {
                edit.insertInHeader("# \(leak)")
            }
        }
    )

    /// An id of the shape that the origin's own have, of a session that it never registered.
    private static func strangersID(_ occasion: FaultOccasion) -> String {
        var hash = SeededHash(seed: 0)
        hash.combine("stranger")
        hash.combine(occasion.viewer)
        let digits = String(String(hash.value, radix: 16).suffix(12)).leftPadded(to: 12)
        return "00000000-0000-4000-8000-\(digits)%3ATUL"
    }
}

extension RequestKind {
    fileprivate var isPod: Bool { self == .podPlaylist || self == .podManifest }
}
