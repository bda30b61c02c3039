import Conformance
import HLS
import Rulebook
import Testing

/// Each finding of one playlist: what it is found in and, beside it, the nearest that is legal.
@Suite struct OnePlaylistFindingTests {
    @Test func cleanBodiesBreakNothing() {
        #expect(Bodies.violations(Bodies.live).isEmpty)
        #expect(Bodies.violations(Bodies.lowLatency).isEmpty)
        #expect(Bodies.violations(Bodies.multivariant).isEmpty)
    }

    @Test func notAPlaylist() {
        #expect(Bodies.codes("<html>\n<body></body></html>") == ["not_a_playlist"])
        #expect(Bodies.codes("") == ["not_a_playlist"])
        #expect(Bodies.codes("#EXTM3U8\n#EXT-X-TARGETDURATION:4") == ["not_a_playlist"])
        #expect(Bodies.violations("<html>\n<body>").first?.observed == "HTML (13 bytes)")
        #expect(Bodies.violations("").first?.observed == "an empty body")
        #expect(Bodies.violations("\r\n#EXTM3U").first?.observed == "an empty line before #EXTM3U (9 bytes)")
        let marked = Bodies.violations("\u{FEFF}\(Bodies.live)")
        #expect(marked.map(\.code.code) == ["tag_malformed"])
        #expect(marked.first?.observed == "the bytes EF BB BF before #EXTM3U")
        #expect(!Bodies.codes("#EXTM3U\n#EXTINF:x,\na.ts").contains("not_a_playlist"))
    }

    @Test(arguments: [
        ("#EXT-X-VERSION:7", "#EXT-X-VERSION:seven"),
        ("#EXT-X-TARGETDURATION:4", "#EXT-X-TARGETDURATION:4.0"),
        ("#EXT-X-MEDIA-SEQUENCE:10", "#EXT-X-MEDIA-SEQUENCE:-1"),
        ("#EXT-X-DISCONTINUITY-SEQUENCE:1", "#EXT-X-DISCONTINUITY-SEQUENCE:"),
        ("#EXT-X-MAP:URI=\"init.mp4\"", "#EXT-X-MAP:URI=init.mp4"),
        ("#EXT-X-MAP:URI=\"init.mp4\"", "#EXT-X-MAP:BYTERANGE=\"1@2\""),
        ("#EXT-X-MAP:URI=\"init.mp4\"", "#EXT-X-MAP:URI=\"init.mp4\",URI=\"init.mp4\""),
        ("#EXT-X-MAP:URI=\"init.mp4\"", "#EXT-X-MAP:URI=\"init.mp4"),
        ("2026-11-21T20:00:08.000Z", "2026-11-21 20:00:08"),
        ("#EXTINF:4.000,\n13.m4s", "#EXTINF:four,\n13.m4s"),
        ("#EXTINF:4.000,\n13.m4s", "#EXTINF:-4,\n13.m4s"),
        ("#EXTINF:4.000,\n13.m4s", "#EXTINF:4.000,\n#EXT-X-BYTERANGE:x\n13.m4s"),
        ("#EXT-X-MAP:", "#EXT-X-BITRATE:fast\n#EXT-X-MAP:"),
        ("#EXT-X-MAP:", "#EXT-X-PLAYLIST-TYPE:LIVE\n#EXT-X-MAP:"),
        ("#EXT-X-MAP:", "#EXT-X-START:PRECISE=YES\n#EXT-X-MAP:"),
        ("#EXT-X-MAP:", "#EXT-X-SERVER-CONTROL:HOLD-BACK=\"12\"\n#EXT-X-MAP:"),
        ("#EXT-X-MAP:", "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=MAYBE\n#EXT-X-MAP:"),
        ("#EXT-X-MAP:", "#EXT-X-PRELOAD-HINT:TYPE=\"PART\",URI=\"x\"\n#EXT-X-MAP:"),
        ("#EXT-X-MAP:", "#EXT-X-RENDITION-REPORT:URI=\"http://abs/x.m3u8\"\n#EXT-X-MAP:"),
        ("#EXT-X-MAP:URI=\"init.mp4\"", "#EXT-X-MAP:URI=\"\""),
        ("12.m4s\n", "12.m4s\n#EXT-X-BYTERANGE:1000\n"),
    ])
    func tagMalformed(_ legal: String, _ broken: String) throws {
        let text = Bodies.live.replacing(legal, with: broken)
        let found = Bodies.violations(text)
        #expect(found.map(\.code.code) == ["tag_malformed"], "\(broken)")
        // The line is the broken one's, and is shown.
        let line = try #require(found.first?.line)
        let shown = text.split(separator: "\n", omittingEmptySubsequences: false)[line - 1]
        #expect(found.first?.observed == String(shown))
        #expect(!Bodies.live.split(separator: "\n").contains(shown))
    }

