import Conformance
import Rulebook
import Testing

extension OnePlaylistFindingTests {
    private static let dated = "START-DATE=\"2026-11-21T20:00:08Z\""

    private static func ranges(_ attributes: String...) -> String {
        Bodies.live.replacing(
            "#EXT-X-MAP",
            with: attributes.map { "#EXT-X-DATERANGE:\($0)\n" }.joined() + "#EXT-X-MAP"
        )
    }

    @Test(arguments: [
        "START-DATE=\"2026-11-21T20:00:08Z\"",
        "ID=\"\",START-DATE=\"2026-11-21T20:00:08Z\"",
        "ID=\"a\"",
        "ID=\"a\",START-DATE=\"today\"",
        "ID=\"a\",START-DATE=2026-11-21T20:00:08Z",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\",END-DATE=\"2026-11-21T20:00:07Z\"",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\",DURATION=-1",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\",PLANNED-DURATION=\"4\"",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\",END-DATE=\"2026-11-21T20:00:12Z\",DURATION=5",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\",END-ON-NEXT=YES",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\",CLASS=\"c\",END-ON-NEXT=NO",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\",CLASS=\"c\",END-ON-NEXT=YES,DURATION=4",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\",CUE=\"PRE,POST\"",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\",CUE=\"SOON\"",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\",X-COM-EXAMPLE=word",
        "ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\",X-COM-EXAMPLE=0xZZ",
        "ID=\"a\",ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\"",
    ])
    func dateRangeInvalid(_ attributes: String) {
        #expect(Bodies.codes(Self.ranges(attributes)) == ["date_range_invalid"])
        let legal = Self.ranges(
            "ID=\"a\",\(Self.dated),END-DATE=\"2026-11-21T20:00:12Z\",DURATION=4,CUE=\"PRE,ONCE\",X-A=-1.5,X-B=0xFF",
            "ID=\"b\",CLASS=\"c\",\(Self.dated),END-ON-NEXT=YES",
            "ID=\"a\",X-LATER=\"more\""
        )
        #expect(Bodies.codes(legal) == [])
    }

    /// As AWS Elemental Live writes it: the tag that began the range has left with its segments.
    @Test func aTagThatEndsItsRangeMayOutliveTheOneThatBeganIt() {
        let end = "ID=\"999\",END-DATE=\"2026-11-21T20:00:06.109Z\""
        let alone = Self.ranges(end)
        #expect(Bodies.codes(alone) == [])
        #expect(Bodies.codes(Self.ranges("\(end),DURATION=30.030")) == [])
        #expect(Bodies.codes(Self.ranges("ID=\"999\",DURATION=30.030")) == [])
        let broken = [
            // Its start is listed still.
            Self.ranges("\(end),DURATION=4"),
            Self.ranges(end, "ID=\"999\",START-DATE=\"2026-11-21T20:00:02.109Z\""),
            // Nothing can have left.
            alone.replacing("MEDIA-SEQUENCE:10", with: "MEDIA-SEQUENCE:0"),
            alone.replacing("#EXT-X-MAP", with: "#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-MAP"),
        ]
        for text in broken {
            let found = Bodies.violations(text)
            #expect(found.map(\.code.code) == ["date_range_invalid"])
            #expect(found.first?.observed.contains("END-DATE") == true)
        }
    }

    /// Tags of one ID are one range, which must keep the rules as well as each of them.
    @Test(arguments: [
        ("", "END-DATE=\"2026-11-21T20:00:07Z\"", "END-DATE=\"2026-11-21T20:00:08Z\""),
        (",END-DATE=\"2026-11-21T20:00:12Z\"", "DURATION=5", "DURATION=4"),
        (",CLASS=\"c\",END-ON-NEXT=YES", "DURATION=4", "PLANNED-DURATION=4"),
    ])
    func rangesOfSeveralTags(_ first: String, _ broken: String, _ legal: String) {
        let start = "ID=\"a\",\(Self.dated)\(first)"
        let found = Bodies.violations(Self.ranges(start, "ID=\"a\",X-A=1", "ID=\"a\",\(broken)"))
        #expect(found.map(\.code.code) == ["date_range_invalid"])
        #expect(found.first?.line == 8)
        #expect(Bodies.codes(Self.ranges(start, "ID=\"a\",\(legal)")) == [])
    }

