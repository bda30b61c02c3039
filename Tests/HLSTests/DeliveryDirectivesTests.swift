import Testing

@testable import HLS

@Suite struct DeliveryDirectivesTests {
    private func playlist(_ lines: String...) throws -> MediaPlaylist {
        try Samples.playlist(
            (["#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=36,PART-HOLD-BACK=3"] + lines)
                .joined(separator: "\n")
        )
    }

    @Test func directivesAreWrittenInByteOrder() {
        let directives = DeliveryDirectives(mediaSequence: 273, part: 3, skip: .segments)
        #expect(
            directives.url("https://h/p.m3u8?token=1&A=2")
                == "https://h/p.m3u8?A=2&_HLS_msn=273&_HLS_part=3&_HLS_skip=YES&token=1"
        )
        #expect(
            directives.url("https://h/p.m3u8?token=1&A=2", inOrder: false)
                == "https://h/p.m3u8?token=1&A=2&_HLS_msn=273&_HLS_part=3&_HLS_skip=YES"
        )
    }

    @Test func oldDirectivesAreReplaced() {
        let old = "https://h/p?_HLS_msn=1&_HLS_part=2&_HLS_skip=v2&b=1&a=1"
        #expect(DeliveryDirectives(mediaSequence: 9).url(old) == "https://h/p?_HLS_msn=9&a=1&b=1")
        #expect(DeliveryDirectives().url(old) == "https://h/p?b=1&a=1")
    }

    @Test func directivesAreReadFromARequest() throws {
        let read = try DeliveryDirectives(in: "/p?x=1&_HLS_skip=v2&_HLS_part=0&_HLS_msn=12")
        #expect(read == DeliveryDirectives(mediaSequence: 12, part: 0, skip: .segmentsAndDateRanges))
        #expect(try DeliveryDirectives(in: "/p?_HLS_report=1").isEmpty)
    }

    @Test(
        arguments: [
            ("/p?_HLS_part=1", .partWithoutMediaSequence),
            ("/p?_HLS_msn=x", .notANumber(parameter: "_HLS_msn")),
            ("/p?_HLS_msn=-1", .notANumber(parameter: "_HLS_msn")),
            ("/p?_HLS_msn=+1", .notANumber(parameter: "_HLS_msn")),
            ("/p?_HLS_msn=99999999999999999999", .notANumber(parameter: "_HLS_msn")),
            ("/p?_HLS_msn=1&_HLS_part=", .notANumber(parameter: "_HLS_part")),
            ("/p?_HLS_skip=yes", .unknownSkip),
        ] as [(String, DeliveryDirectives.Problem)]
    ) func brokenDirectivesAreRefused(_ url: String, _ problem: DeliveryDirectives.Problem) {
        #expect(throws: problem) { try DeliveryDirectives(in: url) }
    }

    @Test func theNextSegmentIsAskedForWithoutParts() throws {
        let playlist = try playlist("#EXT-X-MEDIA-SEQUENCE:7", "#EXTINF:4,", "a", "#EXTINF:4,", "b")
        #expect(DeliveryDirectives.next(after: playlist) == DeliveryDirectives(mediaSequence: 9))
    }

    @Test func theNextPartIsAskedForWhereThereAreParts() throws {
        let lines = [
            "#EXT-X-PART-INF:PART-TARGET=1", "#EXT-X-MEDIA-SEQUENCE:7", "#EXT-X-PART:DURATION=1,URI=\"a.0\"",
            "#EXT-X-PART:DURATION=1,URI=\"a.1\"", "#EXTINF:4,", "a",
        ]
        let complete = try playlist(lines.joined(separator: "\n"))
        #expect(DeliveryDirectives.next(after: complete) == DeliveryDirectives(mediaSequence: 8, part: 0))
        let trailing = try playlist(
            (lines + ["#EXT-X-PART:DURATION=1,URI=\"b.0\"", "#EXT-X-PART:DURATION=1,URI=\"b.1\""])
                .joined(separator: "\n")
        )
        #expect(DeliveryDirectives.next(after: trailing) == DeliveryDirectives(mediaSequence: 8, part: 2))
    }

    @Test func nothingIsAskedForWhereTheServerDoesNotBlockOrTheEndIsThere() throws {
        let plain = try Samples.playlist("#EXTINF:4,", "a")
        #expect(DeliveryDirectives.next(after: plain) == nil)
        #expect(try DeliveryDirectives.next(after: playlist("#EXTINF:4,", "a", "#EXT-X-ENDLIST")) == nil)
    }

    @Test func aDeltaIsAskedForAsOfferedAndOnlyWhileYoung() {
        let control = MediaPlaylist.ServerControl(canSkipUntilSeconds: 36)
        let both = MediaPlaylist.ServerControl(canSkipUntilSeconds: 36, canSkipDateRanges: true)
        #expect(DeliveryDirectives.skip(offeredBy: nil) == nil)
        #expect(DeliveryDirectives.skip(offeredBy: .init(canSkipDateRanges: true)) == nil)
        #expect(DeliveryDirectives.skip(offeredBy: control) == .segments)
        #expect(DeliveryDirectives.skip(offeredBy: both) == .segmentsAndDateRanges)
        #expect(DeliveryDirectives.skip(offeredBy: both, includingDateRanges: false) == .segments)
        #expect(DeliveryDirectives.isYoungEnough(age: .milliseconds(17_999), control))
        #expect(!DeliveryDirectives.isYoungEnough(age: .seconds(18), control))
        #expect(!DeliveryDirectives.isYoungEnough(age: .zero, nil))
    }

    @Test func aRenditionReportSaysWhereToBegin() throws {
        let playlist = try playlist(
            "#EXT-X-PART-INF:PART-TARGET=1",
            "#EXT-X-MEDIA-SEQUENCE:7",
            "#EXTINF:4,",
            "a",
            "#EXT-X-RENDITION-REPORT:URI=\"b\",LAST-MSN=8,LAST-PART=3",
            "#EXT-X-RENDITION-REPORT:URI=\"c\",LAST-MSN=8",
            "#EXT-X-RENDITION-REPORT:URI=\"d\""
        )
        #expect(
            playlist.renditionReports.map { playlist.directives(reportedBy: $0) } == [
                DeliveryDirectives(mediaSequence: 8, part: 4), DeliveryDirectives(mediaSequence: 8, part: 0),
                DeliveryDirectives(mediaSequence: 8, part: 0),
            ]
        )
    }
}
