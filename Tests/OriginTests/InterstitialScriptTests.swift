import AdServing
import HLS
import TestSupport
import Testing

@testable import Origin

@Suite struct InterstitialScriptTests {
    private static func mistakes(_ text: String) -> [String] {
        do {
            _ = try ChannelPlan.read(text)
            return []
        } catch {
            return error.mistakes.map { "\($0.line): \($0.message)" }
        }
    }

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
        #expect(first.skipControl == .init(offset: 3, duration: 5, label: "skip-ad", inList: true))
        #expect(first.preload == .init(length: .seconds(6), order: .after, ahead: .seconds(4)))
        #expect(first.announce == .seconds(20) && first.together == 2 && first.cancel == .seconds(2))
        #expect(first.earlyReturn == .init(after: .seconds(5), limit: .seconds(4)))
        #expect(first.hasOddities && first.signalling == [.list])
        let second = plan.interstitials[1]
        #expect(second.schedule == nil && second.id.text == "interstitial-2")
        #expect(second.assets == [.seconds(3), .seconds(3)] && second.playoutLimit == .seconds(5))
        let third = plan.interstitials[2]
        #expect(third.id.text == "interstitial-3-{start}")
        #expect(third.delivery == .uri && third.lengthAttribute == .none && third.signalling == [.list, .tag])
    }

    private static let wrong: [(text: String, message: String)] = [
        ("interstitials: [{}]", "1: an interstitial needs every, at, or cue: pre"),
        ("interstitials: [{every: 60s, id: same}]", "1: id must contain {n} or {start}"),
        ("interstitials: [{every: 60s, id: 'a b-{n}'}]", "1: id must be of letters"),
        ("interstitials: [{every: 60s, id: '{m}'}]", "1: id must be of letters"),
        ("interstitials: [{every: 60s, together: 2, id: 'a-{n}'}]", "1: id must contain {i}"),
        ("interstitials: [{every: 60s, id: 'a-{n}'}, {every: 50s, id: 'a-{n}'}]", "1: id \"a-{n}\" is used twice"),
        ("interstitials: [{every: 60s, delivery: uri, assets: 2}]", "1: delivery: uri has one asset"),
        ("interstitials: [{every: 60s, delivery: url}]", "1: delivery must be one of list, uri"),
        ("interstitials: [{every: 60s, assets: 3, assetDuration: [1s]}]", "1: assets is 3, but assetDuration lists 1"),
        ("interstitials: [{every: 60s, assetDuration: [1]}]", "1: must be a time such as"),
        ("interstitials: [{every: 60s, at: [2026-11-21T20:00:00Z]}]", "1: give every or at, not both"),
        ("interstitials: [{at: [tomorrow]}]", "1: must be a date and time such as"),
        ("interstitials: [{every: 60s, cue: [pre]}]", "1: a pre-roll or post-roll has no every"),
        ("interstitials: [{cue: [pre, post]}]", "1: cue cannot be both pre and post"),
        ("interstitials: [{cue: [pre], preload: {length: 2s}}]", "1: a pre-roll or post-roll has no preload"),
        ("interstitials: [{every: 60s, earlyReturn: {after: 10s}}]", "1: the limit of earlyReturn"),
        ("interstitials: [{every: 60s, earlyReturn: {}}]", "1: earlyReturn needs after"),
        ("interstitials: [{every: 60s, preload: {order: after}}]", "1: preload needs length"),
        ("interstitials: [{every: 60s, skipControl: {label: 'no spaces'}}]", "1: label must be of ASCII letters"),
        ("interstitials: [{every: 15s, together: 2}]", "1: every must not be shorter"),
        ("interstitials: [{every: 60s, resume: 0s}]", "1: unknown key \"resume\""),
        ("stitched: {}", "1: stitched needs every or at"),
        ("stitched: {every: 40s, duration: 30s}", "1: every must be at least 16 s longer than duration"),
        ("stitched: {every: 60s, dialect: [cue]}", "1: dialect must be a list of cue-out"),
        ("stitched: {every: 60s, dialect: [none]}", "1: dialect must be a list of cue-out"),
    ]

    @Test(arguments: wrong)
    func mistakeIsNamed(text: String, message: String) {
        let found = Self.mistakes(text)
        #expect(found.contains { $0.hasPrefix(message) }, "\(found)")
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
