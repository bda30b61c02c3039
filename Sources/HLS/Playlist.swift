package enum Playlist: Sendable {
    case multivariant(MultivariantPlaylist)
    case media(MediaPlaylist)

    /// Limit on the size of a body.
    package static let maximumBytes = 64 << 20
}

extension Playlist {
    /// Reads a playlist in one pass over its bytes, in linear time.
    ///
    /// No input traps, such as numbers that overflow or negative durations.
    package static func parse(_ body: UnsafeRawBufferPointer) throws(PlaylistError) -> Playlist {
        try parse(body, keeping: nil)
    }

    /// Reads a playlist and replaces its variable references (bis-22 sections 4.3 and 4.4.2.3).
    ///
    /// `url` is the playlist's, after redirects, for QUERYPARAM; `imported` are the variables of the multivariant playlist
    /// (``VariableScope/exported(by:url:)``), for IMPORT. A playlist with references contains the replaced text, and has
    /// another meaning at another URL. One without references is unchanged. Definitions and their values are not kept.
    package static func parse(
        _ body: UnsafeRawBufferPointer,
        url: String,
        importing imported: [String: String] = [:]
    ) throws(PlaylistError) -> Playlist {
        if !VariableExpansion.hasReferences(body) {
            let playlist = try parse(body)
            guard !playlist.definitions.isEmpty else {
                return playlist
            }
        }
        let lines = try PlaylistLines(opening: body)
        let text = try VariableExpansion(lines, url: url, imported: imported).expanded()
        return try Playlist(parsing: text)
    }

    /// EXT-X-DEFINE, in order.
    package var definitions: [VariableDefinition] {
        switch self {
        case .multivariant(let playlist): playlist.definitions
        case .media(let playlist): playlist.definitions
        }
    }

    package init(parsing body: [UInt8]) throws(PlaylistError) {
        let result = body.withUnsafeBytes { bytes in
            Result { () throws(PlaylistError) in try Playlist.parse(bytes, keeping: body) }
        }
        self = try result.get()
    }

    package init(parsing body: String) throws(PlaylistError) {
        try self.init(parsing: Array(body.utf8))
    }

    /// Reads `body`; a media playlist keeps `text` if it is given, and a copy of the body otherwise.
    private static func parse(
        _ body: UnsafeRawBufferPointer,
        keeping text: [UInt8]?
    ) throws(PlaylistError) -> Playlist {
        var lines = try PlaylistLines(opening: body)
        var header = PlaylistHeader()
        while let line = lines.next() {
            switch line.kind {
            case .uri:
                throw lines.error(
                    .unexpectedURI,
                    at: line.start,
                    "a URI line needs EXTINF or EXT-X-STREAM-INF before it"
                )
            case .tag(let tag) where tag.isMedia:
                var parser = MediaPlaylistParser(lines: lines, header: header)
                return .media(try parser.parse(from: line, keeping: text))
            case .tag(let tag) where tag.isMultivariant:
                var parser = MultivariantPlaylistParser(lines: lines, header: header)
                return .multivariant(try parser.parse(from: line))
            case .tag(let tag):
                try header.read(tag, line, lines)
            }
        }
        throw lines.error(.missingTargetDuration, at: body.count, "no EXT-X-TARGETDURATION")
    }
}
