import Testing

@testable import HLS

@Suite struct PlaylistErrorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var text: String
        var code: PlaylistError.Code
        var line: Int

        var testDescription: String { "\(code.rawValue) at \(line)" }
    }

    static let wholeBodies: [Case] = [
        Case(text: "", code: .notAPlaylist, line: 1),
        Case(text: "<html></html>", code: .notAPlaylist, line: 1),
        Case(text: "{\"error\":1}", code: .notAPlaylist, line: 1),
        Case(text: "\n#EXTM3U\n", code: .notAPlaylist, line: 1),
        Case(text: " #EXTM3U\n", code: .notAPlaylist, line: 1),
        Case(text: "#EXTM3U8\n#EXT-X-TARGETDURATION:6\n", code: .notAPlaylist, line: 1),
        Case(text: "\u{FEFF}#EXTM3U\n", code: .byteOrderMark, line: 1),
        Case(text: "#EXTM3U", code: .missingTargetDuration, line: 1),
        Case(text: "#EXTM3U\n#EXT-X-VERSION:3\n", code: .missingTargetDuration, line: 3),
        Case(text: "#EXTM3U\n#EXTINF:6,\n0.ts\n", code: .missingTargetDuration, line: 4),
        Case(text: "#EXTM3U\n0.ts\n", code: .unexpectedURI, line: 2),
        Case(text: "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-VERSION:3\n", code: .duplicateTag, line: 3),
        Case(text: "#EXTM3U\n#EXT-X-VERSION:many\n", code: .badTag, line: 2),
        Case(text: "#EXTM3U\n#EXT-X-VERSION:\n", code: .badTag, line: 2),
        Case(text: "#EXTM3U\n#EXT-X-START:PRECISE=YES\n", code: .badTag, line: 2),
        Case(text: "#EXTM3U\n#EXT-X-DEFINE:VALUE=\"x\"\n", code: .badTag, line: 2),
        Case(text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n", code: .missingURI, line: 3),
        Case(text: "#EXTM3U\n#EXT-X-STREAM-INF:CODECS=\"a\"\na.m3u8\n", code: .missingAttribute, line: 2),
        Case(text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=-1\na.m3u8\n", code: .badTag, line: 2),
        Case(text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=99999999999999999999\na\n", code: .badTag, line: 2),
        Case(text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1920\na\n", code: .badTag, line: 2),
        Case(text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,FRAME-RATE=NaN\na\n", code: .badTag, line: 2),
        Case(text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a\na\n", code: .badAttributeList, line: 2),
        Case(
            text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n",
            code: .missingURI,
            line: 3
        ),
        Case(text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\nb\n", code: .unexpectedURI, line: 4),
        Case(text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXTINF:6,\nb\n", code: .mixedKinds, line: 4),
        Case(text: "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,NAME=\"a\"\n", code: .missingAttribute, line: 2),
        Case(text: "#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1\n", code: .missingAttribute, line: 2),
    ]

    /// Lines in a media playlist, where they are line 3.
    static let mediaLines: [(String, PlaylistError.Code)] = [
        ("#EXT-X-TARGETDURATION:6", .duplicateTag),
        ("#EXT-X-STREAM-INF:BANDWIDTH=1\na", .mixedKinds),
        ("#EXT-X-MEDIA-SEQUENCE:-1", .badTag),
        ("#EXT-X-MEDIA-SEQUENCE:18446744073709551616", .badTag),
        ("#EXT-X-MEDIA-SEQUENCE:", .badTag),
        ("#EXT-X-DISCONTINUITY-SEQUENCE:1.5", .badTag),
        ("#EXT-X-PLAYLIST-TYPE:LIVE", .badTag),
        ("#EXT-X-BYTERANGE:1@", .badTag),
        ("#EXT-X-BYTERANGE:@1", .badTag),
        ("#EXT-X-BYTERANGE", .badTag),
        ("#EXT-X-MAP:BYTERANGE=\"1@0\"", .missingAttribute),
        ("#EXT-X-MAP:URI=\"a\",BYTERANGE=\"x\"", .missingAttribute),
        ("#EXT-X-MAP:URI=\"a", .missingAttribute),
        ("#EXT-X-PROGRAM-DATE-TIME:today", .badDate),
        ("#EXT-X-PROGRAM-DATE-TIME:", .badDate),
        ("#EXT-X-PART-INF:PART-TARGET=x", .badAttributeList),
        ("#EXT-X-PART-INF:", .missingAttribute),
        ("#EXT-X-SERVER-CONTROL:HOLD-BACK=-1", .badAttributeList),
        ("#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=\"", .badAttributeList),
        ("#EXT-X-SKIP:SKIPPED-SEGMENTS=-1", .badAttributeList),
        ("#EXT-X-SKIP:", .missingAttribute),
        ("#EXT-X-PART:URI=\"a\"", .missingAttribute),
        ("#EXT-X-PART:DURATION=1", .missingAttribute),
        ("#EXT-X-PART:DURATION=1,URI=\"a\",BYTERANGE=\"a\"", .badAttributeList),
        ("#EXT-X-PRELOAD-HINT:TYPE=PART", .missingAttribute),
        ("#EXT-X-PRELOAD-HINT:URI=\"a\"", .missingAttribute),
        ("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"a\",BYTERANGE-START=-1", .badAttributeList),
        ("#EXT-X-RENDITION-REPORT:LAST-MSN=1", .missingAttribute),
        ("#EXT-X-RENDITION-REPORT:URI=\"a\",LAST-MSN=x", .badAttributeList),
        ("0.ts", .unexpectedURI),
    ]

    @Test(arguments: wholeBodies)
    func namesWhatIsWrongAndWhere(_ wrong: Case) {
        let error = #expect(throws: PlaylistError.self) { try Playlist(parsing: wrong.text) }
        #expect(error?.code == wrong.code)
        #expect(error?.line == wrong.line)
    }

    @Test(arguments: mediaLines)
    func refusesABadLineOfAMediaPlaylist(_ line: String, _ code: PlaylistError.Code) {
        let error = #expect(throws: PlaylistError.self) { try Playlist(parsing: Samples.media(line)) }
        #expect(error?.code == code)
        #expect(error?.line == 3)
    }

    @Test(arguments: ["#EXT-X-MEDIA-SEQUENCE:1", "#EXT-X-DISCONTINUITY-SEQUENCE:1"])
    func sequenceTagsMustPrecedeTheFirstSegment(_ line: String) {
        let error = #expect(throws: PlaylistError.self) {
            try Playlist(parsing: Samples.media("#EXTINF:6,", "0.ts", line))
        }
        #expect(error?.code == .misplacedTag)
        #expect(error?.line == 5)
    }

    @Test func theDiscontinuitySequenceMustPrecedeTheFirstDiscontinuity() {
        let error = #expect(throws: PlaylistError.self) {
            try Playlist(parsing: Samples.media("#EXT-X-DISCONTINUITY", "#EXT-X-DISCONTINUITY-SEQUENCE:1"))
        }
        #expect(error?.code == .misplacedTag)
    }

    @Test func aDurationNeedsItsURI() {
        let last = #expect(throws: PlaylistError.self) { try Playlist(parsing: Samples.media("#EXTINF:6,")) }
        #expect(last?.code == .missingURI)
        let twice = #expect(throws: PlaylistError.self) {
            try Playlist(parsing: Samples.media("#EXTINF:6,", "#EXTINF:6,", "0.ts"))
        }
        #expect(twice?.code == .missingURI)
        #expect(twice?.line == 4)
    }

    @Test func aTargetDurationPastAYearIsRefused() {
        let error = #expect(throws: PlaylistError.self) {
            try Playlist(parsing: "#EXTM3U\n#EXT-X-TARGETDURATION:31536001\n")
        }
        #expect(error?.code == .badTag)
    }

    @Test func aBodyPastTheLimitIsNotRead() {
        let body = [UInt8](repeating: 0x0A, count: Playlist.maximumBytes + 1)
        let error = #expect(throws: PlaylistError.self) { try Playlist(parsing: body) }
        #expect(error?.code == .tooLarge)
    }

    @Test(arguments: [
        Samples.media("#EXTINF:secret-token,", "0.ts"),
        Samples.media("#EXT-X-MAP:URI=\"secret-token"),
        Samples.media("secret-token"),
        Samples.media("#EXT-X-PROGRAM-DATE-TIME:secret-token"),
    ])
    func messagesNeverQuoteTheBody(_ text: String) {
        let error = #expect(throws: PlaylistError.self) { try Playlist(parsing: text) }
        #expect(error?.detail.contains("secret") == false)
        #expect(error?.detail.isEmpty == false)
    }
}
