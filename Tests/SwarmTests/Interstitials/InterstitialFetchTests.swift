import AdServing
import HLS
import LoadProfile
import Players
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// When a player asks for an interstitial's content, and what follows when it does not come.
@Suite struct InterstitialFetchTests {
    /// The break lies at 40 s, so that the playhead, 6 s behind the edge, is there at 46 s.
    private static let triggers: [(InterstitialFacts.Trigger, ClosedRange<Double>)] = [
        // Listed with the segment that ends at 40 s, and seen at the poll after that.
        (.buffered, 40...42.2),
        // Less than 10 s past the edge: from 30 s on.
        (.bufferedOrEdge(lookAhead: .seconds(10)), 30...32.2),
        (.playhead(.seconds(10)), 36...36.1),
        (.playheadTargets(3), 40...40.1),
        (.discovery, 20...22.2),
    ]

    @Test(arguments: Self.triggers)
    func theListIsAskedForByThePersonasTrigger(trigger: InterstitialFacts.Trigger, at: ClosedRange<Double>) throws {
        var range = InterstitialChannel.list("a", at: 40)
        range.from = 20
        var channel = try InterstitialChannel([range], trigger: trigger)
        try channel.run(seconds: 60)
        let asks = channel.asks(.assetList)
        #expect(asks.count == 1)
        #expect(at.contains(asks.first ?? -1), "\(asks)")
        #expect(channel.outcomes == ["a on time"])
    }

