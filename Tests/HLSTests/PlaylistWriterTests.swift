import TestSupport
import Testing

@testable import HLS

@Suite struct PlaylistWriterTests {
    @Test func writesALivePlaylistLetterByLetter() throws {
        let start = try #require(WallTime(iso8601: "2026-11-21T20:00:00Z"))
        var writer = MediaPlaylistWriter(targetDurationSeconds: 4, version: 7)
        (writer.mediaSequence, writer.discontinuitySequence) = (100, 2)
        writer.dateRanges = [
            DateRange(
                id: "break-1795291200",
                classAttribute: "com.podswarm.break",
                startDate: start,
                plannedDuration: .seconds(30),
                scte35Out: "0xFC30",
                attributes: ["X-A": .quoted("a"), "X-B": .number("1")]
            )
        ]
        let map = MediaPlaylistWriter.Map(uri: "init.mp4")
        writer.segments = [
            .init(uri: "100.m4s", durationMicroseconds: 4_000_000, programDate: start, map: map),
            .init(uri: "101.m4s", durationMicroseconds: 3_970_667, isDiscontinuity: true, map: map),
        ]
        writer.hasEndList = true
        let expected = """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:4
            #EXT-X-MEDIA-SEQUENCE:100
            #EXT-X-DISCONTINUITY-SEQUENCE:2
            #EXT-X-DATERANGE:ID="break-1795291200",CLASS="com.podswarm.break",START-DATE="2026-11-21T20:00:00.000Z",PLANNED-DURATION=30,SCTE35-OUT=0xFC30,X-A="a",X-B=1
            #EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00.000Z
            #EXT-X-MAP:URI="init.mp4"
            #EXTINF:4.000,
            100.m4s
            #EXT-X-DISCONTINUITY
            #EXTINF:3.970667,
            101.m4s
            #EXT-X-ENDLIST

            """
        #expect(String(decoding: writer.render(), as: UTF8.self) == expected)
    }

    @Test func wholeSecondsAreWrittenBelowVersionThree() {
        var writer = MediaPlaylistWriter(targetDurationSeconds: 4)
        writer.segments = [.init(uri: "a", durationMicroseconds: 4_000_000)]
        #expect(String(decoding: writer.render(), as: UTF8.self).contains("#EXTINF:4,\na\n"))
    }

    @Test func writesAMultivariantPlaylistLetterByLetter() {
        let playlist = MultivariantPlaylist(
            head: PlaylistHead(version: 6, isIndependentSegments: true),
            variants: [
                .init(
                    uri: "v0/media.m3u8",
                    bandwidth: 800_000,
                    codecs: "avc1.42c01e,mp4a.40.2",
                    width: 640,
                    height: 360,
                    frameRate: 25
                )
            ]
        )
        let expected = """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-INDEPENDENT-SEGMENTS
            #EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS="avc1.42c01e,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25.000
            v0/media.m3u8

            """
        #expect(String(decoding: playlist.render(), as: UTF8.self) == expected)
    }

    @Test func theSamplesSurviveWritingAndReading() throws {
        let media = try Samples.mediaPlaylist(Samples.live)
        let description = MediaPlaylistWriter(describing: media)
        let again = try Samples.mediaPlaylist(String(decoding: description.render(), as: UTF8.self))
        #expect(MediaPlaylistWriter(describing: again) == description)
        #expect((again.dateRanges, again.parts.count) == (media.dateRanges, 2))
        let multivariant = try Samples.multivariantPlaylist(Samples.multivariant)
        let text = multivariant.render()
        #expect(try Samples.multivariantPlaylist(String(decoding: text, as: UTF8.self)) == multivariant)
    }

    /// Whole playlists of any shape are written and read again by `PlaylistInvariants`.
    @Test(arguments: 1...40) func everyNumberReadsBack(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var writer = MediaPlaylistWriter(targetDurationSeconds: Int.random(in: 20...60, using: &generator), version: 9)
        writer.mediaSequence = generator.next()
        writer.serverControl = .init(
            holdBackSeconds: Double(generator.next() % 60_000) / 1_000,
            canSkipUntilSeconds: Double(generator.next() % 60_000_000) / 1_000_000
        )
        writer.segments = (0..<50).map { _ in
            let range = ByteRange(length: generator.next(), offset: generator.next())
            return .init(uri: "é漢 ,", durationMicroseconds: Int64(generator.next() % 20_000_000), byteRange: range)
        }
        let playlist = try Samples.mediaPlaylist(String(decoding: writer.render(), as: UTF8.self))
        #expect(MediaPlaylistWriter(describing: playlist) == writer)
    }

    @Test func noValueForgesALine() throws {
        var writer = MediaPlaylistWriter(targetDurationSeconds: 4)
        writer.segments = [
            .init(uri: "a\n#EXT-X-ENDLIST", durationMicroseconds: 4_000_000, title: "t\n#EXT-X-ENDLIST"),
            .init(uri: "#EXT-X-ENDLIST", durationMicroseconds: 4_000_000),
        ]
        writer.dateRanges = [DateRange(id: "a\"\n#EXT-X-ENDLIST", startDate: WallTime(microseconds: 0))]
        let playlist = try Samples.mediaPlaylist(String(decoding: writer.render(), as: UTF8.self))
        #expect(!playlist.hasEndList)
        #expect(playlist.segments.map { playlist.uri(of: $0) } == ["a #EXT-X-ENDLIST", "%23EXT-X-ENDLIST"])
        #expect(playlist.dateRanges.map(\.id) == ["a' #EXT-X-ENDLIST"])
    }

    @Test func numbersThatAreNoneAreWrittenAsNothing() {
        var writer = MediaPlaylistWriter(targetDurationSeconds: 4)
        writer.serverControl = .init(holdBackSeconds: .nan, partHoldBackSeconds: .infinity)
        #expect(String(decoding: writer.render(), as: UTF8.self).contains("HOLD-BACK=0,PART-HOLD-BACK=0\n"))
    }
}
