import Conformance
import HLS
import Rulebook
import Testing

/// What is found between two playlists of one channel, and the nearest that is not.
@Suite struct RenditionFindingTests {
    private func codes(
        of playlist: SampleRendition,
        as kind: RenditionKind = .variant,
        beside reference: SampleRendition = SampleRendition()
    ) throws -> [FindingCode] {
        let own = try playlist.playlist()
        let other = try reference.playlist()
        return RenditionChecks.violations(of: own, as: kind, beside: other).map(\.code)
    }

    @Test func renditionTargetDurationDiffers() throws {
        #expect(try codes(of: SampleRendition(targetDuration: 3)) == [.renditionTargetDurationDiffers])
        // Shorter segments under the same target duration are nobody's fault.
        let audio = SampleRendition(first: 30, count: 7, segmentMilliseconds: 1_600, discontinuityOffset: -1)
        #expect(try codes(of: audio, as: .audio, beside: SampleRendition(first: 21)) == [])
    }

    @Test func renditionDiscontinuityDiffers() throws {
        for offset in [-1, 1] {
            #expect(try codes(of: SampleRendition(discontinuityOffset: offset)) == [.renditionDiscontinuityDiffers])
        }
        // The window slid past the discontinuity in one of the two.
        #expect(try codes(of: SampleRendition(first: 30, count: 8), beside: SampleRendition(first: 26)) == [])
        var late = SampleRendition(first: 24)
        late.discontinuityOffset = 1
        #expect(try codes(of: late) == [.renditionDiscontinuityDiffers])
    }

    @Test func discontinuityNumbersAreComparedByTimeNotByMediaSequence() throws {
        // The same segments, numbered from another start.
        var text = SampleRendition().text.replacing("#EXT-X-MEDIA-SEQUENCE:20", with: "#EXT-X-MEDIA-SEQUENCE:900")
        let reference = try SampleRendition().playlist()
        func found() throws -> [FindingCode] {
            guard case .media(let playlist) = try Array(text.utf8).withUnsafeBytes({ try Playlist.parse($0) }) else {
                throw SampleRendition.NoMediaPlaylist()
            }
            return RenditionChecks.violations(of: playlist, as: .variant, beside: reference).map(\.code)
        }
        #expect(try found() == [])
        text = text.replacing("DISCONTINUITY-SEQUENCE:2", with: "DISCONTINUITY-SEQUENCE:5")
        #expect(try found() == [.renditionDiscontinuityDiffers])
    }

