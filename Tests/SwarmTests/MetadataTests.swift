import AdServing
import LoadProfile
import Rulebook
import Testing
import Time
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Metadata polls and the media verification pings that wait for them.
@Suite struct MetadataTests {
    private static let steps = ["start", "firstquartile", "midpoint", "thirdquartile", "complete"]

    /// Answers the open poll with the media ids of ads of a pod.
    private func list(_ ads: [Int], of breakID: String = "break-1795291220", _ viewer: ScriptedCrowd) {
        let tags = ads.flatMap { ad in Self.steps.map { ("m\(ad)-\($0)", ad, $0) } }
        viewer.answer(.metadata, AnswerBody.metadata(tags, ads: ads, of: breakID))
    }

    /// Names of pings, without their times.
    private func pings(_ viewer: ScriptedCrowd, seconds: Double = 0) -> [String] {
        viewer.pings(seconds: seconds).compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    @Test func pollsAtTheGivenFrequencyFromItsOwnRegistrationOn() {
        let viewer = ScriptedCrowd()
        viewer.advance(seconds: 3.5)
        viewer.startWatching()
        for _ in 0..<3 {
            viewer.advance(seconds: 10)
            #expect(viewer.answer(.metadata) == "http://127.0.0.1:8080/metadata/0")
        }
        #expect(viewer.asked(.metadata) == [13.5, 23.5, 33.5])
    }

    @Test func pollsNothingWhereTheProfileSaysSo() {
        let viewer = ScriptedCrowd.watching(.forTests { $0.playback.pollsMetadata = false })
        viewer.advance(seconds: 15)
        #expect(viewer.count(.metadata) == 0)
    }

    @Test func aFrequencyBeyondTimeDoesNotBecomeAPollWithoutPause() {
        let viewer = ScriptedCrowd()
        viewer.join()
        viewer.answer(.registration, #"{"stream_id":"a","polling_frequency":9e18,"metadata_url":"http://127.0.0.1/m"}"#)
        #expect((viewer.timers[.metadata] ?? .distantFuture) > viewer.now)
    }

    @Test func pingsWaitUntilTheMetadataNamesThem() {
        let viewer = ScriptedCrowd.inAds()
        #expect(viewer.count(.verification) == 0)
        #expect(viewer.machine.facts.wantsMetadata)
        list([0, 1], viewer)
        #expect(viewer.first(.verification)?.url == "http://127.0.0.1:8080/verify/0/m0-start")
        #expect(pings(viewer) == ["m0-start"])
    }

    @Test func fivePingsGoOutForEachAd() {
        let viewer = ScriptedCrowd.inAds()
        list([0, 1], viewer)
        #expect(pings(viewer, seconds: 12.5) == [0, 1].flatMap { ad in Self.steps.map { "m\(ad)-\($0)" } })
        #expect(viewer.counted(.pingsSent) == 10)
        #expect(viewer.counted(.pingsLost) == 0)
    }

    @Test func anAdThatIsNamedLaterIsPingedLater() {
        let viewer = ScriptedCrowd.inAds()
        list([0], viewer)
        #expect(pings(viewer, seconds: 8).allSatisfy { $0.hasPrefix("m0-") })
        #expect(viewer.machine.facts.wantsMetadata)
        list([0, 1], viewer)
        #expect(pings(viewer).allSatisfy { $0.hasPrefix("m1-") })
        #expect(viewer.counted(.pingsLost) == 0)
    }

    @Test func anAdWithoutIDsDoesNotHoldUpTheNextOne() {
        let viewer = ScriptedCrowd.inAds()
        viewer.advance(seconds: 5.5)
        viewer.answer(.metadata, AnswerBody.metadata([("m1-start", 1, "start")]))
        #expect(pings(viewer) == ["m1-start"])
    }

    @Test func onePingIsOnItsWayAtATime() {
        let viewer = ScriptedCrowd.inAds()
        viewer.advance(seconds: 5)
        list([0, 1], viewer)
        #expect(viewer.count(.verification) == 1)
        viewer.answer(.verification)
        #expect(viewer.count(.verification) == 1)
    }

    @Test func pingsThatWereNeverNamedAreLostWhenTheNextBreakBegins() {
        let viewer = ScriptedCrowd.inAds()
        viewer.watch(seconds: 19.75)
        #expect(viewer.counted(.pingsLost) == 0)
        viewer.watch(seconds: 0.5)
        #expect(viewer.counted(.pingsLost) == 10)
        #expect(viewer.counted(.pingsSent) == 0)
    }

    @Test func pingsGoToTheSessionThatThePodWasAskedForWith() {
        let viewer = ScriptedCrowd.inAds()
        list([0, 1], viewer)
        viewer.fireNow(.renewal)
        let json = #"{"stream_id":"b","media_verification_url":"http://127.0.0.1:8080/other/","metadata_url":"/m"}"#
        viewer.answer(.registration, json)
        viewer.advance(seconds: 12)
        #expect(viewer.machine.facts.streamID == StreamID("b"))
        #expect(!viewer.machine.facts.isPingOfSession("http://127.0.0.1:8080/verify/0/a"))
        #expect(viewer.machine.facts.isPingOfSession("http://127.0.0.1:8080/other/a"))
        #expect(pings(viewer).count == 10)
        let urls = viewer.urls(.verification)
        #expect(urls.allSatisfy { $0.hasPrefix("http://127.0.0.1:8080/verify/0/") }, "\(urls)")
    }

    @Test func metadataOfAnotherBreakIsNotTaken() {
        let viewer = ScriptedCrowd.inAds()
        list([0, 1], of: "break-other", viewer)
        #expect(viewer.count(.verification) == 0)
    }

    @Test func aPingThatMayNotBeSentIsCounted() {
        let viewer = ScriptedCrowd.inAds(.forTests { $0.impressions = .withheld })
        list([0, 1], viewer)
        viewer.advance(seconds: 12)
        #expect(viewer.count(.verification) == 0)
        #expect(viewer.counted(.pingsWithheld) == 10)
        #expect(viewer.counted(.pingsSent) == 0)
        #expect(viewer.counted(.pingsLost) == 0)
    }

    @Test func aSinkIsSentThePingsInPlaceOfTheTarget() {
        let viewer = ScriptedCrowd.inAds(.forTests { $0.impressions = .sink("http://127.0.0.1:9000") })
        list([0, 1], viewer)
        #expect(viewer.first(.verification)?.url == "http://127.0.0.1:9000/verify/0/m0-start")
        #expect(pings(viewer) == ["m0-start"])
        #expect(viewer.counted(.pingsSent) == 1)
        #expect(viewer.counted(.pingsWithheld) == 0)
    }

    @Test func noPingWhereTheProfileSendsNone() {
        let viewer = ScriptedCrowd.inAds(.forTests { $0.playback.sendsVerificationPings = false })
        #expect(!viewer.machine.facts.wantsMetadata)
        list([0, 1], viewer)
        viewer.watch(seconds: 25)
        #expect(viewer.counted(.pingsSent) == 0)
        #expect(viewer.counted(.pingsLost) == 0)
    }
}
