import AdServing
import HLS
import Profile
import TestSupport
import Testing

@testable import Origin

@Suite struct InterstitialScriptTests {
    @Test func everySettingIsRead() throws {
        let plan = try ChannelPlan.read(
            """
            interstitials:
              - id: mid-{start}-{i}
                every: 60s
                offset: 15s
                delivery: list
                assetDuration: [4s, 6500ms]
                duration: planned
                listReference: absolute
                resumeOffset: -1500ms
                restrict: [skip, jump]
                snap: [out, in]
                cue: once
                contentMayVary: false
                timelineOccupies: range
                timelineStyle: primary
                skipControl: {offset: 3, duration: 5, label: skip-ad, in: list}
                preload: {length: 6s, order: after, ahead: 4s}
                announce: 20s
                together: 2
                earlyReturn: {after: 5s, limit: 4s}
                cancel: 2s
                oddities: true
                beacons: [list]
              - {cue: [pre, once], assets: 2, assetDuration: 3s, playoutLimit: 5s}
              - {at: ["2026-11-21T20:00:00Z"], delivery: uri, duration: none, beacons: true}
            """
        )
        #expect(plan.interstitials.count == 3)
        let first = try #require(plan.interstitials.first)
        #expect(first.assets == [.seconds(4), .milliseconds(6_500)])
        #expect(first.length == .milliseconds(10_500))
        #expect(first.lengthAttribute == .planned && first.listReference == .absolute)
        #expect(first.resumeOffset == .milliseconds(-1_500))
        #expect(first.restrict == [.skip, .jump] && first.snap == [.out, .in] && first.cue == [.once])
        #expect(first.contentMayVary == false)
        #expect(first.timelineOccupies == .range && first.timelineStyle == .primary)
        #expect(first.skipControl == .init(offset: 3, duration: 5, label: "skip-ad", place: .list))
        #expect(first.preload == .init(length: .seconds(6), order: .after, ahead: .seconds(4)))
        #expect(first.announce == .seconds(20) && first.together == 2 && first.cancel == .seconds(2))
        #expect(first.earlyReturn == .init(after: .seconds(5), ownLimit: .seconds(4)))
        #expect(first.hasOddities && first.signalling == [.list])
        let second = plan.interstitials[1]
        #expect(second.schedule == nil && second.id.text == "interstitial-2")
        #expect(second.assets == [.seconds(3), .seconds(3)] && second.playoutLimit == .seconds(5))
        let third = plan.interstitials[2]
        #expect(third.id.text == "interstitial-3-{start}")
        #expect(third.delivery == .uri && third.lengthAttribute == .none && third.signalling == [.list, .tag])
    }

    @Test(arguments: ["a-{n}", "{start}", "x-{start}-{i}", "{n}.{i}~y"])
    func identifiersAreFoundAgain(template: String) throws {
        let seed: UInt64 = 5
        var generator = SeededGenerator(seed: seed)
        let id = try #require(IdentifierTemplate(template))
        let interval = Duration.seconds(30)
        var script = InterstitialScript(
            id: id,
            schedule: .every(
                interval: interval,
                epoch: WallTime(microseconds: 0),
                firstOffset: .milliseconds(7_250),
                duration: .seconds(5)
            ),
            assets: [.seconds(5)]
        )
        script.together = id.namesPlace ? 3 : 1
        for _ in 0..<50 {
            let at = WallTime(microseconds: .random(in: 1_700_000_000...1_900_000_000, using: &generator) * 1_000_000)
            let occasion = try #require(script.occasions(in: at..<at + interval).first)
            for place in 0..<script.together {
                let identifier = script.identifier(occasion, place: place)
                let found = try #require(script.find(identifier))
                #expect(found.occasion == occasion && found.place == place, "seed \(seed)")
            }
            #expect(script.find("\(script.identifier(occasion, place: 0))x") == nil)
            #expect(script.find("y\(script.identifier(occasion, place: 0))") == nil)
        }
        #expect(script.find("") == nil)
        #expect(script.find("a-99999999999999999999999") == nil)
        #expect(script.find("a-007") == nil, "another spelling is another ID")
    }
}