    @Test func renditionDateRangeDiffers() throws {
        #expect(try codes(of: SampleRendition(ranges: [])) == [.renditionDateRangeDiffers])
        #expect(
            try codes(of: SampleRendition(ranges: [SampleRendition.range(",X-A=\"1\"")]))
                == [],
            "the older of two may lack what was added since"
        )
        #expect(
            try codes(
                of: SampleRendition(),
                beside: SampleRendition(ranges: [SampleRendition.range(",X-A=\"1\"")])
            ) == [.renditionDateRangeDiffers],
            "attributes are never taken away"
        )
        #expect(
            try codes(
                of: SampleRendition(ranges: [SampleRendition.range(",X-A=\"2\"")]),
                beside: SampleRendition(ranges: [SampleRendition.range(",X-A=\"1\"")])
            ) == [.renditionDateRangeDiffers]
        )
        let unknown = SampleRendition.range(id: "break-2")
        #expect(
            try codes(of: SampleRendition(ranges: [SampleRendition.range(), unknown]))
                == [.renditionDateRangeDiffers]
        )
    }

    /// The other packager of a pair rounds to frames of its own.
    @Test(
        arguments: [
            (",DURATION=4.0", ",DURATION=4.02", 0, []),
            (",DURATION=4.0", ",DURATION=4.043", 0, [.renditionDateRangeDiffers]),
            ("", "", 20, []), ("", "", -42, []), ("", "", 43, [.renditionDateRangeDiffers]),
            (",X-A=4.00", ",X-A=4.02", 0, [.renditionDateRangeDiffers]),
        ] as [(String, String, Int64, [FindingCode])]
    )
    func timesThatAreRoundedAreOne(own: String, others: String, milliseconds: Int64, found: [FindingCode]) throws {
        let range = SampleRendition.range(own)
        let start = WallTime(microseconds: (SampleRendition.zero + 24 * 2_000) * 1_000)
        let moved = (start + .milliseconds(milliseconds)).iso8601
        let other = SampleRendition.range(others).replacing(start.iso8601, with: moved)
        #expect(try codes(of: SampleRendition(ranges: [other]), beside: SampleRendition(ranges: [range])) == found)
        #expect(try codes(of: SampleRendition(ranges: [range]), beside: SampleRendition(ranges: [other])) == found)
    }

    /// What one window begins too late for is the tag that began the range, not the one that ends it.
    @Test func aRangesEndMayOutliveItsBeginningInOneOfTwoWindows() throws {
        let date = WallTime(microseconds: (SampleRendition.zero + 26 * 2_000) * 1_000).iso8601
        let end = "#EXT-X-DATERANGE:ID=\"break-1\",END-DATE=\"\(date)\""
        let whole = [SampleRendition.range(), end]
        let (early, late) = (SampleRendition(first: 24, ranges: whole), SampleRendition(first: 25, ranges: [end]))
        #expect(try codes(of: late, beside: early) == [])
        #expect(try codes(of: early, beside: late) == [])
        let differs: [FindingCode] = [.renditionDateRangeDiffers]
        #expect(try codes(of: SampleRendition(first: 25, ranges: []), beside: early) == differs)
        #expect(try codes(of: SampleRendition(ranges: [end]), beside: SampleRendition(ranges: whole)) == differs)
    }

    @Test func aRangeThatOnlyOneWindowReachesIsNotMissed() throws {
        // Announced with a segment that the other does not list yet.
        let ahead = [SampleRendition.range(), SampleRendition.range(id: "next", segment: 28)]
        #expect(try codes(of: SampleRendition(first: 21, ranges: ahead)) == [])
        #expect(try codes(of: SampleRendition(), beside: SampleRendition(first: 21, ranges: ahead)) == [])
        #expect(
            try codes(of: SampleRendition(first: 22), beside: SampleRendition(first: 21, ranges: ahead))
                == [.renditionDateRangeDiffers]
        )
        // Gone with the segments that it covered.
        #expect(try codes(of: SampleRendition(first: 25, ranges: []), beside: SampleRendition(first: 24)) == [])
        #expect(try codes(of: SampleRendition(ranges: []), as: .audio) == [])
        let tokens = [SampleRendition.range(",X-ASSET-LIST=\"https://ads.test/list?session=1\"")]
        let others = [SampleRendition.range(",X-ASSET-LIST=\"https://ads.test/list?session=2\"")]
        #expect(try codes(of: SampleRendition(ranges: tokens), beside: SampleRendition(ranges: others)) == [])
    }

    @Test func renditionProgramDateMissing() throws {
        let undated = SampleRendition(hasDates: false)
        #expect(try codes(of: undated) == [.renditionProgramDateMissing])
        #expect(try codes(of: SampleRendition(), beside: undated) == [.renditionProgramDateMissing])
        #expect(try codes(of: undated, beside: undated) == [])
    }

    @Test func renditionProgramDateDiffers() throws {
        #expect(try codes(of: SampleRendition(shiftMilliseconds: 900)) == [.renditionProgramDateDiffers])
        #expect(try codes(of: SampleRendition(shiftMilliseconds: -700)) == [.renditionProgramDateDiffers])
        // Within what encoders' clocks and rounding make of it.
        #expect(try codes(of: SampleRendition(shiftMilliseconds: 300)) == [])
        // Audio cut at other places than video.
        let audio = SampleRendition(first: 10, count: 4, segmentMilliseconds: 3_900, targetDuration: 4)
        let video = SampleRendition(targetDuration: 4)
        #expect(try codes(of: audio, as: .audio, beside: video).contains(.renditionProgramDateDiffers) == false)
    }

    @Test func renditionEdgeLags() throws {
        #expect(try codes(of: SampleRendition(first: 16)) == [.renditionEdgeLags])
        #expect(try codes(of: SampleRendition(first: 17)) == [])
        // The one that the others are compared with is not held against them.
        #expect(try codes(of: SampleRendition(), beside: SampleRendition(first: 16)) == [])
    }

    @Test func renditionServerControlDiffers() throws {
        let control = ["#EXT-X-SERVER-CONTROL:HOLD-BACK=6.0,CAN-SKIP-UNTIL=12.0"]
        #expect(try codes(of: SampleRendition(header: control)) == [.renditionServerControlDiffers])
        #expect(try codes(of: SampleRendition(), beside: SampleRendition(header: control)) != [])
        let same = ["#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12,HOLD-BACK=6"]
        #expect(try codes(of: SampleRendition(header: same), beside: SampleRendition(header: control)) == [])
    }

    @Test func renditionTypeDiffers() throws {
        let event = ["#EXT-X-PLAYLIST-TYPE:EVENT"]
        #expect(try codes(of: SampleRendition(header: event)) == [.renditionTypeDiffers])
        #expect(try codes(of: SampleRendition(header: event), beside: SampleRendition(header: event)) == [])
        // One ended and the other went on.
        #expect(try codes(of: SampleRendition(first: 18, hasEnded: true)) == [.renditionTypeDiffers])
        #expect(try codes(of: SampleRendition(first: 22), beside: SampleRendition(hasEnded: true)) != [])
        // The end itself, which reached the other a moment before it was asked again.
        #expect(try codes(of: SampleRendition(hasEnded: true)) == [])
        #expect(try codes(of: SampleRendition(first: 21, hasEnded: true)) == [])
    }

    @Test func renditionEncryptionDiffers() throws {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"key\""
        let encrypted = SampleRendition(before: [20: key])
        #expect(try codes(of: encrypted) == [.renditionEncryptionDiffers])
        #expect(try codes(of: SampleRendition(), beside: encrypted) == [.renditionEncryptionDiffers])
        #expect(try codes(of: SampleRendition(before: [20: "#EXT-X-KEY:METHOD=NONE"])) == [])
        // Each with a key of its own, and audio that is clear.
        let other = SampleRendition(before: [20: "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"other\""])
        #expect(try codes(of: other, beside: encrypted) == [])
        #expect(try codes(of: SampleRendition(), as: .audio, beside: encrypted) == [])
        // A break in the clear, in both.
        var pause = encrypted
        pause.before[24] = "#EXT-X-KEY:METHOD=NONE"
        var lower = other
        lower.before[24] = "#EXT-X-KEY:METHOD=NONE"
        #expect(try codes(of: lower, beside: pause) == [])
    }

    @Test(arguments: -2...2) func windowsThatSlidAreNoDifference(by slide: Int) throws {
        #expect(try codes(of: SampleRendition(first: 20 + slide)) == [])
        #expect(try codes(of: SampleRendition(first: 24 + slide), beside: SampleRendition(first: 24)) == [])
    }
}

