import AdServing
import Audience
import HLS
import LoadProfile
import Rulebook
import Testing

@testable import Swarm
@testable import Viewer

/// How much of an interstitial was asked for, and how much of that was filled with ads that could be played to their end.
@Suite struct InterstitialFillTests {
    typealias Channel = InterstitialChannel

    /// Seconds asked for and filled, once for each break; of a viewer whose playhead reaches the break at 26 s.
    private static func fills(_ channel: Channel) -> [[Double]] {
        channel.viewer.eventNotes.compactMap { _, note in
            guard case .breakFilled(let asked, let filled) = note else { return nil }
            return [asked, filled].map { (Double($0) / 1e8).rounded() / 10 }
        }
    }

    private static func twoAds(_ channel: inout Channel) {
        channel.reply("/list/a", .list([("one.m3u8", 5), ("two.m3u8", 5)]))
    }

    @Test(arguments: [
        ("DURATION=10", [10.0, 10]), ("DURATION=8", [8, 8]), ("DURATION=20", [20, 10]),
        ("DURATION=10,X-PLAYOUT-LIMIT=6", [6, 6]), ("DURATION=8,X-PLAYOUT-LIMIT=60", [8, 8]),
    ])
    func moreThanTheSlotOrItsLimitFillsNothing(attributes: String, expected: [Double]) throws {
        var channel = try Channel([Channel.list("a", at: 20, attributes)], replies: Self.twoAds)
        try channel.run(seconds: 60)
        #expect(Self.fills(channel) == [expected])
    }

    @Test(arguments: [false, true])
    func anAssetThatCannotBePlayedToItsEndFillsNothing(isLive: Bool) throws {
        let second = isLive ? Channel.Reply.live : .failure(BreakLoadFailure(.assetFailed, .unusable))
        var channel = try Channel(
            [Channel.list("a", at: 20, "DURATION=10")],
            replies: { channel in
                Self.twoAds(&channel)
                channel.reply("two", second)
            }
        )
        try channel.run(seconds: 60)
        #expect(Self.fills(channel) == [[10, 5]])
    }

    @Test(arguments: [
        #"{"URI":"http://127.0.0.1:8080/one.m3u8","DURATION":5}"#: 10.0,
        #"{"URI":"http://127.0.0.1:8080/one.m3u8","DURATION":"5"}"#: 5, #"{"URI":"one.m3u8","DURATION":5}"#: 5,
    ])
    func anAssetThatIsListedAgainstTheSpecificationFillsNothing(entry: String, filled: Double) throws {
        let good = #"{"URI":"http://127.0.0.1:8080/two.m3u8","DURATION":5}"#
        let list = try AssetList(parsing: Array(#"{"ASSETS":[\#(entry),\#(good)]}"#.utf8))
        var channel = try Channel(
            [Channel.list("a", at: 20, "DURATION=10")],
            replies: { $0.reply("/list/a", .full(list)) }
        )
        try channel.run(seconds: 60)
        #expect(Self.fills(channel) == [[10, filled]])
    }

    @Test func aBreakThatIsLostIsAskedForAndNotFilled() throws {
        var channel = try Channel(
            [Channel.list("a", at: 20, "DURATION=10")],
            replies: { channel in
                channel.reply("/list/a", .failure(BreakLoadFailure(.assetListFailed, .unusable)))
            }
        )
        try channel.run(seconds: 60)
        #expect(Self.fills(channel) == [[10, 0]])
    }

    @Test func aBreakThatTheChannelTakesBackIsNotFilled() throws {
        var listed = Channel.list("a", at: 20, "DURATION=10")
        listed.until = 23
        var channel = try Channel([listed], replies: Self.twoAds)
        try channel.run(seconds: 60)
        #expect(channel.counted(.eventsCancelled) == 1)
        #expect(Self.fills(channel) == [[10, 0]])
    }

    @Test(arguments: [(24, []), (29, [[3, 3]]), (33, [[7, 7]]), (50, [[10, 10]])] as [(Double, [[Double]])])
    func aViewerThatLeavesCutsBothSums(second: Double, expected: [[Double]]) throws {
        var channel = try Channel([Channel.list("a", at: 20, "DURATION=10")], replies: Self.twoAds)
        try channel.run(seconds: second)
        channel.leave()
        #expect(Self.fills(channel) == expected)
    }

    @Test func aViewerThatSkipsCutsBothSums() throws {
        for number in 0..<10 {
            var channel = try Channel([Channel.list("a", at: 20, "DURATION=10")], number: number) {
                $0.audience.skips = NavigationPlan(share: 1, every: .seconds(3))
            } replies: {
                Self.twoAds(&$0)
            }
            try channel.run(seconds: 60)
            let fill = try #require(Self.fills(channel).first)
            #expect(fill[0] == fill[1])
            #expect((fill[0] < 10) == (channel.counted(.eventsSkipped) == 1))
        }
    }

    /// The second asset is not there while the first ends: what the viewer waited for was not filled.
    @Test func anAssetThatComesLateFillsLess() throws {
        var channel = try Channel(
            [Channel.list("a", at: 20, "DURATION=10")],
            replies: { channel in
                Self.twoAds(&channel)
                channel.reply("two", .silence)
            }
        )
        try channel.run(seconds: 34)
        channel.leave()
        #expect(Self.fills(channel) == [[8, 5]])
    }
}
