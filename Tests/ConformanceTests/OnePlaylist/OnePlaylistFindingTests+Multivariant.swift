import Conformance
import Rulebook
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
        (
            "#EXT-X-STREAM-INF:BANDWIDTH=900000",
            "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"cc\",NAME=\"a\",INSTREAM-ID=\"CC5\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=900000"
        ),
        (
            "#EXT-X-STREAM-INF:BANDWIDTH=900000",
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"a\"\n#EXT-X-STREAM-INF:BANDWIDTH=900000"
        ),
        ("DEFAULT=YES,URI=\"en-low", "DEFAULT=YES,AUTOSELECT=NO,URI=\"en-low"),
        ("DEFAULT=YES,URI=\"en-low", "DEFAULT=YES,FORCED=NO,URI=\"en-low"),
    ])
    func renditionGroupInvalid(_ legal: String, _ broken: String) {
        let text = Bodies.multivariant.replacing(legal, with: broken)
        #expect(text != Bodies.multivariant)
        #expect(Bodies.codes(text) == ["rendition_group_invalid"])
        let captions = Bodies.multivariant.replacing("BANDWIDTH=9", with: "CLOSED-CAPTIONS=NONE,BANDWIDTH=9")
            .replacing(",AVERAGE-CLOSED-CAPTIONS=NONE,BANDWIDTH", with: ",AVERAGE-BANDWIDTH")
        #expect(Bodies.codes(captions) == [])
        let media = [
            "TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"a\",URI=\"s.m3u8\",DEFAULT=YES,AUTOSELECT=YES,FORCED=YES",
            "TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"a\",INSTREAM-ID=\"SERVICE63\"",
        ]
        for line in media { #expect(Bodies.codes(Bodies.multivariant + "\n#EXT-X-MEDIA:\(line)\n") == []) }
    }

    /// No text forbids them by a MUST, so that they are advice.
    @Test func ratesThatSayNothing() {
        let zero = Bodies.violations(
            Bodies.multivariant.replacing("BANDWIDTH=90000,AVERAGE", with: "BANDWIDTH=0,AVERAGE")
        )
        #expect(zero.map(\.code.code) == ["variant_incomplete"])
        #expect(zero.first?.expected == "BANDWIDTH above 0")
        let above = Bodies.violations(
            Bodies.multivariant.replacing("AVERAGE-BANDWIDTH=80000,C", with: "AVERAGE-BANDWIDTH=90001,C")
        )
        #expect(above.map(\.code.code) == ["variant_incomplete"])
        #expect(above.first?.expected == "AVERAGE-BANDWIDTH of at most BANDWIDTH")
        #expect(Bodies.codes(Bodies.multivariant.replacing("=80000,C", with: "=90000,C")) == [])
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
        let german = "\(session),VALUE=\"b\",LANGUAGE=\"de\""
        #expect(Bodies.codes(Bodies.multivariant + "\n\(session),VALUE=\"b\"\n\(german)\n") == [])
        #expect(Bodies.codes(Bodies.multivariant + "\n\(german)\n\(german)\n") == ["tag_repeated"])
        let range = Bodies.multivariant.replacing("RESOLUTION", with: "VIDEO-RANGE=PQ,HDCP-LEVEL=TYPE-1,RESOLUTION")
        #expect(Bodies.codes(range) == [])
        #expect(Bodies.codes(range.replacing("=PQ", with: "=HDR")) == ["tag_malformed"])
        #expect(Bodies.codes(range.replacing("TYPE-1", with: "TYPE-9")) == ["tag_malformed"])
        let audio = "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"A\",CHANNELS=\"2\",URI=\"a.m3u8\"\n"
        #expect(Bodies.codes(audio) == ["variant_incomplete"])
        #expect(Bodies.codes(audio + "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i.m3u8\"\n") == [])
        #expect(Bodies.codes(Bodies.multivariant + "\n#EXT-X-SESSION-KEY:METHOD=NONE\n") == ["encryption_invalid"])
    }
}
