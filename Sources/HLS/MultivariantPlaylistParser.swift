/// Reads a multivariant playlist line by line; a stream's attributes are kept until its URI line.
struct MultivariantPlaylistParser {
    private var lines: PlaylistLines
    private var header: PlaylistHeader
    private var playlist = MultivariantPlaylist()
    private var pendingVariant: MultivariantPlaylist.Variant?

    init(lines: PlaylistLines, header: PlaylistHeader) {
        self.lines = lines
        self.header = header
    }

    mutating func parse(from first: PlaylistLines.Line) throws(PlaylistError) -> MultivariantPlaylist {
        playlist.otherTags = header.otherLines.map(string)
        var line: PlaylistLines.Line? = first
        while let current = line {
            switch current.kind {
            case .uri: try finishVariant(current)
            case .tag(let tag): try read(tag, current)
            }
            line = lines.next()
        }
        guard pendingVariant == nil else {
            throw lines.error(.missingURI, at: lines.bytes.count, "the last EXT-X-STREAM-INF has no URI line")
        }
        playlist.version = header.version
        playlist.independentSegments = header.isIndependentSegments
        playlist.startPoint = header.startPoint
        playlist.definitions = header.definitions
        if let offset = header.importOffset {
            throw lines.error(.misplacedTag, at: offset, "IMPORT belongs in media playlists only")
        }
        return playlist
    }

    private func string(_ range: Range<Int>) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: lines.bytes[range]), as: UTF8.self)
    }

    private mutating func finishVariant(_ line: PlaylistLines.Line) throws(PlaylistError) {
        guard var variant = pendingVariant else {
            throw lines.error(.unexpectedURI, at: line.start, "a URI line needs EXT-X-STREAM-INF before it")
        }
        variant.uri = string(line.range)
        playlist.variants.append(variant)
        pendingVariant = nil
    }

    private mutating func read(_ tag: PlaylistTag, _ line: PlaylistLines.Line) throws(PlaylistError) {
        switch tag {
        case .streamInf:
            guard pendingVariant == nil else {
                throw lines.error(.missingURI, at: line.start, "EXT-X-STREAM-INF follows another without a URI line")
            }
            pendingVariant = try StreamTag(lines: lines, line: line).variant().variant
        case .iFrameStreamInf:
            let (variant, hasURI) = try StreamTag(lines: lines, line: line).variant()
            guard hasURI else {
                throw lines.error(.missingAttribute, at: line.start, "EXT-X-I-FRAME-STREAM-INF needs URI")
            }
            playlist.iFrameVariants.append(variant)
        case .media:
            if let rendition = try StreamTag(lines: lines, line: line).rendition() {
                playlist.renditions.append(rendition)
            }
        case .version, .independentSegments, .start, .define, .extm3u:
            try header.read(tag, line, lines)
        case .contentSteering:
            try header.once(tag, line, lines)
            playlist.contentSteering = try StreamTag(lines: lines, line: line).contentSteering()
        case .sessionData, .sessionKey, .unknown:
            playlist.otherTags.append(string(line.range))
        default:
            throw lines.error(.mixedKinds, at: line.start, "\(tag.fullName) does not belong in a multivariant playlist")
        }
    }
}
