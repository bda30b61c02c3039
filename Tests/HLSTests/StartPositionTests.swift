import Testing

@testable import HLS

@Suite struct StartPositionTests {
    private func playlist(_ header: String..., segments: [String] = ["6", "6", "4.5", "6"]) throws -> MediaPlaylist {
        let body = ["#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z"] + segments.map { "#EXTINF:\($0),\ns" }
        return try Samples.mediaPlaylist(Samples.media((header + body).joined(separator: "\n")))
    }

    private func date(_ seconds: Double) throws -> WallTime {
        try #require(WallTime(iso8601: "2026-11-21T20:00:00Z")) + .microseconds(Int64(seconds * 1_000_000))
    }

    @Test func theHoldBackIsGivenOrThreeTargetDurations() throws {
        #expect(try playlist().holdBack == .seconds(18))
        #expect(try playlist().partHoldBack == nil)
        let given = try playlist("#EXT-X-SERVER-CONTROL:HOLD-BACK=20.5,PART-HOLD-BACK=3")
        #expect(given.holdBack == .milliseconds(20_500))
        #expect(given.partHoldBack == .seconds(3))
    }

    @Test func theEdgeCountsPartsOfTheSegmentThatIsNotComplete() throws {
        let playlist = try Samples.mediaPlaylist(
            Samples.media(
                "#EXT-X-PART-INF:PART-TARGET=1",
                "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z",
                "#EXT-X-PART:DURATION=1,URI=\"a.0\"",
                "#EXTINF:6,",
                "a",
                "#EXT-X-PART:DURATION=1,URI=\"b.0\"",
                "#EXT-X-PART:DURATION=0.5,URI=\"b.1\""
            )
        )
        #expect(playlist.edgeMicroseconds == 7_500_000)
        #expect(try playlist.edgeDate == date(7.5))
        #expect(playlist.position(behindEdge: .seconds(3)) == 4_500_000)
        #expect(playlist.position(behindEdge: .seconds(30)) == 0)
        #expect(playlist.position(behindEdge: .seconds(-3)) == 7_500_000)
    }

    @Test func lastSegmentsAreSummed() throws {
        let playlist = try playlist()
        #expect(playlist.durationOfLastSegments(3) == .milliseconds(16_500))
        #expect(playlist.durationOfLastSegments(99) == .milliseconds(22_500))
        #expect(playlist.durationOfLastSegments(-1) == .zero)
    }

    @Test(
        arguments: [
            ("TIME-OFFSET=7", 6_000_000), ("TIME-OFFSET=7,PRECISE=YES", 7_000_000), ("TIME-OFFSET=-12", 6_000_000),
            ("TIME-OFFSET=-12,PRECISE=YES", 10_500_000), ("TIME-OFFSET=-99", 0), ("TIME-OFFSET=99", 22_500_000),
        ] as [(String, Int64)]
    )
    func aStartTagNamesAPositionInsideOfThePlaylist(_ tag: String, _ position: Int64) throws {
        #expect(try playlist("#EXT-X-START:" + tag).startTagMicroseconds == position)
        #expect(try playlist().startTagMicroseconds == nil)
    }

    @Test func positionsAndDatesMatch() throws {
        let playlist = try playlist()
        #expect(playlist.segmentIndex(atMicroseconds: -1) == 0)
        #expect(playlist.segmentIndex(atMicroseconds: 5_999_999) == 0)
        #expect(playlist.segmentIndex(atMicroseconds: 6_000_000) == 1)
        #expect(playlist.segmentIndex(atMicroseconds: 22_499_999) == 3)
        #expect(playlist.segmentIndex(atMicroseconds: 22_500_000) == nil)
        for position in stride(from: Int64(-3_000_000), through: 30_000_000, by: 500_000) {
            let date = try #require(playlist.programDate(atMicroseconds: position))
            #expect(playlist.position(of: date) == position)
        }
        #expect(try playlist.position(of: date(-2)) == -2_000_000)
    }

    @Test func aDateInAGapIsTheStartOfTheLaterSegmentAndAnOverlapBelongsToTheLater() throws {
        let gap = try Samples.mediaPlaylist(
            Samples.media(
                "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z",
                "#EXTINF:6,",
                "a",
                "#EXT-X-DISCONTINUITY",
                "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:10Z",
                "#EXTINF:6,",
                "b"
            )
        )
        #expect(try gap.position(of: date(8)) == 6_000_000)
        #expect(try gap.position(of: date(11)) == 7_000_000)
        let overlap = try Samples.mediaPlaylist(
            Samples.media(
                "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z",
                "#EXTINF:6,",
                "a",
                "#EXT-X-DISCONTINUITY",
                "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:05.5Z",
                "#EXTINF:6,",
                "b"
            )
        )
        #expect(try overlap.position(of: date(5.75)) == 6_250_000)
    }

    @Test(
        arguments: [
            (-5, 0), (0, 0), (2.9, 0), (3, 0), (3.1, 6), (12, 12), (14.2, 12), (14.3, 16.5), (22, 22.5), (99, 22.5),
        ] as [(Double, Double)]
    )
    func aDateSnapsToTheNearestBoundary(_ seconds: Double, _ boundary: Double) throws {
        #expect(try playlist().nearestBoundary(to: date(seconds)) == date(boundary))
    }

    @Test func withoutDatesThereIsNothingToSnapTo() throws {
        let plain = try Samples.mediaPlaylist(Samples.media("#EXTINF:6,", "a"))
        #expect(try plain.nearestBoundary(to: date(0)) == nil)
        #expect(try plain.position(of: date(0)) == nil)
        #expect(plain.programDate(atMicroseconds: 0) == nil)
        #expect(plain.edgeDate == nil)
        let empty = try Samples.mediaPlaylist(Samples.media())
        #expect(empty.segmentIndex(atMicroseconds: 0) == nil)
        #expect(empty.programDate(atMicroseconds: 0) == nil)
    }
}
