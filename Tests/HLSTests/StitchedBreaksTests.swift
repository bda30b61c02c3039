import Testing

@testable import HLS

@Suite struct StitchedBreaksTests {
    /// A channel of five-second segments from 20:00:00; `tags` stand before the segments with their numbers.
    private func playlist(_ numbers: Range<Int>, _ tags: [Int: [String]], header: [String] = [], dated: Bool = true)
        throws -> MediaPlaylist
    {
        var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:5", "#EXT-X-MEDIA-SEQUENCE:\(numbers.lowerBound)"] + header
        for number in numbers {
            lines += tags[number] ?? []
            if dated { lines.append("#EXT-X-PROGRAM-DATE-TIME:\(date(number).iso8601)") }
            lines += ["#EXTINF:5,", "s\(number).ts"]
        }
        lines += tags[numbers.upperBound] ?? []
        return try Samples.mediaPlaylist(lines.joined(separator: "\n") + "\n")
    }

    /// The breaks that are known once these versions were read.
    private func breaks(in playlists: MediaPlaylist...) -> [StitchedBreak] {
        var breaks = StitchedBreaks()
        for playlist in playlists { breaks.read(playlist) }
        return breaks.breaks
    }

    private func date(_ number: Int) -> WallTime {
        WallTime(microseconds: 1_795_291_200_000_000) + .seconds(5 * number)
    }

    private static func more(_ tag: (Int) -> String) -> [Int: [String]] {
        Dictionary(uniqueKeysWithValues: (3..<8).map { ($0, [tag(($0 - 2) * 5)]) })
    }

    private static let continued = more { "#EXT-X-CUE-OUT-CONT:\($0)/30" }
    private static let (out, end) = (["#EXT-X-CUE-OUT:30"], ["#EXT-X-CUE-IN"])

