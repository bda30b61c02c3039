import TestSupport
import Testing

@testable import HLS

/// Playlists that are refused: the error names what is wrong and where.
@Suite struct PlaylistErrorTests {
    struct Refused: CustomTestStringConvertible, Sendable {
        /// The code of the error and its line.
        let testDescription: String
        let text: String
    }

    /// A line of `===` with the code and the line stands before each playlist of the file.
    static let refused: [Refused] =
        (try? PackageFolder.text("Tests/HLSTests/Playlists/refused.txt"))?.split(separator: "=== ").dropFirst().map {
            let head = $0.prefix { $0 != "\n" }
            return Refused(testDescription: String(head), text: String($0.dropFirst(head.count + 1)))
        } ?? []

    @Test(
        arguments: refused + [
            Refused(testDescription: "not_a_playlist 1", text: ""),
            Refused(testDescription: "missing_target_duration 1", text: "#EXTM3U"),
            Refused(testDescription: "byte_order_mark 1", text: "\u{FEFF}#EXTM3U\n"),
        ]
    ) func namesWhatIsWrongAndWhere(_ refused: Refused) throws {
        let error = try #require(throws: PlaylistError.self) {
            try Array(refused.text.utf8).withUnsafeBytes { body in
                try Playlist.parse(body, url: "https://h/p.m3u8?session=s%3A1", importing: [:])
            }
        }
        #expect("\(error.code.name) \(error.line)" == refused.testDescription)
        #expect(!error.detail.contains("gone"), "the text is not quoted")
    }

    @Test func theRefusedPlaylistsAreThere() { #expect(Self.refused.count == 76) }

    @Test func aBodyPastTheLimitIsNotRead() {
        let body = [UInt8](repeating: 0x0A, count: Playlist.maximumBytes + 1)
        let error = #expect(throws: PlaylistError.self) { try Playlist(parsing: body) }
        #expect(error?.code == .tooLarge)
    }

    @Test(arguments: [
        Samples.media("#EXTINF:secret-token,", "0.ts"), Samples.media("#EXT-X-MAP:URI=\"secret-token"),
        Samples.media("secret-token"), Samples.media("#EXT-X-PROGRAM-DATE-TIME:secret-token"),
    ]) func messagesNeverQuoteTheBody(_ text: String) {
        let error = #expect(throws: PlaylistError.self) { try Playlist(parsing: text) }
        #expect(error?.detail.contains("secret") == false)
        #expect(error?.detail.isEmpty == false)
    }
}
