import Testing

@testable import HLS

@Suite struct ContentDigestTests {
    private static let lines = [
        "#EXT-X-VERSION:9", "#EXT-X-MEDIA-SEQUENCE:5",
        "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,HOLD-BACK=18,CAN-SKIP-UNTIL=36", "#EXT-X-PART-INF:PART-TARGET=1",
        "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\",X-A=1,X-B=\"2\"",
        "#EXT-X-DATERANGE:ID=\"b\",START-DATE=\"2026-11-21T20:00:00Z\",SCTE35-OUT=0xFC",
    ]
    private static let body = [
        "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z", "#EXT-X-MAP:URI=\"init\"", "#EXTINF:6,", "a", "#EXTINF:5.5,",
        "b", "#EXT-X-PART:DURATION=1,URI=\"c.0\"", "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"c.1\"",
        "#EXT-X-RENDITION-REPORT:URI=\"../x\",LAST-MSN=6,LAST-PART=0",
    ]

    private func digest(_ header: [String], _ body: [String]) throws -> UInt64 {
        try Samples.playlist((header + body).joined(separator: "\n")).contentDigest
    }

    @Test func spellingMakesNoDifference() throws {
        let reference = try digest(Self.lines, Self.body)
        #expect(try digest(Self.lines.reversed(), Self.body) == reference)
        let moved = Self.lines.map {
            $0.replacing("X-A=1,X-B=\"2\"", with: "X-B=\"2\",X-A=1").replacing(
                "HOLD-BACK=18,CAN",
                with: "HOLD-BACK=18.0,CAN"
            )
        }
        #expect(try digest(moved, Self.body) == reference)
        let dressed = Self.body.flatMap { $0 == "#EXTINF:6," ? ["# note", "", "#EXTINF:6.000,title"] : [$0] }
        #expect(try digest(Self.lines, dressed) == reference)
        let dated = Self.body.flatMap { line in
            line == "#EXTINF:5.5," ? ["#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:06.0001Z", line] : [line]
        }
        #expect(try digest(Self.lines, dated) == reference)
    }

    @Test(arguments: [
        ("MEDIA-SEQUENCE:5", "MEDIA-SEQUENCE:6"), ("CAN-BLOCK-RELOAD=YES", "CAN-BLOCK-RELOAD=NO"),
        ("HOLD-BACK=18", "HOLD-BACK=19"), ("CAN-SKIP-UNTIL=36", "CAN-SKIP-UNTIL=37"),
        ("PART-TARGET=1", "PART-TARGET=2"), ("X-A=1", "X-A=2"), ("X-A=1", "X-C=1"), ("ID=\"b\"", "ID=\"c\""),
        ("SCTE35-OUT=0xFC", "SCTE35-IN=0xFC"), ("20:00:00Z\",X-A", "20:00:01Z\",X-A"),
        ("TIME:2026-11-21T20:00:00Z", "TIME:2026-11-21T20:00:00.001Z"), ("URI=\"init\"", "URI=\"other\""),
        ("URI=\"init\"", "URI=\"init\",BYTERANGE=\"1@2\""), ("EXTINF:6,", "EXTINF:6.000001,"), ("\na\n", "\nz\n"),
        ("\na\n", "\na\n#EXT-X-DISCONTINUITY\n"), ("\na\n", "\na\n#EXT-X-GAP\n"),
        ("\na\n", "\na\n#EXT-X-BYTERANGE:5@0\n"), ("DURATION=1,URI=\"c.0\"", "DURATION=2,URI=\"c.0\""),
        ("URI=\"c.0\"", "URI=\"c.9\""), ("URI=\"c.0\"", "URI=\"c.0\",INDEPENDENT=YES"),
        ("URI=\"c.0\"", "URI=\"c.0\",GAP=YES"), ("URI=\"c.0\"", "URI=\"c.0\",BYTERANGE=\"1@2\""),
        ("URI=\"c.1\"", "URI=\"c.2\""), ("URI=\"c.1\"", "URI=\"c.1\",BYTERANGE-START=9"), ("TYPE=PART", "TYPE=MAP"),
        ("LAST-MSN=6", "LAST-MSN=7"), ("LAST-PART=0", "LAST-PART=1"), ("URI=\"../x\"", "URI=\"../y\""),
        ("#EXT-X-VERSION:9", "#EXT-X-ENDLIST"), ("#EXT-X-VERSION:9", "#EXT-X-PLAYLIST-TYPE:EVENT"),
        ("#EXT-X-VERSION:9", "#EXT-X-DISCONTINUITY-SEQUENCE:1"), ("#EXT-X-VERSION:9", "#EXT-X-SKIP:SKIPPED-SEGMENTS=1"),
    ]) func everyMeaningMakesADifference(_ from: String, _ to: String) throws {
        let text = (Self.lines + Self.body).joined(separator: "\n")
        #expect(text.contains(from))
        let changed = text.replacing(from, with: to, maxReplacements: 1)
        #expect(try digest([changed], []) != digest([text], []))
    }

    @Test func theDigestIsTheSameInEveryRelease() throws {
        let value = try digest(Self.lines, Self.body)
        #expect(value == 3_333_728_301_912_368_928)
    }

    @Test func theCommentCarriesTheDigest() {
        #expect(DigestComment.line(0xAB) == "#podswarm-full:00000000000000ab")
        let body = Array("#EXTM3U\r\n#podswarm-full:00000000000000ab\r\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3".utf8)
        #expect(DigestComment.digest(in: body) == 0xAB)
        #expect(DigestComment.digest(in: Array(DigestComment.line(.max).utf8)) == .max)
        for broken in [
            "", "#podswarm-full:", "#podswarm-full:00ab", "#podswarm-full:00000000000000xy", "podswarm-full",
        ] { #expect(DigestComment.digest(in: Array(broken.utf8)) == nil) }
    }
}