    /// One break in every dialect: OUT before segment 2, IN before segment 8.
    private static let dialects: [(StitchedBreak.Dialect, [Int: [String]], Duration?)] = [
        (.cueTags, [2: ["#EXT-X-CUE-OUT:30"], 8: ["#EXT-X-CUE-IN"]], .seconds(30)),
        (.cueTags, [2: ["#EXT-X-CUE-OUT:DURATION=30.000"], 8: ["#EXT-X-CUE-IN"]], .seconds(30)),
        (.cueTags, [2: ["#EXT-X-CUE-OUT:DURATION=\"30\",ID=7"], 8: ["#EXT-X-CUE-IN"]], .seconds(30)),
        (.cueTags, [2: ["#EXT-X-CUE-OUT"], 8: ["#EXT-X-CUE-IN"]], nil),
        (.cueTags, [2: ["#EXT-X-CUE-OUT:30"], 8: ["#EXT-X-CUE-IN"]].merging(continued) { $1 }, .seconds(30)),
        (.cueTags, [2: ["#EXT-OATCLS-SCTE35:/DAl", "#EXT-X-CUE-OUT:30"], 8: ["#EXT-X-CUE-IN"]], .seconds(30)),
        (.cueTags, [2: out, 3: ["#EXT-X-CUE-OUT:10"], 5: end, 6: ["#EXT-X-CUE-OUT:10"], 8: end], .seconds(30)),
        (
            .scte35Tags,
            [
                2: ["#EXT-X-SCTE35:TYPE=0x34,CUE-OUT=YES,DURATION=30,CUE=\"/DA=\""],
                3: ["#EXT-X-SCTE35:CUE-OUT=CONT,ELAPSED=5,DURATION=30"], 8: ["#EXT-X-SCTE35:CUE-OUT=NO"],
            ],
            .seconds(30)
        ),
        (.scte35Tags, [2: ["#EXT-X-SCTE35:CUE-OUT=YES"], 8: ["#EXT-X-SCTE35:CUE-IN=YES"]], nil),
        (.scte35Tags, [2: ["#EXT-X-SCTE35-OUT"], 8: ["#EXT-X-SCTE35-IN"]], nil),
        // As x9k3 writes it, with a space before the comma and at the end.
        (
            .scte35Tags,
            [
                2: ["#EXT-X-SCTE35:CUE=\"\(SpliceSectionTests.insertOut)\" ,CUE-OUT=YES "],
                8: ["#EXT-X-SCTE35:CUE=\"\(SpliceSectionTests.insertIn)\" ,CUE-IN=YES "],
            ],
            .seconds(30)
        ),
        // Segmentation types without CUE-OUT and CUE-IN, before every segment.
        (
            .splicePoints,
            [2: ["#EXT-X-SCTE35:TYPE=0x36,CUE=/DA=,DURATION=30.000,ELAPSED=0.000"], 8: ["#EXT-X-SCTE35:TYPE=55"]]
                .merging(more { "#EXT-X-SCTE35:TYPE=0x36,ELAPSED=\($0).000,CUE-OUT=NO" }) { $1 },
            .seconds(30)
        ),
        (
            .cueTags,
            [2: ["#EXT-X-CUE-OUT:DURATION=30,ID=16777323,CUE=\"/DA=\""], 8: ["#EXT-X-CUE-IN:ID=16777323"]]
                .merging(more { "#EXT-X-CUE-SPAN:TIMEFROMSIGNAL=PT\($0)S,ID=16777323" }) { $1 },
            .seconds(30)
        ),
        (
            .cueTags,
            [
                2: ["#EXT-X-SIGNAL-EXIT:30.0,SpliceType=LIVE_DAI,SignalId="], 3: ["#EXT-X-SIGNAL-SPAN:5.0/30.0"],
                8: ["#EXT-X-SIGNAL-RETURN:30.0,SpliceType=LIVE_DAI"],
            ],
            .seconds(30)
        ),
        (
            .splicePoints,
            [
                2: ["#EXT-X-SPLICEPOINT-SCTE35:\(SpliceSectionTests.insertOut)"],
                8: ["#EXT-X-SPLICEPOINT-SCTE35:\(SpliceSectionTests.insertIn)"],
            ],
            .seconds(30)
        ),
    ]

    @Test(arguments: dialects.indices) func eachDialectMarksTheSameBreak(_ index: Int) throws {
        let (dialect, tags, planned) = Self.dialects[index]
        var breaks = StitchedBreaks()
        // A window of four segments slides over the break: OUT has long gone when IN comes.
        for first in 0...12 {
            breaks.read(try playlist(first..<(first + 4), tags))
            if (1...7).contains(first) {
                let found = try #require(breaks.breaks.first, "window \(first)")
                #expect(breaks.breaks.count == 1, "window \(first)")
                #expect((found.key, found.startDate) == (date(2).iso8601, date(2)))
                #expect((found.dialect, found.plannedDuration, found.isJoinedInTheMiddle) == (dialect, planned, false))
                let end = min(8, first + 4)
                #expect(found.mediaSequences == 2..<UInt64(end), "window \(first)")
                #expect(found.segments.map(\.uri) == (2..<end).map { "s\($0).ts" })
                #expect(found.isEnded == (first + 4 >= 8), "window \(first)")
                #expect(found.endDate == (first + 4 >= 8 ? date(8) : nil))
            }
        }
        #expect(breaks.breaks.isEmpty)
    }

    /// No tag ends it: a break of 30 s from segment 2 on ends before segment 8.
    @Test func adobesCueAloneMarksABreak() throws {
        var tags = [2: ["#EXT-X-CUE:DURATION=\"30.000\",ID=\"0\",TYPE=\"SpliceOut\",TIME=\"414.171\""]]
        for number in 3..<8 { tags[number] = ["#EXT-X-CUE-CONT:ID=0,AVAIL-DUR-ELAPSED=\((number - 2) * 5).0"] }
        var breaks = StitchedBreaks()
        for first in 1...7 {
            breaks.read(try playlist(first..<(first + 4), tags))
            let found = try #require(breaks.breaks.first, "window \(first)")
            #expect((breaks.breaks.count, found.dialect, found.key) == (1, .adobeCues, date(2).iso8601))
            #expect(found.mediaSequences == 2..<UInt64(min(8, first + 4)), "window \(first)")
            #expect(found.isEnded == (first + 4 > 8), "window \(first)")
        }
    }

