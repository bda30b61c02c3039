import Conformance
import Measurement
import Testing

extension OnePlaylistFindingTests {
    @Test(arguments: [
        ("AVERAGE-BANDWIDTH=800000,", "AVERAGE-BANDWIDTH"), ("CODECS=\"avc1.640020,mp4a.40.2\",", "CODECS"),
        ("RESOLUTION=640x360,", "RESOLUTION"), ("FRAME-RATE=25.000,", "FRAME-RATE"),
    ])
    func variantIncomplete(_ attribute: String, _ name: String) {
        let found = Bodies.violations(Bodies.multivariant.replacing(attribute, with: ""))
        #expect(found.map(\.code.code) == ["variant_incomplete"])
        #expect(found.first?.expected == name)
        // A variant of sound alone has neither size nor frame rate.
        #expect(Bodies.multivariant.contains("CODECS=\"mp4a.40.2\",AUDIO"))
        #expect(Bodies.codes(Bodies.multivariant) == [])
    }

    @Test(arguments: [
        ("CODECS=\"mp4a.40.2\",AUDIO=\"high\"", "CODECS=\"mp4a.40.2\",AUDIO=\"hgih\""),
        ("FRAME-RATE=25.000,", "FRAME-RATE=25.000,SUBTITLES=\"subs\","),
        ("FRAME-RATE=25.000,", "FRAME-RATE=25.000,CLOSED-CAPTIONS=NONE,"),
        ("GROUP-ID=\"high\",NAME=\"Deutsch\"", "GROUP-ID=\"high\",NAME=\"German\""),
        ("GROUP-ID=\"high\",NAME=\"Deutsch\"", "GROUP-ID=\"high\",DEFAULT=YES,NAME=\"Deutsch\""),
        (
            "#EXT-X-STREAM-INF:BANDWIDTH=900000",
            "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"cc\",NAME=\"a\"\n#EXT-X-STREAM-INF:BANDWIDTH=900000"
        ),
    ])
    func renditionGroupInvalid(_ legal: String, _ broken: String) {
        let text = Bodies.multivariant.replacing(legal, with: broken)
        #expect(text != Bodies.multivariant)
        #expect(Bodies.codes(text) == ["rendition_group_invalid"])
        let captions = Bodies.multivariant.replacing("BANDWIDTH=9", with: "CLOSED-CAPTIONS=NONE,BANDWIDTH=9")
            .replacing(",AVERAGE-CLOSED-CAPTIONS=NONE,BANDWIDTH", with: ",AVERAGE-BANDWIDTH")
        #expect(Bodies.codes(captions) == [])
    }

    @Test func tagsOfMultivariantPlaylists() {
        let noBandwidth = Bodies.multivariant.replacing("BANDWIDTH=90000,AVERAGE", with: "AVERAGE")
        #expect(Bodies.codes(noBandwidth) == ["tag_malformed"])
        let twoStreams = Bodies.multivariant.replacing("360.m3u8\n", with: "")
        #expect(Bodies.codes(twoStreams) == ["tag_misplaced"])
        #expect(Bodies.codes(Bodies.multivariant + "\n#EXTINF:4,\na.ts\n") == ["tag_misplaced", "tag_missing"])
        let session = "#EXT-X-SESSION-DATA:DATA-ID=\"a\""
        #expect(Bodies.codes(Bodies.multivariant + "\n\(session),VALUE=\"b\"\n") == [])
        #expect(Bodies.codes(Bodies.multivariant + "\n\(session)\n") == ["tag_malformed"])
        #expect(Bodies.codes(Bodies.multivariant + "\n#EXT-X-SESSION-KEY:METHOD=NONE\n") == ["encryption_invalid"])
    }
}