@Suite struct RenditionDeviationsTests {
    private let violation = Violation(.renditionEdgeLags, expected: "", observed: "")
    private let other = Violation(.renditionTypeDiffers, expected: "", observed: "")

    @Test func aChangeThatReachesBothCountsForNeither() {
        var deviations = RenditionDeviations()
        #expect(deviations.confirmed([violation], beside: 1) == [])
        #expect(deviations.confirmed([], beside: 2) == [])
        #expect(deviations.confirmed([violation], beside: 3) == [])
    }

    @Test func whatDiffersFromTwoVersionsCounts() {
        var deviations = RenditionDeviations()
        #expect(deviations.confirmed([violation], beside: 1) == [])
        #expect(deviations.confirmed([violation, other], beside: 2) == [violation])
        #expect(deviations.confirmed([violation, other], beside: 3) == [violation, other])
    }

    /// Two edges of one playlist whose texts differ are asked in turns, while the other playlist is loaded once.
    @Test func whatCountsForOneVersionCountsForThoseThatComeWithIt() {
        var deviations = RenditionDeviations()
        #expect(deviations.confirmed([violation], beside: 1) == [])
        #expect(deviations.confirmed([violation], beside: 1) == [])
        for reference in 2..<5 {
            #expect(deviations.confirmed([violation], beside: reference) == [violation])
            #expect(deviations.confirmed([violation], beside: reference) == [violation])
        }
        #expect(deviations.confirmed([other], beside: 4) == [])
        #expect(deviations.confirmed([violation, other], beside: 4) == [])
    }

    @Test func oneVersionOfTheOtherIsNotTwo() {
        var deviations = RenditionDeviations()
        #expect(deviations.confirmed([violation], beside: 1) == [])
        #expect(deviations.confirmed([violation, other], beside: 1) == [])
        #expect(deviations.confirmed([violation, other], beside: 2) == [violation])
        deviations.forget()
        #expect(deviations.confirmed([violation], beside: 3) == [])
    }
}