    /// No tag that is left says how long it lasts: it ends where none stands before a segment any more.
    @Test func adobesCueIsOverWhereNoTagContinuesIt() throws {
        var tags: [Int: [String]] = [:]
        for number in 3..<8 { tags[number] = ["#EXT-X-CUE-CONT:ID=0,AVAIL-DUR-ELAPSED=\((number - 2) * 5).0"] }
        let joined = try breaks(in: playlist(4..<10, tags), playlist(5..<11, tags))
        #expect((joined.map(\.isJoinedInTheMiddle), joined.map(\.mediaSequences)) == ([true], [4..<8]))
        #expect(
            (joined.map(\.isEnded), joined.map(\.endDate), joined.map(\.startDate)) == ([true], [date(8)], [date(2)])
        )
        tags[2] = ["#EXT-X-CUE:TYPE=SpliceOut,ID=0,DURATION=0,TIME=266.198"]
        let seen = try breaks(in: playlist(1..<5, tags), playlist(4..<10, tags))
        #expect((seen.map(\.isJoinedInTheMiddle), seen.map(\.mediaSequences)) == ([false], [2..<8]))
        // Packagers that write no EXT-X-CUE-CONT do not say where such a break ends.
        let alone = try breaks(in: playlist(1..<10, [2: tags[2] ?? []]))
        #expect((alone.map(\.isEnded), alone.map(\.mediaSequences)) == ([false], [2..<10]))
    }

    /// Adobe's TVSDK takes the tag without TYPE; Azure Media Services wrote the section, and how much had elapsed.
    @Test(arguments: [
        "#EXT-X-CUE:DURATION=20,ID=\"a\"", "#EXT-X-CUE:DURATION=\"20.000\"",
        "#EXT-X-CUE:ID=\"1026\",TYPE=\"scte35\",DURATION=20.0,TIME=1.5,CUE=\"\(SpliceSectionTests.insertOut)\"",
        "#EXT-X-CUE:ID=95766,TYPE=\"SpliceOut\",DURATION=20.000000,TIME=158348769.966667",
    ]) func othersWriteAdobesCue(_ tag: String) throws {
        let found = try breaks(in: playlist(0..<10, [2: [tag], 4: [tag + ",ELAPSED=10.0"]]))
        #expect((found.map(\.dialect), found.map(\.mediaSequences)) == ([.adobeCues], [2..<6]))
        let joined = try breaks(in: playlist(3..<10, [4: [tag + ",ELAPSED=10.0"]]))
        #expect((joined.map(\.startDate), joined.map(\.mediaSequences)) == ([date(2)], [4..<6]))
    }

    @Test(arguments: [
        "#EXT-X-CUE:TYPE=SpliceInsert,ID=a1,TIME=10.5", "#EXT-X-CUE:ID=3", "#EXT-X-SCTE35:TYPE=0x10,CUE-OUT=NO",
        "#EXT-X-SCTE35:CUE=\"\(SpliceSectionTests.insertOut)\",CUE-OUT=NO", "#EXT-X-CUEPOINT:3",
        "#EXT-X-ASSET:CAID=0x1",
    ]) func othersMarkNoBreak(_ tag: String) throws { #expect(try breaks(in: playlist(0..<10, [2: [tag]])) == []) }

    /// A break of 30 s with two ads, each of which has its own tags.
    @Test func adsInsideOfABreakAreNoBreaks() throws {
        let tags = [
            2: ["#EXT-X-SCTE35:TYPE=0x30,DURATION=15", "#EXT-X-SCTE35:TYPE=0x22,DURATION=30"],
            5: ["#EXT-X-SCTE35:TYPE=0x31", "#EXT-X-SCTE35:TYPE=0x30,DURATION=15"],
            8: ["#EXT-X-SCTE35:TYPE=0x31", "#EXT-X-SCTE35:TYPE=0x23"],
        ]
        let found = try breaks(in: playlist(0..<6, tags), playlist(4..<10, tags))
        #expect((found.map(\.mediaSequences), found.map(\.plannedDuration)) == ([2..<8], [.seconds(30)]))
        let cues = [
            2: ["#EXT-X-CUE-OUT:30", "#EXT-X-SCTE35:TYPE=0x30,DURATION=15"], 5: tags[5] ?? [], 8: ["#EXT-X-CUE-IN"],
        ]
        let marked = try breaks(in: playlist(0..<10, cues))
        #expect((marked.map(\.mediaSequences), marked.map(\.plannedDuration)) == ([2..<8], [.seconds(30)]))
    }

    @Test func anEndMayStandBehindTheNextBegin() throws {
        let begin = ["#EXT-X-CUE-OUT:10"]
        let tags = [2: begin, 4: begin + ["#EXT-X-CUE-OUT-CONT:0/10"] + Self.end, 6: Self.end]
        let found = try breaks(in: playlist(0..<10, tags))
        #expect((found.map(\.mediaSequences), found.map(\.isEnded)) == ([2..<4, 4..<6], [true, true]))
    }

    @Test func severalSyntaxesMarkOneBreak() throws {
        let tags = [
            2: [
                "#EXT-X-CUE:TYPE=\"SpliceOut\",ID=240,DURATION=30.000", "#EXT-X-CUE-OUT:30.000",
                "#EXT-X-CUE-OUT:DURATION=30.000,BREAKID=240", "#EXT-X-SCTE35:CUE=\"/DAl\",ID=\"240\"",
            ],
            8: ["#EXT-X-CUE:TYPE=\"SpliceIn\",ID=240", "#EXT-X-CUE-IN"],
        ]
        let found = try breaks(in: playlist(0..<10, tags))
        #expect((found.map(\.key), found.map(\.mediaSequences)) == ([date(2).iso8601], [2..<8]))
        #expect((found.map(\.dialect), found.map(\.scte35)) == ([.cueTags], ["/DAl"]))
    }

    @Test(arguments: [
        "ID=\"stitched-ad-1\"", "ID=\"a\",CLASS=\"twitch-stitched-ad\"", "ID=\"a\",CLASS=\"example-stitched-ad\"",
        "ID=\"a\",CLASS=\"com.example.Stitched.ads\"",
    ]) func aClassOfStitchedAdsMarksABreak(_ names: String) throws {
        let range = "#EXT-X-DATERANGE:\(names),START-DATE=\"\(date(2).iso8601)\",DURATION=10"
        let found = try breaks(in: playlist(0..<6, [:], header: [range]))
        #expect((found.map(\.mediaSequences), found.map(\.endDate)) == ([2..<4], [date(4)]))
    }

    /// A window of four segments slides over two runs of ads that nothing marks.
    @Test func runsOfAdsAreBreaksWhereNothingMarksThem() throws {
        var breaks = StitchedBreaks()
        var judged: [String] = []
        let ads = Set([2, 3, 4, 8].map { "s\($0).ts" })
        for first in 0...7 {
            breaks.read(try playlist(first..<(first + 4), [:])) { uri in
                judged.append(uri)
                return ads.contains(uri)
            }
            guard let found = breaks.breaks.first, (1...3).contains(first) else { continue }
            #expect(found.key == date(2).iso8601 && found.startDate == date(2) && found.dialect == .addresses)
            #expect(found.mediaSequences == 2..<UInt64(min(5, first + 4)), "window \(first)")
            #expect(found.isEnded == (first >= 2) && found.endDate == (first >= 2 ? date(5) : nil))
        }
        #expect((breaks.breaks.map(\.key), breaks.breaks.map(\.segments.count)) == ([date(8).iso8601], [1]))
        #expect(judged == (0...10).map { "s\($0).ts" }, "each segment once")
    }

    /// Viewers that joined earlier know its beginning, and would give it another key.
    @Test(arguments: [(2..<6, 0), (3..<7, 0), (1..<5, 1)])
    func aRunThatWasUnderWayIsLeftOut(window: Range<Int>, count: Int) throws {
        var breaks = StitchedBreaks()
        breaks.read(try playlist(window, [:])) { ["s2.ts", "s3.ts", "s4.ts"].contains($0) }
        #expect(breaks.breaks.count == count)
    }

    @Test func missedSegmentsEndARunAndBeginNone() throws {
        var breaks = StitchedBreaks()
        breaks.read(try playlist(0..<4, [:])) { ["s2.ts", "s3.ts"].contains($0) }
        breaks.read(try playlist(9..<12, [:])) { _ in true }
        #expect(breaks.breaks.isEmpty)
        breaks.read(try playlist(10..<14, [:])) { $0 == "s13.ts" }
        #expect(breaks.breaks.map(\.key) == [date(13).iso8601])
        // Counting begins anew.
        breaks.read(try playlist(0..<3, [:])) { $0 == "s1.ts" }
        #expect(breaks.breaks.map(\.isEnded) == [true, true])
    }

    @Test func adsOfAMarkedBreakMakeNoOther() throws {
        var breaks = StitchedBreaks()
        let tags = [2: ["#EXT-X-CUE-OUT:10"], 4: ["#EXT-X-CUE-IN"]]
        breaks.read(try playlist(0..<6, tags)) { ["s2.ts", "s3.ts"].contains($0) }
        #expect(breaks.breaks.map(\.dialect) == [.cueTags])
    }

    @Test func theSectionBesideTheCueIsKept() throws {
        let section = "#EXT-OATCLS-SCTE35:/DAl"
        #expect(try breaks(in: playlist(0..<4, [2: [section, "#EXT-X-CUE-OUT:30"]])).map(\.scte35) == ["/DAl"])
        #expect(try breaks(in: playlist(0..<4, [2: [section]])).isEmpty)
    }

    @Test(arguments: [
        "#EXT-X-CUE-OUT-CONT:10/30", "#EXT-X-CUE-OUT-CONT:ElapsedTime=10.000,Duration=30.000,SCTE35=/DA=",
        "#EXT-X-SCTE35:CUE-OUT=CONT,ELAPSED=10,DURATION=30",
    ]) func aCueFirstSeenAsContinuedIsJoinedInTheMiddle(_ tag: String) throws {
        var breaks = StitchedBreaks()
        breaks.read(try playlist(4..<6, [4: [tag]]))
        let found = try #require(breaks.breaks.first)
        #expect(found.isJoinedInTheMiddle)
        #expect((found.key, found.startDate, found.plannedDuration) == (date(2).iso8601, date(2), .seconds(30)))
        #expect(found.mediaSequences == 4..<6)
        breaks.read(try playlist(5..<9, [5: ["#EXT-X-CUE-OUT-CONT:15/30"], 8: ["#EXT-X-CUE-IN"]]))
        #expect((breaks.breaks.map(\.mediaSequences), breaks.breaks.map(\.isEnded)) == ([4..<8], [true]))
    }

    @Test func aBreakAnnouncedAtTheEdgeHasNoSegmentsYet() throws {
        var breaks = StitchedBreaks()
        breaks.read(try playlist(0..<4, [4: ["#EXT-X-CUE-OUT:30"]]))
        #expect((breaks.breaks.map(\.startDate), breaks.breaks.map(\.segments.count)) == ([date(4)], [0]))
        breaks.read(try playlist(1..<6, [4: ["#EXT-X-CUE-OUT:30"]]))
        #expect((breaks.breaks.map(\.key), breaks.breaks.map(\.mediaSequences)) == ([date(4).iso8601], [4..<6]))
    }

    @Test func breaksFollowEachOther() throws {
        let next = ["#EXT-X-CUE-OUT:5"]
        let tags = [1: next, 2: Self.end, 3: next, 4: next, 5: Self.end]
        var breaks = StitchedBreaks()
        for _ in 0..<3 {
            breaks.read(try playlist(0..<6, tags))
            #expect(breaks.breaks.map(\.mediaSequences) == [1..<2, 3..<4, 4..<5])
            #expect(breaks.breaks.map(\.isEnded) == [true, true, true])
        }
    }

    @Test func aDiscontinuityAfterThePlanEndsABreakWithoutAnEndTag() throws {
        let tags = [1: ["#EXT-X-CUE-OUT:10"], 2: ["#EXT-X-DISCONTINUITY"], 3: ["#EXT-X-DISCONTINUITY"]]
        let found = try breaks(in: playlist(0..<6, tags), playlist(0..<7, tags))
        #expect((found.map(\.mediaSequences), found.map(\.endDate)) == ([1..<3], [date(3)]))
    }

    @Test func withoutDatesTheFirstNumberIsTheKey() throws {
        let found = try breaks(in: playlist(0..<4, [2: ["#EXT-X-CUE-OUT:30"]], dated: false))
        #expect((found.map(\.key), found.map(\.startDate)) == (["msn-2"], [nil]))
    }

    private func range(_ more: String, id: String = "splice-1") -> String {
        "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"\(date(2).iso8601)\",PLANNED-DURATION=30,SCTE35-OUT=0xFC01\(more)"
    }

    @Test func aPairOfDateRangesMarksABreak() throws {
        var breaks = StitchedBreaks()
        breaks.read(try playlist(0..<4, [:], header: [range("")]))
        #expect((breaks.breaks.map(\.key), breaks.breaks.map(\.dialect)) == (["splice-1"], [.dateRanges]))
        #expect((breaks.breaks.map(\.scte35), breaks.breaks.map(\.mediaSequences)) == (["0xFC01"], [2..<4]))
        #expect((breaks.breaks.map(\.plannedDuration), breaks.breaks.map(\.isEnded)) == ([.seconds(30)], [false]))
        let back = range(",SCTE35-IN=0xFC02,DURATION=20")
        breaks.read(try playlist(3..<9, [:], header: [back]))
        #expect((breaks.breaks.map(\.mediaSequences), breaks.breaks.map(\.isEnded)) == ([2..<6], [true]))
        #expect(breaks.breaks.map(\.endDate) == [date(6)])
        breaks.read(try playlist(8..<12, [:], header: [back]))
        #expect(breaks.breaks.count == 1)
        breaks.read(try playlist(9..<13, [:]))
        #expect(breaks.breaks.isEmpty)
    }

    /// Segmentations of a break, of a placement opportunity at its start and of an ad in its middle, each with a range.
    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]]) func rangesInsideOfABreakAreNoBreaks(_ order: [Int]) throws {
        let whole =
            "0xFC303100000000000000FFF00506FE09FE3E5E001B021943554549000000017FFF0000F748B60E05313131313122041349328790"
        let ad =
            "0xFC303100000000000000FFF00506FE09FE3E5E001B021943554549000000057FFF0000F748B60E0531313131313004135B147454"
        let ranges = [
            "ID=\"22\",START-DATE=\"\(date(2).iso8601)\",PLANNED-DURATION=30,SCTE35-OUT=\(whole)",
            "ID=\"30-1\",START-DATE=\"\(date(2).iso8601)\",PLANNED-DURATION=15,SCTE35-OUT=\(ad)",
            "ID=\"30-2\",START-DATE=\"\(date(5).iso8601)\",PLANNED-DURATION=15,SCTE35-OUT=\(ad)",
        ]
        let header = order.map { "#EXT-X-DATERANGE:\(ranges[$0])" }
        let found = try breaks(in: playlist(0..<6, [:], header: header), playlist(1..<10, [:], header: header))
        #expect((found.map(\.key), found.map(\.mediaSequences)) == (["22"], [2..<8]))
        // Ads that no break holds are breaks.
        let alone = try breaks(in: playlist(0..<10, [:], header: ranges.dropFirst().map { "#EXT-X-DATERANGE:\($0)" }))
        #expect((alone.map(\.key), alone.map(\.mediaSequences)) == (["30-1", "30-2"], [2..<5, 5..<8]))
    }

    @Test func untilTheEndIsKnownThePlanBoundsTheBreak() throws {
        let found = try breaks(in: playlist(0..<12, [:], header: [range("")]))
        #expect((found.map(\.mediaSequences), found.map(\.isEnded)) == ([2..<8], [false]))
    }

    @Test func aBreakWhoseStartHasGoneIsJoinedInTheMiddle() throws {
        let found = try breaks(in: playlist(4..<7, [:], header: [range("")]))
        #expect((found.map(\.isJoinedInTheMiddle), found.map(\.mediaSequences)) == ([true], [4..<7]))
    }

    @Test func tagsAndADateRangeOfOneBreakMakeOne() throws {
        let tags = [2: ["#EXT-X-CUE-OUT:30"], 8: ["#EXT-X-CUE-IN"]].merging(Self.continued) { $1 }
        var breaks = StitchedBreaks()
        for first in 0...6 { breaks.read(try playlist(first..<(first + 4), tags, header: [range("")])) }
        #expect(breaks.breaks.map(\.key) == ["splice-1"])
        let late = try self.breaks(in: playlist(0..<4, tags), playlist(1..<5, tags, header: [range("")]))
        #expect(late.map(\.key) == [date(2).iso8601])
    }

    @Test func interstitialsAreNoStitchedBreaks() throws {
        let tag = range(",CLASS=\"com.apple.hls.interstitial\",X-ASSET-URI=\"https://a/\"")
        #expect(try breaks(in: playlist(0..<4, [:], header: [tag])).isEmpty)
    }

    @Test(arguments: [
        "#EXT-X-CUE-OUT:DURATION=99999999999999999999", "#EXT-X-CUE-OUT:-5", "#EXT-X-CUE-OUT-CONT:/",
        "#EXT-X-CUE-OUT-CONT:1/x", "#EXT-X-CUE-OUT-CONT:31557600000/31557600000", "#EXT-X-SCTE35:",
        "#EXT-X-SCTE35:CUE-OUT", "#EXT-X-SPLICEPOINT-SCTE35:", "#EXT-X-SPLICEPOINT-SCTE35:!!", "#EXT-X-CUE-IN:x",
        "#EXT-X-CUE-SPAN", "#EXT-OATCLS-SCTE35:",
    ]) func hostileTagsDoNotTrap(_ tag: String) throws {
        var breaks = StitchedBreaks()
        for first in 0..<5 { breaks.read(try playlist(first..<(first + 3), [2: [tag], 3: [tag]])) }
        #expect(breaks.breaks.count <= 2)
    }

    /// Segments of a break whose beginning has left the window.
    @Test func theRestOfABreakIsKnownByItsEnd() throws {
        func rest(_ tags: [Int: [String]]) throws -> Range<UInt64>? { try playlist(10..<14, tags).restOfStitchedBreak }
        #expect(try rest([12: ["#EXT-X-CUE-IN"]]) == 10..<12)
        #expect(try rest([10: ["#EXT-X-CUE-IN"]]) == nil)
        #expect(try rest([11: ["#EXT-X-CUE-OUT:5"], 12: ["#EXT-X-CUE-IN"]]) == nil)
        #expect(try rest([:]) == nil)
    }
}
