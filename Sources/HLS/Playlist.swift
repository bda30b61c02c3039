// Playlists contain instants, so every importer of HLS needs them.
@_exported public import Values

package enum Playlist: Sendable {
    case multivariant(MultivariantPlaylist)
    case media(MediaPlaylist)

    package static let maximumBytes = 64 << 20

    /// Replaces variable references (bis-22 sections 4.3 and 4.4.2.3).
    ///
    /// `url` is the one after redirects, for QUERYPARAM; `imported` are from ``MultivariantPlaylist/variables(url:)``. A playlist
    /// with references keeps the replaced text, and its definitions as they were written.
    package static func parse(
        _ body: UnsafeRawBufferPointer,
        url: String,
        importing imported: [String: String] = [:]
    ) throws(PlaylistError) -> Playlist {
        if !VariableExpansion.hasReferences(body) {
            let playlist = try parse(body)
            guard !playlist.head.definitions.isEmpty else { return playlist }
        }
        let lines = try PlaylistLines(opening: body)
        let text = try VariableExpansion(lines, url: url, imported: imported).expanded()
        return try Playlist(parsing: text)
    }

    private var head: PlaylistHead {
        switch self {
        case .multivariant(let playlist): playlist.head
        case .media(let playlist): playlist.head
        }
    }

    package init(parsing body: [UInt8]) throws(PlaylistError) {
        self = try body.span.bytes.withUnsafeBytes { text throws(PlaylistError) in try Self.parse(text, keeping: body) }
    }

    package init(parsing body: String) throws(PlaylistError) { try self.init(parsing: Array(body.utf8)) }

    /// Linear time; no input traps.
    ///
    /// `text` are the same bytes, which are copied without it.
    package static func parse(
        _ body: UnsafeRawBufferPointer,
        keeping text: [UInt8]? = nil
    ) throws(PlaylistError) -> Playlist {
        var lines = try PlaylistLines(opening: body)
        var header = PlaylistHeader()
        while let line = lines.next() {
            switch line.kind {
            case .uri:
                let detail = "a URI line needs EXTINF or EXT-X-STREAM-INF before it"
                throw lines.error(.unexpectedURI, at: line.start, detail)
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

/// `detail` never quotes the body: its URIs can carry session tokens, and errors end up in reports.
package struct PlaylistError: Error, Equatable, Sendable {
    package enum Code: Sendable, CaseIterable {
        case notAPlaylist
        /// RFC 8216 section 4.1 forbids a byte order mark.
        case byteOrderMark
        case tooLarge, missingTargetDuration, badExtinf, badTag, badDate, badAttributeList, missingAttribute
        /// A tag that may stand once stands again (bis-22 section 4.4.3).
        case duplicateTag
        /// A tag after the first segment that must precede it.
        case misplacedTag
        case unexpectedURI, missingURI
        /// Tags of media and multivariant playlists (RFC 8216 section 4.1).
        case mixedKinds
        /// A reference or an import without a value (bis-22 sections 4.3 and 4.4.2.3).
        case undefinedVariable
        /// See bis-22 section 4.4.2.3.
        case duplicateVariable, variablesTooLong

        /// Stays the same between releases.
        package var name: String { MemberName.of("\(self)") }
    }

    package var code: Code
    /// Counted from 1.
    package var line: Int
    package var detail: String

    package init(code: Code, line: Int, detail: String) { (self.code, self.line, self.detail) = (code, line, detail) }
}
