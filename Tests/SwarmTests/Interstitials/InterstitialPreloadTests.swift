import HLS
import LoadProfile
import Players
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Preload ranges, the one means against a herd that the specification has (bis-22 appendix F).
@Suite struct InterstitialPreloadTests {
    private static func channel(
        _ ranges: [InterstitialChannel.Listed],
        preload: InterstitialFacts.Preload = .randomPoint,
        trigger: InterstitialFacts.Trigger = .buffered,
        number: Int = 0
    ) throws -> InterstitialChannel {
        try InterstitialChannel(ranges, trigger: trigger, preload: preload, number: number)
    }

    @Test func eachViewerAsksAtAPointOfItsOwnWithinTheRange() throws {
        let ranges = [InterstitialChannel.list("a", at: 60), InterstitialChannel.preload(of: "a", from: 20, to: 50)]
        var asks: [Double] = []
        for number in 0..<40 {
            var channel = try Self.channel(ranges, number: number)
            try channel.run(seconds: 80)
            #expect(channel.asks(.assetList).count == 1)
            asks += channel.asks(.assetList)
            #expect(channel.counted(.preloadsTaken) == 1)
            #expect(channel.outcomes == ["a on time"])
        }
        // The playhead is 6 s behind; the primary is buffered to the break at 60 s.
        #expect(asks.allSatisfy { (26...56.1).contains($0) }, "\(asks)")
        #expect((asks.max() ?? 0) - (asks.min() ?? 0) > 15)
        #expect(Set(asks).count > 20)
    }

    /// While the first break is played the playhead stands still, ever farther from the edge, and then jumps.
    @Test func aRangeThatIsListedDuringABreakIsDrawnFromAfterIt() throws {
        let ranges = [
            InterstitialChannel.list("b", at: 20), InterstitialChannel.list("a", at: 60),
            InterstitialChannel.preload(of: "a", from: 45, to: 53),
        ].enumerated().map { index, range in
            var range = range
            if index > 0 { range.from = 30 }
            return range
        }
        var asks: [Double] = []
        for number in 0..<40 {
            var channel = try Self.channel(ranges, number: number)
            channel.reply("/list/b", .list([("long.m3u8", 10)]))
            try channel.run(seconds: 80)
            #expect(channel.outcomes == ["b on time", "a on time"])
            #expect(channel.counted(.preloadsTaken) == 1)
            asks += channel.asks(.assetList).dropFirst()
        }
        // During the break it seems as if the primary were buffered to the break when the playhead is at 50.
        #expect(asks.count == 40)
        #expect(asks.allSatisfy { (51...59.1).contains($0) }, "\(asks)")
        #expect((asks.max() ?? 0) > 57, "\(asks)")
    }

    @Test func aPlayerThatTakesTheRangesStartDoesNotSpread() throws {
        let ranges = [InterstitialChannel.list("a", at: 60), InterstitialChannel.preload(of: "a", from: 20, to: 50)]
        for number in 0..<5 {
            var channel = try Self.channel(ranges, preload: .rangeStart, number: number)
            try channel.run(seconds: 70)
            #expect(channel.asks(.assetList).allSatisfy { abs($0 - 26) < 0.1 }, "\(channel.asks(.assetList))")
        }
    }

    @Test func aPlayerThatIgnoresItAsksAsEver() throws {
        let ranges = [InterstitialChannel.list("a", at: 60), InterstitialChannel.preload(of: "a", from: 20, to: 50)]
        var channel = try Self.channel(ranges, preload: .ignored)
        try channel.run(seconds: 80)
        #expect(channel.asks(.assetList).allSatisfy { $0 >= 60 })
        #expect(channel.counted(.preloadsTaken) == 0)
    }

    @Test func itIsNeverAskedForLaterThanWithoutTheRange() throws {
        let ranges = [InterstitialChannel.list("a", at: 60), InterstitialChannel.preload(of: "a", from: 20, to: 100)]
        for number in 0..<30 {
            var channel = try Self.channel(ranges, trigger: .playhead(.seconds(10)), number: number)
            try channel.run(seconds: 75)
            #expect(channel.asks(.assetList).count == 1)
            #expect(channel.asks(.assetList).allSatisfy { $0 <= 56.1 }, "viewer \(number): \(channel.asks(.assetList))")
        }
    }

    @Test func aRangeThatNamesAnotherURIIsNotUsed() throws {
        let ranges = [
            InterstitialChannel.list("a", at: 60),
            InterstitialChannel.preload(of: "a", from: 20, to: 50, uri: "http://127.0.0.1:8080/list/other"),
        ]
        var channel = try Self.channel(ranges)
        try channel.run(seconds: 80)
        #expect(channel.counted(.preloadsTaken) == 0)
        #expect(channel.asks(.assetList).count == 1)
        #expect(channel.asks(.assetList).allSatisfy { $0 >= 60 })
    }

    /// The range comes before what it speaks of.
    private func anticipated(_ uri: String?) throws -> InterstitialChannel {
        var range = InterstitialChannel.list("a", at: 60)
        range.from = 40
        let ranges = [range, InterstitialChannel.preload(of: "a", from: 10, to: 20, uri: uri)]
        var channel = try Self.channel(ranges)
        try channel.run(seconds: 80)
        return channel
    }

    @Test func whatIsLoadedBeforeItsTargetIsKnownServesIt() throws {
        let channel = try anticipated(nil)
        #expect(channel.asks(.assetList).count == 1)
        #expect((16...26.1).contains(channel.asks(.assetList).first ?? -1), "\(channel.asks(.assetList))")
        #expect(channel.outcomes == ["a on time"])
        #expect(channel.books == (1, 1))
    }

    @Test func whatIsLoadedForAnotherURIIsThrownAway() throws {
        let channel = try anticipated("http://127.0.0.1:8080/list/other")
        #expect(channel.asks(.assetList).count == 2)
        #expect(channel.asked.last { $0.role == .assetList }?.url.contains("/list/a") == true)
        #expect(channel.outcomes == ["a on time"])
    }

    @Test func whatIsStillAwaitedWhenItsTargetComesServesIt() throws {
        var range = InterstitialChannel.list("a", at: 60)
        range.from = 40
        var channel = try Self.channel([range, InterstitialChannel.preload(of: "a", from: 10, to: 20)])
        channel.delays.append((part: "/list/a", seconds: 28))
        try channel.run(seconds: 80)
        #expect(channel.asks(.assetList).count == 1)
        #expect((16...26.1).contains(channel.asks(.assetList).first ?? -1), "\(channel.asks(.assetList))")
        #expect(channel.outcomes == ["a on time"])
        #expect(channel.books == (1, 1))
    }

    @Test func aRangeThatChangesBeforeItsTargetIsKnownIsNoEvent() throws {
        var range = InterstitialChannel.list("a", at: 60)
        range.from = 40
        var first = InterstitialChannel.preload(of: "a", from: 10, to: 20)
        first.until = 8
        var second = InterstitialChannel.preload(of: "a", from: 10, to: 22)
        second.from = 8
        var channel = try Self.channel([range, first, second])
        try channel.run(seconds: 80)
        #expect(channel.outcomes == ["a on time"])
        #expect(channel.books == (1, 1))
    }
}
