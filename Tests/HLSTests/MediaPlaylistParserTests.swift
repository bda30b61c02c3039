import TestSupport
import Testing

@testable import HLS

@Suite struct MediaPlaylistParserTests {
    @Test func readsEveryTagOfALivePlaylist() throws {
        let playlist = try Samples.mediaPlaylist(Samples.live)
        #expect((playlist.head.version, playlist.targetDurationSeconds, playlist.mediaSequence) == (9, 6, 2_680))
        #expect(playlist.discontinuitySequence == 4)
        #expect(playlist.head.isIndependentSegments && !playlist.hasEndList)
        #expect(playlist.playlistType == nil)
        let expected = MediaPlaylist.ServerControl(
            holdBackSeconds: 18,
            partHoldBackSeconds: 3.012,
            canBlockReload: true,
            canSkipUntilSeconds: 36.5,
            canSkipDateRanges: true
        )
        #expect(playlist.serverControl == expected)
        #expect(playlist.partTargetMicroseconds == 1_004_000)
        #expect(playlist.head.startPoint == StartPoint(offsetMicroseconds: -12_500_000, isPrecise: true))
        #expect((playlist.endMediaSequence, playlist.durationMicroseconds) == (2_683, 15_005_333))
        #expect(playlist.segments.last?.durationMicroseconds == 4_000_000)
        #expect(playlist.parts.map { playlist.string(in: $0.uri) } == ["2683.1.m4s", "2683.2.m4s"])
        #expect((playlist.parts.map(\.isIndependent), playlist.parts.map(\.isGap)) == ([true, false], [false, true]))
        #expect(playlist.parts.last?.byteRange == ByteRange(length: 10, offset: 20))
        #expect(playlist.parts.map(\.segmentIndex) == [3, 3])
        let hint = try #require(playlist.preloadHints.first)
        #expect(hint.kind == .part)
        #expect(playlist.string(in: hint.uri) == "2683.3.m4s")
        #expect((hint.byteRangeStart, hint.byteRangeLength) == (5, 7))
        let report = try #require(playlist.renditionReports.first)
        #expect(playlist.string(in: report.uri) == "../low/media.m3u8")
        #expect((report.lastMediaSequence, report.lastPart) == (2_683, 1))
        let others = playlist.otherTags.map { playlist.string(in: $0.line) }
        #expect(others == ["#EXT-X-KEY:METHOD=AES-128,URI=\"key?a=1,2\"", "#EXT-X-CUE-OUT:30"])
        #expect(playlist.otherTags.map(\.segmentIndex) == [1, 2])
    }

