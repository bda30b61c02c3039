import HLS
import TestSupport
import Testing

@testable import Origin

@Suite struct ChannelTimelineTests {
    private static let zero = ChannelTimeline.zeroSeconds * 1_000_000

    private static let appearances: [(microseconds: Int64, newest: UInt64?)] = [
        (-10_000_000, nil), (-1, nil), (0, nil), (1_999_999, nil), (2_000_000, 0), (3_999_999, 0), (4_000_000, 1),
        (2_000_000_000_000, 999_999),
    ]

    @Test(arguments: appearances)
    func segmentAppearsWhenItIsComplete(microseconds: Int64, newest: UInt64?) {
        let timeline = ChannelTimeline(segmentSeconds: 2, windowSegments: 5)
        let now = WallTime(microseconds: Self.zero + microseconds)
        #expect(timeline.newestSegment(at: now) == newest)
    }

    @Test func zeroIsAWholeNumberOfClipRoundsSinceTheEpoch() {
        #expect(ChannelTimeline.zeroSeconds % Int64(ClipFile.secondsPerLoop) == 0)
        #expect(WallTime(microseconds: Self.zero).iso8601 == "2026-01-01T00:00:00.000Z")
    }

    @Test(arguments: [1, 2, 4, 8], [3, 10])
    func newestSegmentEndsAtMostOneDurationAgo(seconds: Int, window: Int) {
        let timeline = ChannelTimeline(segmentSeconds: seconds, windowSegments: window)
        let seed: UInt64 = 7
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let now = WallTime(
                microseconds: Self.zero + .random(in: 100_000_000...90_000_000_000_000, using: &generator)
            )
            guard let newest = timeline.newestSegment(at: now) else {
                Issue.record("no segment at \(now.microseconds), seed \(seed)")
                return
            }
            let end = timeline.programDate(of: newest + 1)
            #expect(end <= now && now < end + .seconds(seconds), "seed \(seed), now \(now.microseconds)")
            #expect(timeline.window(newest: newest).count == window, "seed \(seed)")
            #expect(timeline.isAvailable(newest, at: LiveEdge(newest: newest)))
            #expect(!timeline.isAvailable(newest + 1, at: LiveEdge(newest: newest)))
        }
    }

    @Test func windowIsShorterAtTheBeginningOfTime() {
        let timeline = ChannelTimeline(segmentSeconds: 2, windowSegments: 5)
        #expect(timeline.window(newest: 2) == 0...2)
        #expect(timeline.window(newest: 4) == 0...4)
        #expect(timeline.window(newest: 5) == 1...5)
    }

    @Test func segmentOutlivesThePlaylistsThatListedIt() {
        let timeline = ChannelTimeline(segmentSeconds: 2, windowSegments: 5)
        #expect(timeline.isAvailable(100, at: LiveEdge(newest: 114)))
        #expect(!timeline.isAvailable(100, at: LiveEdge(newest: 115)))
    }

    @Test func programDateOfAnyNumberDoesNotTrap() {
        let timeline = ChannelTimeline(segmentSeconds: 8, windowSegments: 5)
        #expect(timeline.programDate(of: 0).microseconds == Self.zero)
        _ = timeline.programDate(of: .max)
        _ = timeline.seconds(of: 1 << 60)
    }
}
