import Testing

@testable import HLS

@Suite struct StartPositionTests {
    private func playlist(_ header: String..., segments: [String] = ["6", "6", "4.5", "6"]) throws -> MediaPlaylist {
        let body = ["#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:00Z"] + segments.map { "#EXTINF:\($0),\ns" }
        return try Samples.playlist((header + body).joined(separator: "\n"))
    }

    private func date(_ seconds: Double) throws -> WallTime {
        try #require(WallTime(iso8601: "2026-11-21T20:00:00Z")) + .microseconds(Int64(seconds * 1_000_000))
    }

    @Test func theHoldBackIsGivenOrThreeTargetDurations() throws {
        #expect(try playlist().holdBack == .seconds(18))
        #expect(try playlist().partHoldBack == nil)
        let given = try playlist("#EXT-X-SERVER-CONTROL:HOLD-BACK=20.5,PART-HOLD-BACK=3")
        #expect((given.holdBack, given.partHoldBack) == (.milliseconds(20_500), .seconds(3)))
    }

    @Test(
        arguments: [
            (-5, 0), (0, 0), (2.9, 0), (3, 0), (3.1, 6), (12, 12), (14.2, 12), (14.3, 16.5), (22, 22.5), (99, 22.5),
        ] as [(Double, Double)]
    ) func aDateSnapsToTheNearestBoundary(_ seconds: Double, _ boundary: Double) throws {
        #expect(try playlist().nearestBoundary(to: date(seconds)) == date(boundary))
    }

    @Test func withoutDatesThereIsNothingToSnapTo() throws {
        let plain = try Samples.playlist("#EXTINF:6,", "a")
        #expect(try plain.nearestBoundary(to: date(0)) == nil)
    }
}