    /// The pairs of `RulePairTests` have each of its forms; here is that it comes alone, and says where.
    @Test func playlistFormLoose() {
        let text = Bodies.live.replacing("#EXTINF:4.000,\n13", with: "#EXTINF:4.000\n13").replacing(
            "14.m4s",
            with: "14.m4s\t"
        )
        let found = Bodies.violations(text)
        #expect(found.map(\.code.code) == ["playlist_form_loose", "playlist_form_loose", "playlist_form_loose"])
        #expect(found.map(\.line) == [15, 18, 18])
        #expect(found.first?.observed == "#EXTINF:4.000")
        #expect(Bodies.codes(Bodies.live + "\n#EXT-X-ALLOW-CACHE:NO") == ["playlist_form_loose"])
        #expect(Bodies.codes(Bodies.live.replacing("VERSION:7", with: "VERSION:99")) == ["playlist_form_loose"])
        #expect(Bodies.codes(Bodies.live.replacing("\n", with: "\r\n")) == [])
    }

    /// The nearest legal cases of what is malformed elsewhere.
    @Test(arguments: [
        "#EXT-X-PRELOAD-HINT:TYPE=MAP,URI=\"x\"", "#EXT-X-RENDITION-REPORT:URI=\"../b/x.m3u8?at=1:2\"",
        "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=NO",
        "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\",X-A=0XAF",
    ])
    func legalValues(_ line: String) { #expect(Bodies.codes(Bodies.live(with: line)) == []) }

    /// A range without an offset goes on where the one before it ended (bis-22 section 4.4.4.2).
    @Test func byteRangesWithoutAnOffset() {
        func text(_ first: String, _ second: String, _ uri: String = "12.m4s") -> String {
            Bodies.live.replacing("#EXTINF:4.000,\n12.m4s", with: "\(first)#EXTINF:4.000,\n12.m4s")
                .replacing("#EXTINF:4.000,\n13.m4s", with: "\(second)#EXTINF:4.000,\n\(uri)")
        }
        let (whole, rest) = ("#EXT-X-BYTERANGE:100@0\n", "#EXT-X-BYTERANGE:100\n")
        #expect(Bodies.codes(text(whole, rest)) == [])
        #expect(Bodies.codes(text(whole, rest, "13.m4s")) == ["tag_malformed"])
        #expect(Bodies.codes(text("", rest)) == ["tag_malformed"])
        #expect(Bodies.codes(text(rest, "")) == ["tag_malformed"])
        // A delta update leaves out what stood before.
        let skip = "#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n\(rest)#EXTINF:4.000,\n10"
        let delta = Bodies.live.replacing("VERSION:7", with: "VERSION:9").replacing("#EXTINF:4.000,\n10", with: skip)
        #expect(Bodies.codes(delta) == [])
    }

    @Test(arguments: [
        "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:4", "#EXT-X-MEDIA-SEQUENCE:10", "#EXTM3U",
        "#EXT-X-DISCONTINUITY-SEQUENCE:1",
    ])
    func tagRepeated(_ tag: String) {
        #expect(Bodies.codes(Bodies.live(with: tag)) == ["tag_repeated"])
        #expect(Bodies.violations(Bodies.live(with: tag)).first?.line == 6)
        #expect(
            Bodies.codes(Bodies.live(with: "#EXT-X-MAP:URI=\"other.mp4\"", "#EXT-X-UNKNOWN", "#EXT-X-UNKNOWN")) == []
        )
    }

    @Test func anExtinfForEachSegment() {
        let twice = Bodies.live.replacing("#EXTINF:4.000,\n12", with: "#EXTINF:4.000,\n#EXTINF:4.000,\n12")
        #expect(Bodies.codes(twice) == ["tag_repeated"])
        let never = Bodies.live.replacing("#EXTINF:4.000,\n13.m4s", with: "13.m4s")
        #expect(Bodies.codes(never) == ["tag_missing"])
    }