    @Test func readsSegmentsAsRangesOfTheKeptText() throws {
        let playlist = try Samples.mediaPlaylist(Samples.live)
        #expect(playlist.text == Array(Samples.live.utf8))
        #expect(playlist.segments.map { playlist.uri(of: $0) } == ["2680.m4s", "2681.m4s", "2682.m4s"])
        #expect(playlist.segments.map(\.durationMicroseconds) == [6_000_000, 5_005_333, 4_000_000])
        #expect(playlist.segments.map(\.startOffsetMicroseconds) == [0, 6_000_000, 11_005_333])
        #expect(playlist.segments.map(\.isDiscontinuity) == [false, true, false])
        #expect(playlist.segments.map(\.discontinuitySequence) == [4, 5, 5])
        #expect(playlist.segments.map(\.isGap) == [false, false, true])
        #expect(
            playlist.segments.map { $0.mapURI.map { playlist.string(in: $0) } } == ["init.mp4", "init.mp4", "init.mp4"]
        )
        #expect(playlist.segments.map(\.mapByteRange) == Array(repeating: ByteRange(length: 720, offset: 0), count: 3))
        #expect(playlist.segments.map(\.byteRange) == [nil, ByteRange(length: 1_000, offset: 200), nil])
        #expect(playlist.segments.map { $0.title.map { playlist.string(in: $0) } } == ["first", nil, nil])
    }

    @Test func datesExtrapolateForwardAndBackward() throws {
        let playlist = try Samples.mediaPlaylist(Samples.live)
        let dated = try #require(WallTime(iso8601: "2026-11-21T20:00:00.250Z"))
        #expect(playlist.segments.map(\.programDate) == [nil, dated, nil])
        #expect(playlist.programDate(at: 0) == dated - .seconds(6))
        #expect(playlist.programDate(at: 1) == dated)
        #expect(playlist.programDate(at: 2) == dated + .microseconds(5_005_333))
        #expect(playlist.endProgramDate == dated + .microseconds(9_005_333))
        #expect(playlist.programDate(at: 3) == nil)
        #expect(playlist.programDate(at: -1) == nil)
    }

    @Test func aLaterDateTagTakesOver() throws {
        let playlist = try Samples.playlist(
            "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z\n#EXTINF:6,\n0.ts\n#EXTINF:6,\n1.ts",
            "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T21:00:00Z\n#EXTINF:6,\n2.ts\n#EXTINF:6,\n3.ts"
        )
        let times = (0..<4).map { playlist.programDate(at: $0)?.iso8601.dropFirst(11).dropLast(5) }
        #expect(times == ["20:00:00", "20:00:06", "21:00:00", "21:00:06"])
    }

    @Test func eachDiscontinuityTagCounts() throws {
        let playlist = try Samples.playlist(
            "#EXT-X-DISCONTINUITY-SEQUENCE:7",
            "#EXTINF:6,\n0.ts\n#EXT-X-DISCONTINUITY\n#EXT-X-DISCONTINUITY\n#EXTINF:6,\n1.ts\n#EXT-X-DISCONTINUITY"
        )
        #expect(playlist.segments.map(\.discontinuitySequence) == [7, 9])
        #expect(playlist.segments.map(\.isDiscontinuity) == [false, true])
    }

    /// A date is a segment's own on its side of each discontinuity.
    @Test func ownDatesAreNotCarriedOverADiscontinuity() throws {
        let playlist = try Samples.playlist(
            "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z\n#EXTINF:6,\n0.ts\n#EXTINF:6,\n1.ts",
            "#EXT-X-DISCONTINUITY\n#EXTINF:6,\n2.ts\n#EXT-X-DISCONTINUITY",
            "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T21:00:00Z\n#EXTINF:6,\n3.ts"
        )
        let own = (0..<5).map { playlist.ownProgramDate(at: $0)?.iso8601.dropFirst(11).dropLast(5) }
        #expect(own == ["20:00:00", "20:00:06", nil, "21:00:00", nil])
        #expect(playlist.programDate(at: 2)?.iso8601.dropFirst(11).dropLast(5) == "20:00:12")
        #expect(playlist.ownEndProgramDate == playlist.endProgramDate)
        let undated = try Samples.playlist("#EXTINF:6,", "0.ts")
        #expect(undated.ownProgramDate(at: 0) == nil)
        #expect(undated.ownEndProgramDate == nil)
    }

    @Test func aPlaylistWithoutDatesHasNone() throws {
        let playlist = try Samples.playlist("#EXTINF:6,", "0.ts")
        #expect(playlist.programDate(at: 0) == nil)
        #expect(playlist.endProgramDate == nil)
        let empty = try Samples.playlist("#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z")
        #expect(empty.endProgramDate == nil)
        #expect(empty.segments.isEmpty)
        #expect(empty.durationMicroseconds == 0)
    }

    @Test func carriageReturnsAndAMissingLastLineFeedChangeNothing() throws {
        let unix = try Samples.mediaPlaylist(Samples.live)
        let windows = try Samples.mediaPlaylist(Samples.live.replacing("\n", with: "\r\n"))
        #expect(MediaPlaylistWriter(describing: windows) == MediaPlaylistWriter(describing: unix))
        let open = try Samples.mediaPlaylist("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n0.ts")
        #expect(open.segments.map { open.uri(of: $0) } == ["0.ts"])
    }

    @Test(arguments: [
        ("#EXTINF:6,", 6_000_000), ("#EXTINF:6", 6_000_000), ("#EXTINF:0,", 0), ("#EXTINF:6.,", 6_000_000),
        ("#EXTINF:.5,", 500_000), ("#EXTINF:5.9999995,", 6_000_000), ("#EXTINF:5.9999994,", 5_999_999),
        ("#EXTINF:0.0000001,x", 0), ("#EXTINF:31557600000,", 31_557_600_000_000_000), ("#EXTINF:-1,", nil),
        ("#EXTINF:,", nil), ("#EXTINF:", nil), ("#EXTINF:NaN,", nil), ("#EXTINF:inf,", nil), ("#EXTINF:1e3,", nil),
        ("#EXTINF:0x10,", nil), ("#EXTINF: 6,", nil), ("#EXTINF:6.0.0,", nil), ("#EXTINF:.,", nil),
        ("#EXTINF:31557600001,", nil), ("#EXTINF:99999999999999999999999999,", nil),
    ]) func readsDurationsExactlyOrNotAtAll(_ line: String, _ microseconds: Int64?) throws {
        let text = Samples.media(line, "0.ts")
        guard let microseconds else {
            let error = #expect(throws: PlaylistError.self) { try Playlist(parsing: text) }
            #expect((error?.code, error?.line) == (.badExtinf, 3))
            return
        }
        #expect(try Samples.mediaPlaylist(text).durationMicroseconds == microseconds)
    }

    @Test(arguments: [
        ("#EXT-X-PLAYLIST-TYPE:VOD", MediaPlaylist.PlaylistType.vod),
        ("#EXT-X-PLAYLIST-TYPE:EVENT", MediaPlaylist.PlaylistType.event),
    ]) func readsThePlaylistType(_ line: String, _ type: MediaPlaylist.PlaylistType) throws {
        #expect(try Samples.playlist(line).playlistType == type)
    }

    @Test func readsFlagsSkipAndDefinitions() throws {
        let playlist = try Samples.playlist(
            "#EXT-X-I-FRAMES-ONLY",
            "#EXT-X-MEDIA-SEQUENCE:10",
            "#EXT-X-SKIP:SKIPPED-SEGMENTS=3",
            "#EXT-X-DEFINE:NAME=\"host\",VALUE=\"cdn\"",
            "#EXT-X-DEFINE:IMPORT=\"token\"",
            "#EXT-X-DEFINE:QUERYPARAM=\"stream_id\"",
            "#EXTINF:6,",
            "13.ts",
            "#EXT-X-ENDLIST"
        )
        #expect(playlist.isIFramesOnly && playlist.hasEndList)
        #expect(playlist.skippedSegments == 3)
        #expect(playlist.mediaSequence(at: 0) == 13)
        #expect(playlist.endMediaSequence == 14)
        #expect(
            playlist.head.definitions == [
                .value(name: "host", value: "cdn"), .imported(name: "token"), .queryParameter(name: "stream_id"),
            ]
        )
    }

    @Test func sequenceNumbersClampInsteadOfTrapping() throws {
        let playlist = try Samples.playlist(
            "#EXT-X-MEDIA-SEQUENCE:18446744073709551615",
            "#EXT-X-DISCONTINUITY-SEQUENCE:18446744073709551615",
            "#EXTINF:6,\n0.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:6,\n1.ts"
        )
        #expect(playlist.endMediaSequence == .max)
        #expect(playlist.mediaSequence(at: 1) == .max)
        #expect(playlist.segments.map(\.discontinuitySequence) == [.max, .max])
    }

    @Test func anUnknownHintTypeIsPassedOver() throws {
        let playlist = try Samples.playlist("#EXT-X-PRELOAD-HINT:TYPE=KEY,URI=\"k\"")
        #expect(playlist.preloadHints.isEmpty)
    }

    @Test func unknownTagsBeforeTheFirstKnownOneAreKept() throws {
        let playlist = try Samples.mediaPlaylist("#EXTM3U\n#EXT-X-VENDOR:1\n#EXT-X-TARGETDURATION:6\n#EXT-X-OTHER\n")
        #expect(playlist.otherTags.map { playlist.string(in: $0.line) } == ["#EXT-X-VENDOR:1", "#EXT-X-OTHER"])
    }

    @Test func anyWayInGivesTheSamePlaylist() throws {
        let whole = try Array(Samples.live.utf8).withUnsafeBytes { try Playlist.parse($0) }
        guard case .media(let playlist) = whole else { throw Samples.WrongKind() }
        let other = try Samples.mediaPlaylist(Samples.live)
        #expect((playlist.segments, playlist.text) == (other.segments, other.text))
        #expect(!playlist.isUpdate(of: other))
    }

    @Test(arguments: [
        ("#EXTINF:6,\n3.ts\n", true), ("#EXT-X-ENDLIST\n", true), ("# a comment\n", false),
        ("#EXT-X-DATERANGE:ID=\"b\",START-DATE=\"2026-11-21T20:00:00Z\"\n", true),
        ("#EXT-X-PART:DURATION=1,URI=\"p\"\n", true),
    ]) func onlyNewsIsAnUpdate(_ addition: String, _ isUpdate: Bool) throws {
        let text = Samples.media("#EXT-X-MEDIA-SEQUENCE:1", "#EXTINF:6,", "1.ts", "#EXTINF:6,", "2.ts")
        let previous = try Samples.mediaPlaylist(text)
        #expect(try Samples.mediaPlaylist(text + addition).isUpdate(of: previous) == isUpdate)
    }

    @Test func aWindowThatSlidIsAnUpdate() throws {
        let previous = try Samples.playlist("#EXT-X-MEDIA-SEQUENCE:1", "#EXTINF:6,", "1.ts")
        let next = try Samples.playlist("#EXT-X-MEDIA-SEQUENCE:2", "#EXTINF:6,", "2.ts")
        #expect(next.isUpdate(of: previous))
        #expect(previous.isUpdate(of: next))
    }

    @Test func aRangeOutsideOfTheTextIsEmptyText() throws {
        let playlist = try Samples.mediaPlaylist(Samples.live)
        #expect(playlist.string(in: 0..<1_000_000).isEmpty)
        #expect(playlist.string(in: -1..<1).isEmpty)
        #expect(playlist.string(in: 0..<7) == "#EXTM3U")
    }
}