    @Test func aPlayerWithoutInterstitialsKnowsOfNone() throws {
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 40)], trigger: .never)
        try channel.run(seconds: 60)
        #expect(channel.asked.isEmpty)
        #expect(channel.counted(.eventsScheduled) == 0)
        #expect(channel.outcomes.isEmpty)
    }

    @Test(arguments: [true, false])
    func thePrimaryIDIsTheViewersOwnAndOnEveryRequest(sends: Bool) throws {
        var texts: Set<String> = []
        for number in 0..<3 {
            let range = InterstitialChannel.list("a", at: 10)
            var channel = try InterstitialChannel([range], number: number) { _ in
            } facts: {
                $0.interstitials.sendsPrimaryID = sends
            }
            try channel.run(seconds: 20)
            #expect(channel.asked.count == 2)
            let own = channel.viewer.machine.facts.primaryID
            texts.insert(own)
            #expect(channel.asked.allSatisfy { $0.url.hasSuffix("?_HLS_primary_id=\(own)") == sends })
        }
        #expect(texts.count == 3)
        let shape = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        #expect(texts.allSatisfy { $0.wholeMatch(of: shape) != nil }, "\(texts)")
    }

    @Test func anAssetURIIsAskedForItself() throws {
        var channel = try InterstitialChannel([InterstitialChannel.asset("spot", at: 20)])
        try channel.run(seconds: 40)
        #expect(channel.asks(.assetList).isEmpty)
        #expect(channel.asked.map(\.role) == [.assetManifest])
        #expect(channel.counted(.eventsFinished) == 1)
    }

    // MARK: What goes wrong (bis-22 appendix D.5)

    @Test func aListThatFailsLosesTheBreakAndNotASecondOfTheProgramme() throws {
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20)])
        channel.reply("/list/a", .failure(BreakLoadFailure(.assetListFailed)))
        try channel.run(seconds: 40)
        #expect(channel.outcomes == ["a asset_list_failed"])
        #expect(channel.counted(.eventsFailed) == 1)
        #expect(channel.counted(.eventsStarted) == 0)
        #expect(abs(channel.latency - 6) < 0.1)
    }

    @Test func anAnswerAfterThePersonasDeadlineIsALostBreak() throws {
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20)]) { _ in
        } facts: {
            $0.requests.assetList.total = .seconds(8)
        }
        channel.reply("/list/a", .list([("ad.m3u8", 5)]), after: 9)
        try channel.run(seconds: 60)
        #expect(channel.outcomes == ["a deadline_missed"])
        #expect(channel.asks(.assetList).count == 1)
        #expect(channel.asks(.assetManifest).isEmpty)
        // The playhead waited from 26 s on, and gave up 8 s after it had asked.
        let asked = try #require(channel.asks(.assetList).first)
        #expect(abs(channel.latency - (6 + asked + 8 - 26)) < 0.2, "asked at \(asked), \(channel.latency) s behind")
    }

    @Test func aPersonaThatRetriesAsksAgainAfterItsWait() throws {
        let range = InterstitialChannel.list("a", at: 40)
        var channel = try InterstitialChannel([range], trigger: .playhead(.seconds(10))) { _ in
        } facts: {
            $0.requests.assetList.afterError = RetryRule(retries: 2, firstWait: .seconds(1))
        }
        channel.reply("/list/a", .failure(BreakLoadFailure(.assetListFailed)))
        try channel.run(seconds: 60)
        let asks = channel.asks(.assetList)
        #expect(asks.count == 3)
        #expect(zip(asks, [36.0, 37, 39]).allSatisfy { abs($0 - $1) < 0.15 }, "\(asks)")
        #expect(channel.outcomes == ["a asset_list_failed"])
    }

    @Test(arguments: [false, true])
    func aClientErrorIsRetriedOnlyByPersonasThatDo(retries: Bool) throws {
        let range = InterstitialChannel.list("a", at: 40)
        var channel = try InterstitialChannel([range], trigger: .playhead(.seconds(10))) { _ in
        } facts: {
            $0.requests.assetList.afterError = RetryRule(retries: 1, firstWait: .seconds(1))
            $0.requests.assetList.retriesClientErrors = retries
        }
        channel.reply("/list/a", .failure(BreakLoadFailure(.assetListFailed, .clientError)))
        try channel.run(seconds: 60)
        #expect(channel.asks(.assetList).count == (retries ? 2 : 1))
    }

    @Test func oneAssetOfThreeThatFailsIsLeftOut() throws {
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20)])
        channel.reply("/list/a", .list([("x.m3u8", 5), ("broken.m3u8", 5), ("y.m3u8", 5)]))
        channel.reply("broken", .failure(BreakLoadFailure(.assetFailed)))
        try channel.run(seconds: 60)
        #expect(channel.outcomes == ["a on time"])
        #expect(channel.viewer.adEvents.count { $0 == .complete } == 2)
        #expect(channel.counted(.eventsFinished) == 1)
        // Two ads of 5 s were played, and the programme goes on where 10 s later it would be.
        #expect(abs(channel.latency - 6) < 0.1)
    }

    @Test func whereEveryAssetFailsTheBreakIsLost() throws {
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20)])
        channel.reply("/list/a", .list([("broken1.m3u8", 5), ("broken2.m3u8", 5)]))
        channel.reply("broken", .failure(BreakLoadFailure(.assetFailed)))
        try channel.run(seconds: 40)
        #expect(channel.outcomes == ["a asset_failed"])
        #expect(channel.asks(.assetManifest).count == 2)
    }

    @Test func anAssetThatGoesOnLiveIsRefused() throws {
        var channel = try InterstitialChannel([InterstitialChannel.asset("spot", at: 20)])
        channel.reply("spot", .live)
        try channel.run(seconds: 40)
        #expect(channel.outcomes == ["spot asset_failed"])
    }

    @Test(arguments: [(nil, 6.0), (4.0, 2.0)] as [(Double?, Double)])
    func anEmptyListPlaysNothingAndGoesToTheResumeOffset(offset: Double?, latency: Double) throws {
        let attributes = offset.map { "X-RESUME-OFFSET=\($0)" } ?? ""
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20, attributes)])
        channel.reply("/list/a", .list([]))
        try channel.run(seconds: 40)
        #expect(channel.outcomes == ["a asset_list_empty"])
        #expect(channel.counted(.eventsStarted) == 0)
        #expect(channel.viewer.adEvents.isEmpty)
        #expect(abs(channel.latency - latency) < 0.1, "\(channel.latency)")
    }

    @Test func oneListIsAskedForAtATimeByAPlayerThatDoesSo() throws {
        for isOneAtATime in [false, true] {
            let ranges = [InterstitialChannel.list("a", at: 40), InterstitialChannel.list("b", at: 41)]
            var channel = try InterstitialChannel(ranges, trigger: .discovery) { _ in
            } facts: {
                $0.interstitials.loadsOneListAtATime = isOneAtATime
            } replies: {
                $0.reply("/list/a", .list([("ad.m3u8", 5)]), after: 3)
            }
            try channel.run(seconds: 10)
            let asks = channel.asks(.assetList)
            #expect(asks.count == 2)
            #expect(abs((asks.last ?? 0) - (isOneAtATime ? 3 : 0)) < 0.1, "\(asks)")
        }
    }
}