    @Test func tagMissing() {
        #expect(Bodies.codes(Bodies.live.replacing("#EXT-X-TARGETDURATION:4\n", with: "")) == ["tag_missing"])
        // A multivariant playlist may be empty (bis-22 section 4.1).
        #expect(Bodies.codes("#EXTM3U\n#EXT-X-VERSION:3\n") == ["variant_incomplete"])
        #expect(Bodies.codes("#EXTM3U\na.ts\n") == ["tag_missing"])
        let noStream = Bodies.multivariant.replacing("360.m3u8", with: "360.m3u8\n720.m3u8")
        #expect(Bodies.codes(noStream) == ["tag_missing"])
        // EXT-X-MEDIA-SEQUENCE may be left out: it is 0 then.
        #expect(Bodies.codes(Bodies.live.replacing("#EXT-X-MEDIA-SEQUENCE:10\n", with: "")) == [])
    }

    @Test func tagMisplaced() {
        let sequence = "#EXT-X-MEDIA-SEQUENCE:10\n"
        let late = Bodies.live.replacing(sequence, with: "").replacing("11.m4s\n", with: "11.m4s\n\(sequence)")
        #expect(Bodies.codes(late) == ["tag_misplaced"])
        let number = "#EXT-X-DISCONTINUITY-SEQUENCE:1\n"
        let after = Bodies.live.replacing(number, with: "#EXT-X-DISCONTINUITY\n\(number)")
        #expect(Bodies.codes(after) == ["tag_misplaced"])
        #expect(Bodies.codes(Bodies.live(with: "#EXT-X-STREAM-INF:BANDWIDTH=1")) == ["tag_misplaced"])
        #expect(Bodies.codes(Bodies.live + "\n#EXTINF:4.000,\n") == ["tag_misplaced"])
        #expect(Bodies.codes(Bodies.live + "\n#EXT-X-BYTERANGE:1@0\n") == ["tag_misplaced"])
        // A date, a map or a discontinuity at the end waits for the segment to come.
        #expect(Bodies.codes(Bodies.live + "\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"b.mp4\"\n") == [])
    }

    @Test(arguments: [
        (1, ""), (3, ""), (2, "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x0F"),
        (4, "#EXT-X-BYTERANGE:100@0"), (5, "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\""),
        (6, "#EXT-X-MAP:URI=\"init.mp4\""), (8, "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\""),
        (9, "#EXT-X-SKIP:SKIPPED-SEGMENTS=3"),
        (10, "#EXT-X-SKIP:SKIPPED-SEGMENTS=3,RECENTLY-REMOVED-DATERANGES=\"\""),
        (11, "#EXT-X-DEFINE:QUERYPARAM=\"a\""),
    ])
    func versionTooLow(_ version: Int, _ line: String) {
        func text(_ version: Int) -> String {
            """
            #EXTM3U
            #EXT-X-VERSION:\(version)
            #EXT-X-TARGETDURATION:4
            #EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00.000Z
            \(line)
            #EXTINF:\(version == 3 && line.isEmpty ? "3.9" : "4"),
            a.ts
            """
        }
        #expect(Bodies.codes(text(version)) == [], "\(line)")
        let low = text(version).replacing("#EXT-X-VERSION:\(version)", with: "#EXT-X-VERSION:\(version - 1)")
        #expect(Bodies.codes(low) == (version == 1 ? [] : ["version_too_low"]), "\(line)")
    }

    @Test func versionsOfMultivariantPlaylists() {
        let line = "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"1\",INSTREAM-ID=\"SERVICE1\""
        let text = Bodies.multivariant + "\n\(line)\n"
        #expect(Bodies.codes(text) == [])
        #expect(Bodies.codes(text.replacing("VERSION:7", with: "VERSION:6")) == ["version_too_low"])
        let request = Bodies.multivariant.replacing(
            "AUDIO=\"low\"",
            with: "AUDIO=\"low\",REQ-VIDEO-LAYOUT=\"CH-STEREO\""
        )
        #expect(Bodies.codes(request) == ["version_too_low"])
        #expect(Bodies.codes(request.replacing("VERSION:7", with: "VERSION:12")) == [])
    }

