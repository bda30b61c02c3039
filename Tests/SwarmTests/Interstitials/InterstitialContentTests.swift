import AdServing
import Audience
import Breaks
import HLS
import LoadProfile
import Rulebook
import Testing

@testable import Swarm
@testable import Viewer

/// What an interstitial's tag says of its content: who may skip it when, and whether all viewers have the same.
@Suite struct InterstitialContentTests {
    /// When each of some viewers skipped a break of 30 s, in seconds from its start; nil where it did not.
    private func skips(_ attributes: String) throws -> [Double?] {
        try (0..<20).map { number in
            var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20, attributes)], number: number) {
                $0.audience.skips = NavigationPlan(share: 1, every: .seconds(6))
            } replies: { channel in
                channel.reply("/list/a", .list([("long.m3u8", 30)]))
                channel.reply("long", .media(seconds: 30))
            }
            try channel.run(seconds: 60)
            guard channel.counted(.eventsSkipped) == 1 else {
                #expect(channel.counted(.eventsFinished) == 1)
                return nil
            }
            // The programme, six seconds behind, stood still for as long as the break was played.
            return channel.latency - 6
        }
    }

    @Test func aSkipButtonIsPressedInItsTimeAndNotAfterwards() throws {
        let offset = "X-RESUME-OFFSET=0,X-SKIP-CONTROL-OFFSET=3"
        let free = try skips(offset)
        let bounded = try skips(offset + ",X-SKIP-CONTROL-DURATION=4")
        #expect(free.allSatisfy { $0.map { $0 > 2.9 } ?? true }, "\(free)")
        #expect(free.contains { $0.map { $0 > 7.1 } ?? false }, "\(free)")
        #expect(bounded.contains { $0 != nil }, "\(bounded)")
        // Who wishes to skip before the button goes skips as before; who wishes later does not.
        for (free, bounded) in zip(free, bounded) {
            guard let free, free <= 7.1 else {
                #expect(bounded == nil)
                continue
            }
            #expect(abs((bounded ?? -1) - free) < 0.1)
        }
    }

    @Test(arguments: [("", false), ("X-CONTENT-MAY-VARY=\"YES\"", false), ("X-CONTENT-MAY-VARY=\"NO\"", true)])
    func listsAreHeldAgainstEachOtherOnlyWhereTheyMayNotVary(attributes: String, isSame: Bool) throws {
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20, attributes)])
        try channel.run(seconds: 10)
        let serial = try #require(channel.viewer.machine.breaks.breaks.list.first?.serial)
        let subject = try #require(channel.viewer.machine.facts.subject(ofSerial: serial))
        #expect(subject.isSameForAll == isSame)
        #expect(subject.isAssetList)
    }
}
