import HLS
import Testing

@testable import AdServing

/// The TRACKING section of MediaTailor's asset lists, in literal bytes.
@Suite struct AvailTrackingTests {
    private func list(_ tracking: String, durations: [Double] = [15.1, 15.1]) throws -> AssetList {
        let assets = durations.enumerated().map { #"{"URI":"https://ads.example/\#($0).m3u8","DURATION":\#($1)}"# }
        let text = #"{"ASSETS":[\#(assets.joined(separator: ","))],"TRACKING":\#(tracking)}"#
        return try AssetList(parsing: Array(text.utf8))
    }

    private func event(_ type: String, at seconds: Double?, _ urls: String...) -> String {
        let quoted = urls.map { "\"\($0)\"" }.joined(separator: ",")
        let start = seconds.map { #","startTimeInSeconds":\#($0)"# } ?? ""
        return #"{"beaconUrls":[\#(quoted)],"eventType":"\#(type)"\#(start)}"#
    }

    private func ad(_ start: Double, _ length: Double, _ events: [String]) -> String {
        """
        {"adId":"1","startTimeInSeconds":\(start),"durationInSeconds":\(length),\
        "trackingEvents":[\(events.joined(separator: ","))]}
        """
    }

    private func avail(_ start: Double, _ ads: [String], events: [String] = []) -> String {
        """
        {"avails":[{"availId":"1","startTimeInSeconds":\(start),"durationInSeconds":30.2,\
        "adBreakTrackingEvents":[\(events.joined(separator: ","))],"ads":[\(ads.joined(separator: ","))]}],\
        "nextToken":null,"nonLinearAvails":[]}
        """
    }

    private func milliseconds(_ beacons: [TrackingBeacon]) -> [Int64] {
        beacons.map { Int64(($0.offset / .milliseconds(1)).rounded()) }
    }

    /// Times and names of the user guide's own example ("Client-side beaconing"), with a second ad behind it.
    @Test func eachAdsBeaconsAreItsAssets() throws {
        let first = [
            event("impression", at: 17.817, "https://t/i"), event("start", at: 17.817, "https://t/s"),
            event("firstQuartile", at: 21.592, "https://t/1"), event("midpoint", at: 25.367, "https://t/2"),
            event("thirdQuartile", at: 29.142, "https://t/3"), event("complete", at: 32.917, "https://t/4"),
        ]
        let second = [event("complete", at: 48.017, "https://u/4"), event("start", at: 32.917, "https://u/s")]
        let list = try list(avail(17.817, [ad(17.817, 15.1, first), ad(32.917, 15.1, second)]))
        let names = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
        #expect(list.assets[0].beacons.map(\.event) == names)
        #expect(milliseconds(list.assets[0].beacons) == [0, 0, 3775, 7550, 11325, 15100])
        #expect(list.assets[0].beacons.map(\.url) == ["i", "s", "1", "2", "3", "4"].map { "https://t/\($0)" })
        #expect(list.assets[1].beacons.map(\.event) == ["start", "complete"])
        #expect(milliseconds(list.assets[1].beacons) == [0, 15_100])
        #expect(list.beacons.isEmpty)
    }

    @Test(arguments: ["mute", "pause", "skip", "clickTracking", "error", "rewind", "closeLinear"])
    func whatAViewerCausesIsLeftOut(_ type: String) throws {
        let events = [event(type, at: 5, "https://t/x"), event("start", at: 5, "https://t/s")]
        let list = try list(avail(5, [ad(5, 15.1, events)]))
        #expect(list.assets[0].beacons.map(\.event) == ["start"])
    }

    @Test func anEventWithoutATimeIsDueByItsName() throws {
        let events = ["start", "midpoint", "complete", "progress"].map { event($0, at: nil, "https://t/\($0)") }
        let list = try list(avail(100, [ad(100, 10, events)]))
        #expect(list.assets[0].beacons.map(\.event) == ["start", "midpoint", "complete"])
        #expect(milliseconds(list.assets[0].beacons) == [0, 5_000, 10_000])
    }

    @Test func aBreaksOwnEventsFrameIt() throws {
        let begin = event("breakStart", at: nil, "https://t/b", "https://u/b")
        let events = [event("breakEnd", at: nil, "https://t/e"), begin]
        let list = try list(avail(7, [], events: events))
        #expect(list.beacons.map(\.event) == ["breakStart", "breakStart", "breakEnd"])
        #expect(milliseconds(list.beacons) == [0, 0, 30_200])
    }

    /// A list that begins inside of a break: what was before is over.
    @Test func whatLiesBeforeTheListIsLeftOut() throws {
        let events = [event("start", at: 0, "https://t/s"), event("midpoint", at: 5, "https://t/2")]
        let list = try list(avail(4, [ad(0, 10, events)]), durations: [6])
        #expect(list.assets[0].beacons.map(\.event) == ["midpoint"])
        #expect(milliseconds(list.assets[0].beacons) == [1_000])
    }

    @Test func roundedTimesStillBeginWithTheirAsset() throws {
        let list = try list(avail(1, [ad(1, 15, []), ad(16.09, 15, [event("start", at: 16.09, "https://t/s")])]))
        #expect(list.assets.map(\.beacons.count) == [0, 1])
        #expect(milliseconds(list.assets[1].beacons) == [0])
    }

    @Test func severalAdsMayShareAnAsset() throws {
        let ads = [0.0, 15].map { ad($0, 15, [event("start", at: $0, "https://t/\(Int($0))")]) }
        let list = try list(avail(0, ads), durations: [30])
        #expect(milliseconds(list.assets[0].beacons) == [0, 15_000])
    }

    @Test(arguments: [
        "7", "null", "[]", "{}", #"{"avails":7}"#, #"{"avails":[]}"#,
        #"{"avails":[{"ads":[{"trackingEvents":[{}]}]}]}"#,
        #"{"avails":[{"startTimeInSeconds":1e300,"ads":[]}]}"#,
    ])
    func aBrokenSectionIsPassedOver(_ tracking: String) throws {
        let list = try list(tracking)
        #expect(list.assets.count == 2)
        #expect(list.beacons.isEmpty && list.assets.allSatisfy(\.beacons.isEmpty))
    }

    @Test func sectionsAreBounded() throws {
        let one = ad(0, 15, [event("start", at: 0, "https://t/s")])
        #expect(try list(avail(0, Array(repeating: one, count: 1_000))).assets[0].beacons.count == 1_000)
        #expect(try list(avail(0, Array(repeating: one, count: 1_001))).assets[0].beacons.isEmpty)
    }

    @Test func aListWithoutAssetsHasNoBeacons() throws {
        let list = try list(avail(0, [ad(0, 15, [event("start", at: 0, "https://t/s")])]), durations: [])
        #expect(list.beacons.isEmpty)
    }

    @Test func aBeaconListedTwiceIsDoubled() throws {
        let start = event("start", at: 3, "https://t/s")
        let once = [start, event("start", at: 3, "https://u/s"), event("impression", at: 3, "https://t/s")]
        #expect(try list(avail(3, [ad(3, 15.1, once)])).doubledEvent == nil, "several parties may count one event")
        #expect(try list(avail(3, [ad(3, 15.1, once + [start])])).doubledEvent == "start")
        let within = [event("midpoint", at: 10.55, "https://t/2", "https://t/2")]
        #expect(try list(avail(3, [ad(3, 15.1, within)])).doubledEvent == "midpoint")
        let twoAds = [ad(3, 15.1, [start]), ad(18.1, 15.1, [event("start", at: 18.1, "https://t/s")])]
        #expect(try list(avail(3, twoAds)).doubledEvent == nil)
        let ofBreak = [String](repeating: event("breakStart", at: nil, "https://t/b"), count: 2)
        #expect(try list(avail(3, [], events: ofBreak)).doubledEvent == "breakStart")
    }
}
