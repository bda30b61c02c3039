import Testing

@testable import HLS

@Suite struct BlockingRuleTests {
    @Test(
        arguments: [(333_340, 9), (500_000, 6), (999_999, 4), (1_000_000, 3), (2_000_000, 3), (0, 3)]
            as [(Int64, UInt64)]
    ) func theAdvancePartLimitGrowsWithShortParts(_ target: Int64, _ limit: UInt64) {
        #expect(BlockingRule.advancePartLimit(partTargetMicroseconds: target) == limit)
    }
}

@Suite struct CDNTuneInTests {
    @Test func anAgeSetsTheGoal() {
        #expect(CDNTuneIn.goal(ageSeconds: nil, partTargetMicroseconds: 333_340) == nil)
        #expect(CDNTuneIn.goal(ageSeconds: 0, partTargetMicroseconds: 333_340) == nil)
        #expect(CDNTuneIn.goal(ageSeconds: 3, partTargetMicroseconds: 333_340) == .seconds(4))
        #expect(CDNTuneIn.goal(ageSeconds: 3, partTargetMicroseconds: 1_000_000) == .seconds(3))
    }

    @Test func theRequestRunsAheadByWhatIsMissing() throws {
        let playlist = try Samples.mediaPlaylist(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3
            #EXT-X-PART-INF:PART-TARGET=1
            #EXT-X-MEDIA-SEQUENCE:7
            #EXTINF:4,
            a
            #EXT-X-PART:DURATION=1,URI="b.0"

            """
        )
        func ask(_ goal: Duration) -> DeliveryDirectives? { CDNTuneIn.directives(goal: goal, playlist: playlist) }
        #expect(ask(.milliseconds(999)) == nil)
        #expect(ask(.seconds(1)) == DeliveryDirectives(mediaSequence: 8, part: 1))
        #expect(ask(.seconds(3)) == DeliveryDirectives(mediaSequence: 8, part: 3))
        #expect(ask(.seconds(4)) == DeliveryDirectives(mediaSequence: 9, part: 0))
        #expect(ask(.seconds(9)) == DeliveryDirectives(mediaSequence: 10, part: 1))
        let plain = try Samples.playlist("#EXTINF:4,", "a")
        #expect(CDNTuneIn.directives(goal: .seconds(9), playlist: plain) == nil)
    }
}
