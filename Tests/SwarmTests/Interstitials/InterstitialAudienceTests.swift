import AdServing
import HLS
import Rules
import Testing
import Transport
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

/// Interstitials for several viewers, each with chances of its own, and beside breaks of their own.
@Suite struct InterstitialAudienceTests {
    /// Plays one break of 30 s for each of some viewers, all of whom try to skip it; `control` is a member of the list.
    private func play(
        _ attributes: String,
        control: String = "",
        every: Int = 2,
        rate: Int? = nil,
        joining: Double = 0,
        seconds: Double = 60
    ) -> [InterstitialChannel] {
        (0..<20).map { number in
            let channel = InterstitialChannel([.list("a", at: 20, attributes)], joining: joining, number: number) {
                $0.audience.skips = NavigationPlan(share: 1, every: .seconds(every), rate: rate)
            } facts: {
                $0.interstitials.sendsStartOffset = false
            } replies: { channel in
                let asset = #"{"URI":"http://127.0.0.1:8080/long.m3u8","DURATION":30}"#
                channel.reply("/list/a", .json(#"{"ASSETS":[\#(asset)]\#(control)}"#))
                channel.reply("long", .media(seconds: 30))
            }
            channel.run(seconds: seconds)
            return channel
        }
    }

    /// Some seconds after they entered, and not at once because the break began long before.
    @Test func whoJoinsInsideSkipsLater() {
        let skipped = play("X-RESUME-OFFSET=0", joining: 33, seconds: 1).map { $0.counted(.eventsSkipped) }
        #expect(skipped.count { $0 == 0 } > 5, "\(skipped)")
    }

    /// A restriction of an unknown kind is none.
    @Test(arguments: [("X-RESUME-OFFSET=0", true), ("X-RESTRICT=\"NEVER\"", true), ("X-RESTRICT=\"SKIP,JUMP\"", false)])
    func theySkipWhereThatIsNotRestricted(attributes: String, skips: Bool) {
        for channel in play(attributes) {
            let counts = channel.viewer.counts(.eventsStarted, .eventsSkipped, .eventsRestricted, .eventsFinished)
            #expect(counts == (skips ? [1, 1, 0, 0] : [1, 0, 1, 1]))
            #expect(attributes != "X-RESUME-OFFSET=0" || channel.latency < 36)
        }
    }

    /// X-RESTRICT="SKIP" forbids other rates, too (WWDC21 session 10140); a button for skips changes none.
    @Test(arguments: [("", false), ("X-SKIP-CONTROL-OFFSET=25,", false), ("X-RESTRICT=\"SKIP\",", true)])
    func theyPlayFasterWhereThatIsNotRestricted(attributes: String, isRefused: Bool) {
        for channel in play(attributes + "X-RESUME-OFFSET=0", rate: 2) {
            let counts = channel.viewer.counts(.eventsSkipped, .eventsRestricted, .eventsFinished)
            #expect(counts == [0, isRefused ? 1 : 0, 1])
            // The programme, six seconds behind, stood still for as long as the break was played.
            let played = channel.latency - 6
            #expect(isRefused ? played > 29.9 : (14.9..<29).contains(played), "\(played)")
        }
    }

    /// The list's control overrides the tag's.
    @Test(arguments: [8, 12])
    func aSkipButtonIsPressedWhenItIsThere(offset: Int) {
        let attributes = "X-SKIP-CONTROL-OFFSET=3,X-RESTRICT=\"SKIP\",X-RESUME-OFFSET=0"
        for channel in play(attributes, control: #","SKIP-CONTROL":{"OFFSET":\#(offset)}"#) {
            // The programme stood still from the break's start to the skip.
            #expect(channel.counted(.eventsSkipped) == 1 && channel.latency >= Double(offset) + 6 - 0.1)
        }
    }

    /// When each of some viewers skipped a break of 30 s, in seconds from its start; nil where it did not.
    private func skips(_ attributes: String) -> [Double?] {
        play(attributes, every: 6).map { channel in
            #expect(channel.viewer.counts(.eventsSkipped, .eventsFinished).reduce(0, +) == 1)
            // The programme, six seconds behind, stood still for as long as the break was played.
            return channel.counted(.eventsSkipped) == 1 ? channel.latency - 6 : nil
        }
    }

    @Test func aSkipButtonIsPressedInItsTimeAndNotAfterwards() throws {
        let offset = "X-RESUME-OFFSET=0,X-SKIP-CONTROL-OFFSET=3"
        let free = skips(offset)
        let bounded = skips(offset + ",X-SKIP-CONTROL-DURATION=4")
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
        let channel = InterstitialChannel([.list("a", at: 20, attributes)])
        channel.run(seconds: 10)
        let serial = channel.viewer.machine.screen.breaks[0].serial
        let subject = try #require(channel.viewer.machine.subject(ofSerial: serial, index: 0))
        #expect(subject.isSameForAll == isSame && subject.isAssetList)
    }

    // MARK: Requests

    @Test(arguments: [true, false])
    func thePrimaryIDIsTheViewersOwnAndOnEveryRequest(sends: Bool) throws {
        var texts: Set<String> = []
        for number in 0..<3 {
            let facts: (inout Persona) -> Void = { $0.interstitials.sendsPrimaryID = sends }
            let channel = InterstitialChannel([.list("a", at: 10)], number: number, facts: facts)
            channel.run(seconds: 20)
            #expect(channel.asked.count == 2)
            let own = channel.viewer.machine.primaryID
            texts.insert(own)
            #expect(channel.asked.allSatisfy { $0.url.hasSuffix("?_HLS_primary_id=\(own)") == sends })
        }
        #expect(texts.count == 3)
        let shape = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        #expect(texts.allSatisfy { $0.wholeMatch(of: shape) != nil }, "\(texts)")
    }

    // MARK: Preload ranges, the one means against a herd (bis-22 appendix F)

    @Test func eachViewerAsksAtAPointOfItsOwnWithinTheRange() throws {
        let ranges: [InterstitialChannel.Listed] = [.list("a", at: 60), .preload(of: "a", from: 20, to: 50)]
        var asks: [Double] = []
        for number in 0..<40 {
            let channel = InterstitialChannel(ranges, preload: .randomPoint, number: number)
            channel.run(seconds: 80)
            #expect(channel.asks(.assetList).count == 1 && channel.counted(.preloadsTaken) == 1)
            asks += channel.asks(.assetList)
            #expect(channel.outcomes == ["a on time"])
        }
        // The playhead is 6 s behind; the primary is buffered to the break at 60 s.
        #expect(asks.allSatisfy { (26...56.1).contains($0) }, "\(asks)")
        #expect((asks.max() ?? 0) - (asks.min() ?? 0) > 15)
        #expect(Set(asks).count > 20)
    }

    /// While the first break is played the playhead stands still, ever farther from the edge, and then jumps.
    @Test func aRangeThatIsListedDuringABreakIsDrawnFromAfterIt() throws {
        var ranges: [InterstitialChannel.Listed] = [
            .list("b", at: 20), .list("a", at: 60), .preload(of: "a", from: 45, to: 53),
        ]
        for later in 1...2 { ranges[later].from = 30 }
        var asks: [Double] = []
        for number in 0..<40 {
            let channel = InterstitialChannel(ranges, preload: .randomPoint, number: number)
            channel.reply("/list/b", .list([("long.m3u8", 10)]))
            channel.run(seconds: 80)
            #expect(channel.outcomes == ["b on time", "a on time"])
            #expect(channel.counted(.preloadsTaken) == 1)
            asks += channel.asks(.assetList).dropFirst()
        }
        // During the break it seems as if the primary were buffered to the break when the playhead is at 50.
        #expect(asks.count == 40)
        #expect(asks.allSatisfy { (51...59.1).contains($0) }, "\(asks)")
        #expect((asks.max() ?? 0) > 57, "\(asks)")
    }

    @Test func itIsNeverAskedForLaterThanWithoutTheRange() throws {
        let ranges: [InterstitialChannel.Listed] = [.list("a", at: 60), .preload(of: "a", from: 20, to: 100)]
        for number in 0..<30 {
            let trigger = InterstitialFacts.Trigger.playhead(.seconds(10))
            let channel = InterstitialChannel(ranges, trigger: trigger, preload: .randomPoint, number: number)
            channel.run(seconds: 75)
            let asks = channel.asks(.assetList)
            #expect(asks.count == 1 && asks.allSatisfy { $0 <= 56.1 }, "viewer \(number): \(asks)")
        }
    }

    // MARK: Breaks of the viewer's own

    /// The viewer has a break of its own at 20 s, and an interstitial before or in it.
    private static func withOwnBreaks(at second: Double) -> InterstitialChannel {
        let channel = InterstitialChannel([.list("a", at: second)]) {
            $0.breaks.source = .every(interval: .seconds(20), offset: .zero)
        }
        channel.viewer.fireNow(.registrationRetry)
        channel.viewer.answer(.registration)
        channel.reply("/list/a", .list([("x.m3u8", 10)]))
        channel.run(seconds: 20)
        return channel
    }

    @Test func thePodOfAnOwnBreakAndAnInterstitialNeverOverlap() throws {
        // The interstitial plays from 18 s to 28 s.
        let channel = Self.withOwnBreaks(at: 12)
        channel.run(seconds: 15)
        let viewer = channel.viewer
        #expect(channel.outcomes == ["a on time"] && viewer.outcomes == [.breakSkipped(.duringAds)])
        #expect(viewer.count(.podManifest) == 0 && viewer.adEvents.count { $0 == .adBreakStarted } == 1)
    }

    @Test func anInterstitialDuringAnOwnPodIsSkipped() throws {
        let channel = Self.withOwnBreaks(at: 16)
        channel.viewer.answerPod()
        channel.run(seconds: 15)
        #expect(channel.viewer.outcomes == [.breakDue, .breakOnTime(afterStart: 0)])
        #expect(channel.outcomes == ["a skipped during_ads"])
    }

    // MARK: Beacons

    /// Another viewer may have sent it.
    @Test(arguments: [(500, ["ping_lost"]), (409, [])] as [(Int, [String])])
    func aBeaconThatFailsIsCounted(status: Int, codes: [String]) {
        let channel = InterstitialChannel([.list("a", at: 20)])
        let tracking = ["impression", "complete"].map { #"{"type":"\#($0)","urls":["http://127.0.0.1/\#($0)"]}"# }
        let slot = #"{"duration":8,"tracking":[\#(tracking.joined(separator: ","))]}"#
        let signaling = #"{"version":2,"type":"slot","payload":[\#(slot)]}"#
        let asset = #"{"URI":"http://127.0.0.1:8080/x.m3u8","DURATION":8,"X-AD-CREATIVE-SIGNALING":\#(signaling)}"#
        channel.reply("/list/a", .json(#"{"ASSETS":[\#(asset)]}"#))
        channel.reply("x.m3u8", .media(seconds: 8))
        channel.run(seconds: 25)
        while channel.viewer.count(.beacon) == 0, channel.seconds < 40 { channel.viewer.advance(seconds: 0.05) }
        channel.viewer.answer(.beacon, status: status)
        channel.run(seconds: 20)
        #expect(channel.viewer.counts(.beaconsSent, .beaconsFailed) == [2, 1])
        #expect(channel.viewer.codes.filter { $0 != "registration_failed" } == codes)
    }
}

/// Breaks that are stitched into the live playlist: recognised, judged by when they were there, and compared.
@Suite struct StitchedTests {
    /// A channel of 2 s segments with a break of five of them, from 20 s to 30 s.
    private final class Channel {
        let viewer: ScriptedCrowd
        var ad: String

        init(joining second: Double = 0, number: Int = 0, ad: String = "ad") {
            let plan = LoadPlan.forTests {
                $0.breaks.source = .none
                $0.breaks.recognisesStitched = true
                $0.playback.pollsMetadata = false
            }
            self.ad = ad
            viewer = .joined(plan, number: number, at: second)
            viewer.answerAll(reply)
        }

        func run(until second: Double) { viewer.watch(seconds: second - viewer.seconds, step: 0.05, reply) }

        private func reply(_ request: ScriptedCrowd.Request) -> ScriptedCrowd.Reply? {
            request.role == .playlist ? .init(body: text(Int(viewer.seconds / 2))) : nil
        }

        private func text(_ edge: Int) -> String {
            var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(1000 + edge - 8)\n"
            for number in (edge - 8)..<edge {
                let isAd = (10..<15).contains(number)
                if number == 10 { text += "#EXT-X-DISCONTINUITY\n#EXT-X-CUE-OUT:10\n" }
                if (11..<15).contains(number) { text += "#EXT-X-CUE-OUT-CONT:\((number - 10) * 2)/10\n" }
                if number == 15 { text += "#EXT-X-DISCONTINUITY\n#EXT-X-CUE-IN\n" }
                text += "#EXT-X-PROGRAM-DATE-TIME:\(AnswerBody.date(Double(number * 2)))\n#EXTINF:2,\n"
                text += isAd ? "\(ad)\(number).ts?token=\(viewer.machine.number)\n" : "c\(number).ts\n"
            }
            return text
        }

        var fingerprints: [UInt64] {
            viewer.eventNotes.compactMap {
                guard case .stitchedObserved(let fingerprint, _) = $0.1 else { return nil }
                return fingerprint
            }
        }

        var outcomes: [ViewerNote] { viewer.eventNotes.map(\.1).filter(\.isOutcome) }
    }

    @Test func aBreakIsOnTimeWhenItsFirstSegmentIsListedBeforeThePlayheadIsThere() throws {
        let channel = Channel()
        channel.run(until: 45)
        #expect(channel.viewer.counted(.stitchedBreaks) == 1 && channel.outcomes.count == 2)
        guard case .breakOnTime(let afterStart, _) = channel.outcomes.last else {
            Issue.record("\(channel.outcomes)")
            return
        }
        // Listed at 22 s and seen at the next poll; the playhead is there at 26 s.
        #expect((-4_000_000_000...(-1_900_000_000)).contains(afterStart), "\(afterStart)")
    }

    @Test func viewersOfTheSameAdsHaveOneFingerprintWheneverTheyPoll() throws {
        var seen: Set<UInt64> = []
        for number in 0..<8 {
            let channel = Channel(joining: Double(number) * 0.7, number: number)
            channel.run(until: 45)
            #expect(channel.fingerprints.count == 1)
            seen.formUnion(channel.fingerprints)
        }
        let other = Channel(ad: "spot")
        other.run(until: 45)
        #expect(seen.count == 1 && other.fingerprints.count == 1 && seen.isDisjoint(with: other.fingerprints))
    }

    /// Its ads are called as the one rendition calls them and then as the other does.
    @Test func whoChangesTheRenditionInTheMiddleIsJudgedAndNotCompared() throws {
        let channel = Channel(ad: "720p/ad")
        channel.run(until: 25)
        channel.ad = "360p/ad"
        channel.run(until: 45)
        #expect(channel.fingerprints.isEmpty && channel.outcomes.count == 2)
    }

    @Test(arguments: [(29, 1, [.breakSkipped(.joinedLate)]), (60, 0, [])] as [(Double, Int, [ViewerNote])])
    func whoJoinsLateIsNeitherJudgedNorCompared(second: Double, breaks: Int, outcomes: [ViewerNote]) {
        let channel = Channel(joining: second)
        channel.run(until: second + 21)
        #expect(channel.viewer.counted(.joinedMidBreak) == breaks && channel.viewer.eventNotes.isEmpty == (breaks == 0))
        #expect(channel.outcomes == outcomes)
    }
}