    /// Splices of stitched breaks, which no standard defines: only what no dialect can mean is held against them.
    @Test func cueTags() {
        func text(_ lines: String...) -> String { Bodies.live(with: lines.joined(separator: "\n")) }
        let legal = [
            "#EXT-X-CUE-OUT:30", "#EXT-X-CUE-OUT", "#EXT-X-CUE-OUT:ID=\"1\",Duration=30.5", "#EXT-X-CUE-IN",
            "#EXT-X-CUE-OUT-CONT:12/30", "#EXT-X-CUE-OUT-CONT:60/30",
            "#EXT-X-CUE-OUT-CONT:ElapsedTime=33,Duration=30,SCTE35=/DAl==",
            "#EXT-X-CUE-OUT-CONT:ElapsedTime=33,Duration=0", "#EXT-X-CUE-IN\n#EXT-X-CUE-OUT:30",
            "#EXT-X-CUE-OUT:30\n#EXT-X-CUE-IN\n#EXT-X-CUE-OUT:30", "#EXT-X-CUE-OUT:30\n#EXT-X-CUE-OUT-CONT:0/30",
        ]
        for line in legal { #expect(Bodies.codes(text(line)) == [], "\(line)") }
        let broken = [
            "#EXT-X-CUE-OUT:DURATION=abc", "#EXT-X-CUE-OUT:30\n#EXT-X-CUE-OUT:30",
        ]
        for line in broken { #expect(Bodies.codes(text(line)) == ["splice_invalid"], "\(line)") }
    }

    @Test func dateRangeConflict() {
        let first = "ID=\"a\",\(Self.dated),PLANNED-DURATION=4"
        let found = Bodies.violations(Self.ranges(first, "ID=\"a\",PLANNED-DURATION=5"))
        #expect(found.map(\.code.code) == ["date_range_conflict"])
        #expect(found.first?.expected.contains("PLANNED-DURATION") == true)
        #expect(found.first?.line == 7)
        #expect(Bodies.codes(Self.ranges(first, "ID=\"a\",DURATION=4,PLANNED-DURATION=4.0")) == [])
        #expect(Bodies.codes(Self.ranges(first, "ID=\"b\",\(Self.dated),PLANNED-DURATION=5")) == [])
        // Beyond what is searched through in a row.
        let many = (0..<20).map { "#EXT-X-DATERANGE:ID=\"r\($0)\",\(Self.dated),X-N=\($0)\n" }.joined()
        let live = Bodies.live.replacing("#EXT-X-MAP", with: many + "#EXT-X-DATERANGE:ID=\"r17\",X-N=1\n#EXT-X-MAP")
        #expect(Bodies.codes(live) == ["date_range_conflict"])
    }

    @Test func dateRangeWithoutProgramDate() {
        let range = Self.ranges("ID=\"a\",\(Self.dated)")
        let undated = range.split(separator: "\n").filter { !$0.contains("PROGRAM-DATE") }.joined(separator: "\n")
        #expect(Bodies.codes(undated) == ["date_range_without_program_date"])
        #expect(Bodies.codes(undated + "\n#EXT-X-ENDLIST") == ["date_range_without_program_date"])
        #expect(Bodies.codes(range) == [])
    }

    @Test func dateRangeOverlap() {
        let next = "ID=\"b\",CLASS=\"c\",START-DATE=\"2026-11-21T20:00:12Z\",END-ON-NEXT=YES"
        func first(_ duration: Int, _ name: String) -> String {
            "ID=\"a\",CLASS=\"\(name)\",\(Self.dated),DURATION=\(duration)"
        }
        #expect(Bodies.codes(Self.ranges(first(5, "c"), next)) == ["date_range_overlap"])
        #expect(Bodies.codes(Self.ranges(next, first(5, "c"))) == ["date_range_overlap"])
        #expect(Bodies.codes(Self.ranges(first(4, "c"), next)) == [])
        #expect(Bodies.codes(Self.ranges(first(5, "other"), next)) == [])
        // Classes that do not end on the next may overlap.
        let free = next.replacing(",END-ON-NEXT=YES", with: "")
        #expect(Bodies.codes(Self.ranges(first(5, "c"), free)) == [])
    }

    @Test(arguments: [
        "", "X-ASSET-URI=\"https://a/b\",X-ASSET-LIST=\"https://a/c\"", "X-ASSET-URI=\"b.m3u8\"",
        "X-ASSET-LIST=\"l\",X-RESUME-OFFSET=\"0\"", "X-ASSET-LIST=\"l\",X-PLAYOUT-LIMIT=-1",
        "X-ASSET-LIST=\"l\",X-SNAP=\"OUT,UP\"", "X-ASSET-LIST=\"l\",X-RESTRICT=\"FLY\"",
        "X-ASSET-LIST=\"l\",X-CONTENT-MAY-VARY=\"MAYBE\"", "X-ASSET-LIST=\"l\",X-TIMELINE-OCCUPIES=\"LINE\"",
        "X-ASSET-LIST=\"l\",X-TIMELINE-STYLE=\"BOLD\"", "X-ASSET-LIST=\"l\",X-SKIP-CONTROL-OFFSET=1.5",
        "X-ASSET-LIST=\"l\",X-SKIP-CONTROL-LABEL-ID=\"a1\"",
    ])
    func interstitialInvalid(_ attributes: String) {
        let range = "ID=\"a\",CLASS=\"com.apple.hls.interstitial\",\(Self.dated)"
        let broken = attributes.isEmpty ? range : "\(range),\(attributes)"
        #expect(Bodies.codes(Self.ranges(broken)) == ["interstitial_invalid"])
        // The same is of no matter in another class.
        let other = broken.replacing("com.apple.hls.interstitial", with: "com.example.other")
        #expect(Bodies.codes(Self.ranges(other)) == [])
        let legal =
            "X-ASSET-LIST=\"l\",X-RESUME-OFFSET=-1.5,X-PLAYOUT-LIMIT=10,X-SNAP=\"OUT,IN\",X-RESTRICT=\"SKIP,JUMP\","
            + "X-CONTENT-MAY-VARY=\"NO\",X-TIMELINE-OCCUPIES=\"RANGE\",X-TIMELINE-STYLE=\"PRIMARY\","
            + "X-SKIP-CONTROL-LABEL-ID=\"a_b-c\",X-SKIP-CONTROL-OFFSET=5"
        #expect(Bodies.codes(Self.ranges("\(range),\(legal)")) == [])
        // Tags of one ID are one interstitial.
        #expect(Bodies.codes(Self.ranges(range, "ID=\"a\",X-ASSET-URI=\"https://a/b\"")) == [])
    }

    @Test func preloadRangesOfInterstitials() {
        let range =
            "ID=\"p\",CLASS=\"com.apple.hls.preload\",\(Self.dated),X-URI=\"u\",X-TARGET-ID=\"a\",X-TARGET-CLASS=\"c\""
        #expect(Bodies.codes(Self.ranges("\(range),DURATION=4")) == [])
        #expect(Bodies.codes(Self.ranges(range)) == ["interstitial_invalid"])
        #expect(Bodies.codes(Self.ranges("\(range),DURATION=4,CUE=\"PRE\"")) == ["interstitial_invalid"])
        for name in ["X-URI=\"u\"", "X-TARGET-ID=\"a\"", "X-TARGET-CLASS=\"c\""] {
            let empty = range.replacing(name, with: name.prefix { $0 != "=" } + "=\"\"")
            #expect(Bodies.codes(Self.ranges("\(empty),DURATION=4")) == ["interstitial_invalid"])
        }
        let noTarget = range.replacing("X-TARGET-ID=\"a\",", with: "")
        #expect(Bodies.codes(Self.ranges("\(noTarget),DURATION=4")) == ["interstitial_invalid"])
    }

    @Test(arguments: [
        "SCTE35-OUT=\"/DAgAA==\"", "SCTE35-OUT=FC30", "SCTE35-OUT=0xFC3", "SCTE35-OUT=0xFC30ZZ", "SCTE35-CMD=0xFC3011",
        "SCTE35-OUT=0x47302000000000000000FFF00F05000000017FFFFE0036EE80000100000000",
        "SCTE35-IN=0xFC302000000000000000FFF00F05000000017FFFFE0036EE80000100000000",
    ])
    func spliceInvalid(_ attribute: String) {
        let found = Bodies.codes(Self.ranges("ID=\"a\",\(Self.dated),\(attribute)"))
        #expect(found.first == "splice_invalid" && Set(found).count == 1)
        let legal = [Self.sectionOfTheSpecification, Self.section(crc: 0)]
        for section in legal {
            #expect(Bodies.codes(Self.ranges("ID=\"a\",\(Self.dated),SCTE35-OUT=\(section)")) == [])
            #expect(Bodies.codes(Self.ranges("ID=\"a\",\(Self.dated),SCTE35-IN=\(section),DURATION=4")) == [])
        }
        let changed = Self.section(crc: 1)
        #expect(Bodies.codes(Self.ranges("ID=\"a\",\(Self.dated),SCTE35-OUT=\(changed)")) == ["splice_invalid"])
    }

    /// SCTE 35 section 14.1's time_signal of a placement opportunity, with its own checksum.
    private static let sectionOfTheSpecification =
        "0xFC3034000000000000FFFFF00506FE72BD0050001E021C435545494800008E7FCF0001A599B00808000000002CA0A18A3402009AC9D17E"

    /// The same with another checksum.
    private static func section(crc: UInt32) -> String {
        let digits = String(crc, radix: 16, uppercase: true)
        return sectionOfTheSpecification.dropLast(8) + String(repeating: "0", count: 8 - digits.count) + digits
    }
}