    @Test func variableUndefined() {
        let text = Bodies.live.replacing("VERSION:7", with: "VERSION:8")
            .replacing("#EXT-X-MAP", with: "#EXT-X-DEFINE:NAME=\"host\",VALUE=\"a\"\n#EXT-X-MAP")
            .replacing("12.m4s", with: "{$host}/12.m4s")
        #expect(Bodies.codes(text, url: "http://h/", importing: [:]) == [])
        #expect(Bodies.codes(text) == [])
        // Nothing is replaced in comments and titles.
        let comment = Bodies.live.replacing("#EXTINF:4.000,\n12", with: "# from {$host}\n#EXTINF:4.000,{$host}\n12")
        #expect(Bodies.codes(comment) == [])
        let undefined = comment.replacing("12.m4s", with: "{$host}.m4s")
        #expect(Bodies.codes(undefined) == ["variable_undefined", "version_too_low"])
        let misspelt = text.replacing("{$host}", with: "{$hots}")
        #expect(Bodies.codes(misspelt, url: "http://h/", importing: [:]) == ["variable_undefined"])
        let twice = text.replacing("#EXT-X-MAP", with: "#EXT-X-DEFINE:NAME=\"host\",VALUE=\"b\"\n#EXT-X-MAP")
        #expect(Bodies.codes(twice, url: "http://h/", importing: [:]) == ["variable_undefined"])

        let imports = Bodies.live(with: "#EXT-X-DEFINE:IMPORT=\"base\"").replacing("VERSION:7", with: "VERSION:8")
        #expect(Bodies.codes(imports, url: "http://h/", importing: ["base": "x"]) == [])
        #expect(Bodies.codes(imports, url: "http://h/", importing: [:]) == ["variable_undefined"])
        // Where the multivariant playlist is not known, nothing is held against the import.
        #expect(Bodies.codes(imports, url: "http://h/") == [])

        let query = Bodies.live(with: "#EXT-X-DEFINE:QUERYPARAM=\"token\"").replacing("VERSION:7", with: "VERSION:11")
        #expect(Bodies.codes(query, url: "http://h/?token=1") == [])
        #expect(Bodies.codes(query, url: "http://h/?other=1") == ["variable_undefined"])
    }

    @Test(arguments: [
        "METHOD=AES-128", "URI=\"k\"", "METHOD=NONE,URI=\"k\"", "METHOD=AES-256,URI=\"k\"", "METHOD=AES-128,URI=\"\"",
        "METHOD=AES-128,URI=\"k\",IV=0x0123456789ABCDEF0123456789ABCDEF0",
        "METHOD=AES-128,URI=\"k\",KEYFORMATVERSIONS=\"1/a\"",
    ])
    func encryptionInvalid(_ attributes: String) {
        #expect(Bodies.codes(Bodies.live(with: "#EXT-X-KEY:\(attributes)")) == ["encryption_invalid"])
        let legal = [
            "METHOD=NONE", "METHOD=AES-128,URI=\"k\",IV=0x0123456789ABCDEF0123456789ABCDEF",
            "METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"com.apple.streamingkeydelivery\",KEYFORMATVERSIONS=\"1/2\"",
        ]
        for attributes in legal { #expect(Bodies.codes(Bodies.live(with: "#EXT-X-KEY:\(attributes)")) == []) }
    }

    @Test func startOffsetNearEdge() {
        #expect(Bodies.codes(Bodies.live(with: "#EXT-X-START:TIME-OFFSET=-4")) == ["start_offset_near_edge"])
        #expect(Bodies.codes(Bodies.live(with: "#EXT-X-START:TIME-OFFSET=18")) == ["start_offset_near_edge"])
        #expect(Bodies.codes(Bodies.live(with: "#EXT-X-START:TIME-OFFSET=-12")) == [])
        #expect(Bodies.codes(Bodies.live(with: "#EXT-X-START:TIME-OFFSET=0")) == [])
        let ended = Bodies.live(with: "#EXT-X-START:TIME-OFFSET=-4") + "\n#EXT-X-ENDLIST"
        #expect(Bodies.codes(ended) == [])
        let near = Bodies.lowLatency.replacing("#EXT-X-PART-INF", with: "#EXT-X-START:TIME-OFFSET=-3\n#EXT-X-PART-INF")
        #expect(Bodies.codes(near) == [])
    }
}
