import AdServing
import HLS
import LoadProfile
import Rulebook
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Metadata polls and the media verification pings that wait for them.
@Suite struct MetadataTests {
    /// Metadata that names the media ids of the pod's ads, `a0` and `a1`.
    private func metadata(ads: [Int], breakID: String = "break-1795291220") throws -> SessionMetadata {
        let types = ["start", "firstquartile", "midpoint", "thirdquartile", "complete"]
        let tags = ads.flatMap { ad in
            types.map { #""m\#(ad)-\#($0)":{"ad":"a\#(ad)","ad_break_id":"\#(breakID)","type":"\#($0)"}"# }
        }
        let list = ads.map { #""a\#($0)":{"ad_break_id":"\#(breakID)","seq":\#($0 + 1)}"# }
        let json = #"{"tags":{\#(tags.joined(separator: ","))},"ads":{\#(list.joined(separator: ","))}}"#
        return try Array(json.utf8).withUnsafeBytes { try SessionMetadata(json: $0) }
    }

    /// A viewer at the start of its ads.
    private func viewerInAds(_ plan: LoadPlan = .forTests()) throws -> ScriptedViewer {
        var viewer = ScriptedViewer(plan)
        try viewer.startWatching()
        try viewer.watch(seconds: 20)
        try viewer.answerPod()
        return viewer
    }

    /// Answers pings one after another and returns their URLs.
    private func pings(_ viewer: inout ScriptedViewer) -> [String] {
        var urls: [String] = []
        while let url = viewer.take(.verification), urls.count < 100 {
            urls.append(url)
            viewer.send(.pingAnswered)
        }
        return urls
    }

    @Test func pollsAtTheGivenFrequencyFromItsOwnRegistrationOn() throws {
        var viewer = ScriptedViewer()
        viewer.advance(seconds: 3.5)
        try viewer.startWatching()
        var instants: [Double] = []
        for _ in 0..<3 {
            viewer.advance(seconds: 10)
            let request = try #require(viewer.open.first { $0.role == .metadata })
            #expect(request.url == "http://127.0.0.1:8080/metadata")
            instants.append(Double(request.plannedAt.nanoseconds(since: ScriptedViewer.start)) / 1e9)
            viewer.take(.metadata)
            viewer.send(.metadata(nil))
        }
        #expect(instants == [13.5, 23.5, 33.5])
    }

    @Test func pollsNothingWhereTheProfileSaysSo() throws {
        var viewer = ScriptedViewer(.forTests { $0.playback.pollsMetadata = false })
        try viewer.startWatching()
        viewer.advance(seconds: 15)
        #expect(viewer.count(.metadata) == 0)
    }

    @Test func aFrequencyBeyondTimeDoesNotBecomeAPollWithoutPause() throws {
        var viewer = ScriptedViewer()
        viewer.send(.join)
        viewer.take(.registration)
        let json = #"{"stream_id":"a","polling_frequency":9e18,"metadata_url":"http://127.0.0.1/m"}"#
        viewer.send(.registered(try Array(json.utf8).withUnsafeBytes { try StreamSession(json: $0) }))
        #expect((viewer.timers[.metadata] ?? .distantFuture) > viewer.now)
    }

    @Test func pingsWaitUntilTheMetadataNamesThem() throws {
        var viewer = try viewerInAds()
        #expect(viewer.count(.verification) == 0)
        #expect(viewer.machine.facts.wantsMetadata)
        viewer.send(.metadata(try metadata(ads: [0, 1])))
        #expect(pings(&viewer) == ["http://127.0.0.1:8080/verify/m0-start"])
    }

    @Test func fivePingsGoOutForEachAd() throws {
        var viewer = try viewerInAds()
        viewer.send(.metadata(try metadata(ads: [0, 1])))
        var urls = pings(&viewer)
        for _ in 0..<50 {
            viewer.advance(seconds: 0.25)
            urls += pings(&viewer)
        }
        let steps = ["start", "firstquartile", "midpoint", "thirdquartile", "complete"]
        #expect(urls == [0, 1].flatMap { ad in steps.map { "http://127.0.0.1:8080/verify/m\(ad)-\($0)" } })
        #expect(viewer.counted(.pingsSent) == 10)
        #expect(viewer.counted(.pingsLost) == 0)
    }

    @Test func anAdThatIsNamedLaterIsPingedLater() throws {
        var viewer = try viewerInAds()
        viewer.send(.metadata(try metadata(ads: [0])))
        var urls = pings(&viewer)
        for _ in 0..<32 {
            viewer.advance(seconds: 0.25)
            urls += pings(&viewer)
        }
        #expect(urls.allSatisfy { $0.contains("/m0-") })
        #expect(viewer.machine.facts.wantsMetadata)
        viewer.send(.metadata(try metadata(ads: [0, 1])))
        #expect(pings(&viewer).allSatisfy { $0.contains("/m1-") })
        #expect(viewer.counted(.pingsLost) == 0)
    }

    @Test func anAdWithoutIDsDoesNotHoldUpTheNextOne() throws {
        var viewer = try viewerInAds()
        for _ in 0..<22 {
            viewer.advance(seconds: 0.25)
        }
        let json = """
            {"tags":{"m1-start":{"ad":"a1","ad_break_id":"break-1795291220","type":"start"}},
            "ads":{"a0":{"ad_break_id":"break-1795291220","seq":1},"a1":{"ad_break_id":"break-1795291220","seq":2}}}
            """
        viewer.send(.metadata(try Array(json.utf8).withUnsafeBytes { try SessionMetadata(json: $0) }))
        #expect(pings(&viewer) == ["http://127.0.0.1:8080/verify/m1-start"])
    }

    @Test func onePingIsOnItsWayAtATime() throws {
        var viewer = try viewerInAds()
        for _ in 0..<20 {
            viewer.advance(seconds: 0.25)
        }
        viewer.send(.metadata(try metadata(ads: [0, 1])))
        #expect(viewer.count(.verification) == 1)
        viewer.take(.verification)
        viewer.send(.pingAnswered)
        #expect(viewer.count(.verification) == 1)
    }

    @Test func pingsThatWereNeverNamedAreLostWhenTheNextBreakBegins() throws {
        var viewer = try viewerInAds()
        try viewer.watch(seconds: 19.75)
        #expect(viewer.counted(.pingsLost) == 0)
        try viewer.watch(seconds: 0.5)
        #expect(viewer.counted(.pingsLost) == 10)
        #expect(viewer.counted(.pingsSent) == 0)
    }

    @Test func pingsGoToTheSessionThatThePodWasAskedForWith() throws {
        var viewer = try viewerInAds()
        viewer.send(.metadata(try metadata(ads: [0, 1])))
        let json = #"{"stream_id":"b","media_verification_url":"http://127.0.0.1:8080/other/","metadata_url":"/m"}"#
        viewer.send(.timer(.renewal))
        viewer.take(.registration)
        viewer.send(.registered(try Array(json.utf8).withUnsafeBytes { try StreamSession(json: $0) }))
        viewer.advance(seconds: 12)
        #expect(viewer.machine.facts.streamID == StreamID("b"))
        #expect(!viewer.machine.facts.isPingOfSession("http://127.0.0.1:8080/verify/a"))
        #expect(viewer.machine.facts.isPingOfSession("http://127.0.0.1:8080/other/a"))
        let urls = pings(&viewer)
        #expect(urls.count == 10)
        #expect(urls.allSatisfy { $0.hasPrefix("http://127.0.0.1:8080/verify/") }, "\(urls)")
    }

    @Test func metadataOfAnotherBreakIsNotTaken() throws {
        var viewer = try viewerInAds()
        viewer.send(.metadata(try metadata(ads: [0, 1], breakID: "break-other")))
        #expect(viewer.count(.verification) == 0)
    }

    @Test func aPingThatMayNotBeSentIsCounted() throws {
        var viewer = try viewerInAds(.forTests { $0.impressions = .withheld })
        viewer.send(.metadata(try metadata(ads: [0, 1])))
        viewer.advance(seconds: 12)
        #expect(viewer.count(.verification) == 0)
        #expect(viewer.counted(.pingsWithheld) == 10)
        #expect(viewer.counted(.pingsSent) == 0)
        #expect(viewer.counted(.pingsLost) == 0)
    }

    @Test func aSinkIsSentThePingsInPlaceOfTheTarget() throws {
        var viewer = try viewerInAds(.forTests { $0.impressions = .sink("http://127.0.0.1:9000") })
        viewer.send(.metadata(try metadata(ads: [0, 1])))
        #expect(pings(&viewer) == ["http://127.0.0.1:9000/verify/m0-start"])
        #expect(viewer.counted(.pingsSent) == 1)
        #expect(viewer.counted(.pingsWithheld) == 0)
    }

    @Test func noPingWhereTheProfileSendsNone() throws {
        var viewer = try viewerInAds(.forTests { $0.playback.sendsVerificationPings = false })
        #expect(!viewer.machine.facts.wantsMetadata)
        viewer.send(.metadata(try metadata(ads: [0, 1])))
        try viewer.watch(seconds: 25)
        #expect(viewer.counted(.pingsSent) == 0)
        #expect(viewer.counted(.pingsLost) == 0)
    }
}
