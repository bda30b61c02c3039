import TestSupport

@testable import HLS

/// Playlists that the suites share, written by hand and not by the writer under test.
enum Samples {
    /// A live playlist with most tags a media playlist can have.
    static let live = text("live")
    static let multivariant = text("multivariant")

    private static func text(_ name: String) -> String {
        (try? PackageFolder.text("Tests/HLSTests/Playlists/\(name).m3u8")) ?? ""
    }

    /// A small valid playlist with these lines in place of segments.
    static func media(_ lines: String...) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + lines.joined(separator: "\n") + "\n"
    }

    static func playlist(_ lines: String...) throws -> MediaPlaylist {
        try mediaPlaylist("#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + lines.joined(separator: "\n") + "\n")
    }

    static func mediaPlaylist(_ text: String) throws -> MediaPlaylist {
        guard case .media(let playlist) = try Playlist(parsing: text) else { throw WrongKind() }
        return playlist
    }

    static func multivariantPlaylist(_ text: String) throws -> MultivariantPlaylist {
        guard case .multivariant(let playlist) = try Playlist(parsing: text) else { throw WrongKind() }
        return playlist
    }

    struct WrongKind: Error {}
}
