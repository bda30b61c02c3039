enum ClipTracks: Hashable, Sendable {
    case all
    case video
    case audio

    /// Whether a track with this handler (ISO/IEC 14496-12 8.4.3) is selected.
    func contains(handler: String) -> Bool {
        switch self {
        case .all: true
        case .video: handler == "vide"
        case .audio: handler == "soun"
        }
    }
}

extension ClipFile {
    /// Keeps some tracks of the clip and cuts its seconds into pieces of equal length.
    ///
    /// Each piece is a fragment of its own, `moof` and `mdat`, with the samples that begin in its time.
    func cut(to tracks: ClipTracks, piecesPerSecond pieces: Int) throws(ClipError) -> ClipFile {
        guard tracks != .all || pieces != 1 else { return self }
        guard piecesPerSecond == 1, pieces > 0, ClipProfile.frameRate % pieces == 0 else {
            throw ClipError(description: "a second of \(ClipProfile.frameRate) frames has no \(pieces) equal pieces")
        }
        let header = try InitializationSection(parsing: initialization, keeping: tracks)
        var cut: [Fragment] = []
        for (second, fragment) in fragments.enumerated() {
            let parsed = try FragmentSamples(parsing: fragment).tracks.filter { header.tracks.contains($0.identifier) }
            for piece in 0..<pieces {
                let from = second * pieces + piece
                cut.append(
                    FragmentSamples.write(parsed.map { $0.samples(ofPiece: from, piecesPerSecond: pieces) })
                )
            }
        }
        let kept = codecs.split(separator: ",").filter { name in
            tracks.contains(handler: name.hasPrefix("avc1") ? "vide" : "soun")
        }
        return ClipFile(
            initialization: header.bytes,
            fragments: cut,
            codecs: kept.joined(separator: ","),
            piecesPerSecond: pieces
        )
    }
}

private struct InitializationSection {
    let bytes: [UInt8]
    let tracks: Set<UInt32>

    init(parsing section: [UInt8], keeping wanted: ClipTracks) throws(ClipError) {
        var output: [UInt8] = []
        var kept: Set<UInt32> = []
        for box in MovieBox.list(in: section, 0..<section.count) {
            guard box.type == "moov" else {
                output += section[box.range]
                continue
            }
            var content: [UInt8] = []
            for part in MovieBox.list(in: section, box.content) {
                switch part.type {
                case "trak":
                    guard let track = Self.track(section, part) else {
                        throw ClipError(description: "a track without an identifier or a handler")
                    }
                    guard wanted.contains(handler: track.handler) else { continue }
                    kept.insert(track.identifier)
                    content += section[part.range]
                case "mvex":
                    var defaults: [UInt8] = []
                    for item in MovieBox.list(in: section, part.content) {
                        let track: UInt32? = MovieBox.integer(in: section, at: item.content.lowerBound + 4)
                        guard item.type != "trex" || track.map({ kept.contains($0) }) ?? false else { continue }
                        defaults += section[item.range]
                    }
                    content += MovieBox.bytes("mvex", defaults)
                default: content += section[part.range]
                }
            }
            output += MovieBox.bytes("moov", content)
        }
        guard !kept.isEmpty else { throw ClipError(description: "none of the wanted tracks") }
        bytes = output
        tracks = kept
    }

    private static func track(_ section: [UInt8], _ track: MovieBox) -> (identifier: UInt32, handler: String)? {
        var identifier: UInt32?
        for box in MovieBox.list(in: section, track.content) {
            if box.type == "tkhd" { identifier = MovieBox.integer(in: section, at: box.content.lowerBound + 12) }
            guard box.type == "mdia" else { continue }
            for part in MovieBox.list(in: section, box.content) where part.type == "hdlr" {
                let at = part.content.lowerBound + 8
                guard let identifier, at + 4 <= part.content.upperBound else { return nil }
                return (identifier, String(decoding: section[at..<at + 4], as: UTF8.self))
            }
        }
        return nil
    }
}
