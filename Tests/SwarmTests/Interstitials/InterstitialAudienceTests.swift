import AdServing
import HLS
import LoadProfile
import Players
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Viewers that want out of interstitials, and what X-RESTRICT says to that.
@Suite struct InterstitialAudienceTests {
    private static let skips = NavigationPlan(share: 1, every: .seconds(2))

    /// Plays one break of 30 s for each of some viewers, all of whom try to skip it.
    private func play(_ attributes: String, control: SkipControl? = nil) throws -> [InterstitialChannel] {
        try (0..<20).map { number in
            var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20, attributes)], number: number) {
                $0.audience.skips = Self.skips
            } replies: { channel in
                var list = AssetList(assets: [.init(uri: "http://127.0.0.1:8080/long.m3u8", duration: .seconds(30))])
                list.skipControl = control
                channel.reply("/list/a", .full(list))
                channel.reply("long", .media(seconds: 30))
            }
            try channel.run(seconds: 60)
            return channel
        }
    }

    @Test func withoutARestrictionTheySkip() throws {
        for channel in try play("X-RESUME-OFFSET=0") {
            #expect(channel.counted(.eventsStarted) == 1)
            #expect(channel.counted(.eventsSkipped) == 1)
            #expect(channel.counted(.eventsRestricted) == 0)
            #expect(channel.latency < 36)
        }
    }

    @Test func whereSkippingIsRestrictedNobodyDoes() throws {
        for channel in try play("X-RESTRICT=\"SKIP,JUMP\"") {
            #expect(channel.counted(.eventsRestricted) == 1)
            #expect(channel.counted(.eventsSkipped) == 0)
            #expect(channel.counted(.eventsFinished) == 1)
        }
    }

    @Test func aRestrictionOfAnUnknownKindIsNone() throws {
        #expect(try play("X-RESTRICT=\"NEVER\"").allSatisfy { $0.counted(.eventsSkipped) == 1 })
    }

    /// The list's control overrides the tag's.
    @Test(arguments: [8, 12])
    func aSkipButtonIsPressedWhenItIsThere(offset: Int) throws {
        let control = SkipControl(offsetSeconds: offset, durationSeconds: nil, labelID: nil)
        for channel in try play("X-SKIP-CONTROL-OFFSET=3,X-RESTRICT=\"SKIP\",X-RESUME-OFFSET=0", control: control) {
            #expect(channel.counted(.eventsSkipped) == 1)
            // The programme stood still from the break's start to the skip.
            #expect(channel.latency >= Double(offset) + 6 - 0.1, "\(channel.latency)")
        }
    }

    // MARK: Seeking

    /// A viewer that has just had the break seeks back to before it.
    private func seekBack(_ attributes: String = "") throws -> InterstitialChannel {
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20, attributes)]) {
            $0.audience.seeks = NavigationPlan(share: 1, every: .seconds(1_000_000), distance: .seconds(12))
        }
        channel.windowSegments = 30
        try channel.run(seconds: 33)
        #expect(channel.counted(.eventsFinished) == 1)
        channel.seekNow()
        return channel
    }

    @Test func theListIsBoundAgainForAViewerThatGoesBack() throws {
        var channel = try seekBack()
        #expect(channel.counted(.seeks) == 1)
        #expect(channel.counted(.assetListsRepeated) == 1)
        #expect(abs(channel.latency - 18) < 0.1, "\(channel.latency)")
        channel.viewer.machine.breaks.screen.navigation.move(to: .distantFuture)
        try channel.run(seconds: 15)
        #expect(channel.asks(.assetList).count == 2)
        #expect(channel.counted(.eventsFinished) == 2)
        // One viewer has one break in the measurement.
        #expect(channel.outcomes == ["a on time"])
        channel.leave()
        #expect(channel.books.scheduled == 2)
        #expect(channel.books.settled == 2)
    }

    /// The break lies from 20 s to 25 s, and the viewer goes back to 22 s.
    @Test func whoGoesBackIntoABreakHasTheRestOfIt() throws {
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20, "DURATION=5")]) {
            $0.audience.seeks = NavigationPlan(share: 1, every: .seconds(1_000_000), distance: .seconds(5))
        }
        channel.windowSegments = 30
        channel.reply("_HLS_start_offset", .list([("rest.m3u8", 3)]))
        try channel.run(seconds: 33)
        channel.seekNow()
        channel.viewer.machine.breaks.screen.navigation.move(to: .distantFuture)
        try channel.run(seconds: 10)
        #expect(channel.asked.last { $0.role == .assetList }?.url.contains("_HLS_start_offset=2") == true)
        #expect(channel.asked.last { $0.role == .assetManifest }?.url.contains("rest.m3u8") == true)
        #expect(channel.counted(.assetListsRepeated) == 1)
        #expect(channel.counted(.eventsFinished) == 2)
        #expect(channel.counted(.joinedMidBreak) == 0)
        #expect(channel.outcomes == ["a on time"])
        // Three seconds of the break bring the programme on by as much.
        #expect(abs(channel.latency - 11) < 0.1, "\(channel.latency)")
        channel.leave()
        #expect(channel.books == (2, 2))
    }

    @Test func whatIsForOnceDoesNotComeAgain() throws {
        var channel = try seekBack("CUE=\"ONCE\"")
        channel.viewer.machine.breaks.screen.navigation.move(to: .distantFuture)
        try channel.run(seconds: 15)
        #expect(channel.counted(.seeks) == 1)
        #expect(channel.asks(.assetList).count == 1)
        #expect(channel.counted(.eventsStarted) == 1)
    }

    @Test(arguments: [("", 2, 0, 6), ("X-RESTRICT=\"JUMP\"", 1, 1, 18)] as [(String, Int, Int, Double)])
    func aJumpOverItIsForbiddenWhereJumpIsRestricted(
        attributes: String,
        seeks: Int,
        restricted: Int,
        latency: Double
    ) throws {
        var channel = try seekBack(attributes)
        // Still before the break.
        try channel.run(seconds: 1)
        channel.seekNow()
        #expect(channel.counted(.seeks) == seeks)
        #expect(channel.counted(.eventsRestricted) == restricted)
        #expect(channel.counted(.eventsSkipped) == 1 - restricted)
        #expect(abs(channel.latency - latency) < 0.1, "\(channel.latency)")
        try channel.run(seconds: 20)
        #expect(channel.counted(.eventsFinished) == 1 + restricted)
    }

    // MARK: Beacons

    @Test func beaconsAreSentAtTheirMoments() throws {
        let events = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
        let tracking = events.map { CreativeSignaling.Tracking(type: $0, urls: ["http://127.0.0.1:8080/beacon/\($0)"]) }
        let progress = CreativeSignaling.Tracking(type: "progress", offset: .seconds(3), urls: ["http://127.0.0.1/p"])
        let item = CreativeSignaling.Item(duration: .seconds(8), tracking: tracking + [progress])
        let cases: [(sends: Bool, impressions: ImpressionPlan)] = [
            (true, .allowed), (false, .allowed), (true, .withheld), (false, .withheld),
        ]
        for (sends, impressions) in cases {
            var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20)]) {
                $0.impressions = impressions
            } facts: {
                $0.interstitials.sendsBeacons = sends
            } replies: { channel in
                let signaling = CreativeSignaling(kind: .slot, items: [item])
                let asset = AssetList.Asset(
                    uri: "http://127.0.0.1:8080/x.m3u8",
                    duration: .seconds(8),
                    signaling: signaling
                )
                channel.reply("/list/a", .full(AssetList(assets: [asset])))
                channel.reply("x.m3u8", .media(seconds: 8))
            }
            try channel.run(seconds: 45)
            let sent = channel.asks(.beacon)
            let due: [Double] = sends && impressions == .allowed ? [26, 26, 28, 29, 30, 32, 34] : []
            #expect(sent.count == due.count)
            #expect(zip(sent, due).allSatisfy { abs($0 - $1) < 0.11 }, "\(sent)")
            #expect(channel.counted(.beaconsSent) == due.count)
            #expect(channel.counted(.beaconsWithheld) == (sends && impressions == .withheld ? 7 : 0))
        }
    }

    /// Times are the session's; where the client is to report its application does, whatever the player does of itself.
    @Test(
        arguments: [(true, nil), (false, nil), (false, .client), (false, .server)] as [(Bool, MediaTailorReporting?)]
    )
    func beaconsOfATrackingSectionAreSentAtTheirMoments(sends: Bool, reporting: MediaTailorReporting?) throws {
        let events = [("impression", 60.0), ("midpoint", 64), ("mute", 60), ("complete", 68)].map { type, seconds in
            """
            {"eventType":"\(type)","startTimeInSeconds":\(seconds),"beaconUrls":["http://127.0.0.1:8080/b/\(type)"]}
            """
        }
        let json = """
            {"ASSETS":[{"URI":"http://127.0.0.1:8080/x.m3u8","DURATION":8}],\
            "TRACKING":{"avails":[{"startTimeInSeconds":60,"durationInSeconds":8,\
            "ads":[{"startTimeInSeconds":60,"durationInSeconds":8,\
            "trackingEvents":[\(events.joined(separator: ","))]}]}]}}
            """
        let list = try AssetList(parsing: Array(json.utf8))
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20)]) {
            guard let reporting else { return }
            let server = "http://127.0.0.1:8080"
            $0.target = .mediaTailor(
                MediaTailorPlan(server: server, asset: "a/live/index.m3u8", session: .implicit, reporting: reporting)
            )
        } facts: {
            $0.interstitials.sendsBeacons = sends
        } replies: { channel in
            channel.reply("/list/a", .full(list))
            channel.reply("x.m3u8", .media(seconds: 8))
        }
        try channel.run(seconds: 45)
        let sent = channel.asks(.beacon)
        let due: [Double] = sends || reporting == .client ? [26, 30, 34] : []
        #expect(sent.count == due.count)
        #expect(zip(sent, due).allSatisfy { abs($0 - $1) < 0.11 }, "\(sent)")
        #expect(channel.counted(.beaconsSent) == due.count)
    }

    private static let quartiles = ["impression", "firstQuartile", "midpoint", "thirdQuartile", "complete"]

    /// Two ads of eight seconds, each of which says where in the interstitial it stands.
    private static func pair(podEvents: [String] = []) -> AssetList {
        func tracking(_ name: String, _ events: [String]) -> [CreativeSignaling.Tracking] {
            events.map { .init(type: $0, urls: ["http://127.0.0.1:8080/beacon/\(name)/\($0)"]) }
        }
        let assets = ["x", "y"].enumerated().map { place, name in
            let start = Duration.seconds(place * 8)
            let slot = CreativeSignaling.Item(
                start: start,
                duration: .seconds(8),
                tracking: tracking(name, podEvents.isEmpty ? quartiles : [])
            )
            return AssetList.Asset(
                uri: "http://127.0.0.1:8080/\(name).m3u8",
                duration: .seconds(8),
                signaling: CreativeSignaling(kind: .slot, items: [slot])
            )
        }
        let pod = CreativeSignaling.Item(duration: .zero, tracking: tracking("pod", podEvents))
        return AssetList(assets: assets, signaling: CreativeSignaling(kind: .pod, items: [pod]))
    }

    @Test(arguments: [("", 10), ("X-PLAYOUT-LIMIT=13", 8)])
    func theBeaconsOfEachAdGoOutWhileItPlays(attributes: String, count: Int) throws {
        var channel = try InterstitialChannel([InterstitialChannel.list("a", at: 20, attributes)])
        channel.reply("/list/a", .full(Self.pair()))
        channel.reply(".m3u8", .media(seconds: 8))
        try channel.run(seconds: 50)
        let sent = channel.asks(.beacon)
        #expect(sent.count == count, "\(sent)")
        #expect(zip(sent, [26, 28, 30, 32, 34, 34, 36, 38, 40, 42]).allSatisfy { abs($0 - $1) < 0.11 }, "\(sent)")
    }

    /// The interstitial lies from 20 s to 36 s, and the viewer is at 26 s of it when it joins: two of five are past.
    @Test func whoJoinsInsideDoesNotSendWhatIsPast() throws {
        let range = InterstitialChannel.list("a", at: 20, "DURATION=16")
        var channel = try InterstitialChannel([range], joining: 33) { channel in
            channel.playback.segments = .none
        } replies: { channel in
            channel.reply("/list/a", .full(Self.pair(podEvents: Self.quartiles)))
            var rest = Self.pair(podEvents: Self.quartiles)
            rest.assets[0].duration = .seconds(2)
            channel.reply("_HLS_start_offset", .full(rest))
            channel.reply("x.m3u8", .media(seconds: 2))
            channel.reply("y.m3u8", .media(seconds: 8))
        }
        try channel.run(seconds: 20)
        let sent = channel.asks(.beacon)
        #expect(channel.asked.contains { $0.url.contains("_HLS_start_offset=6") })
        #expect(sent.count == 3, "\(sent)")
        #expect(zip(sent, [35, 39, 43]).allSatisfy { abs($0 - $1) < 0.11 }, "\(sent)")
    }

    @Test func aBeaconThatFailsIsCounted() throws {
        var viewer = ScriptedViewer()
        try viewer.startWatching()
        viewer.send(.requestFinished(.beacon, index: 0, succeeded: false))
        viewer.send(.requestFinished(.beacon, index: 0, succeeded: true))
        #expect(viewer.counted(.beaconsFailed) == 1)
    }
}
