import Breaks
import Foundation
import LoadProfile
import Recording
import Rulebook
import RunResult
import Testing

@testable import Audience
@testable import Swarm
@testable import Viewer

// Faults of metadata and tracking pings.
extension SessionFindingTests {
    private static let tags = [("m-start", 0, "start"), ("m-first", 0, "firstquartile"), ("m-progress", 0, "progress")]

    private static let wholeIDs = LoadPlan.forTests { $0.listWholeMediaIDs() }
    private static let loadingAds = LoadPlan.forTests { $0.playback.segments = .ads }

    /// A viewer in the first ad of its break, whose metadata poll of then is open.
    private static func playing(_ plan: LoadPlan = .forTests(), seconds: Double = 10) -> ScriptedCrowd {
        let viewer = watching(nil, plan)
        viewer.fire(.metadata)
        viewer.answer(.metadata)
        viewer.fire(.breakFetch)
        viewer.answerPod([seconds])
        viewer.fire(.breakStart)
        viewer.fire(.metadata)
        return viewer
    }

    /// A viewer whose first ping is on its way.
    private static func pinging(_ plan: LoadPlan = .forTests()) -> ScriptedCrowd {
        let viewer = playing(plan)
        viewer.answer(.metadata, AnswerBody.metadata(tags, ads: [0]))
        return viewer
    }

    /// Codes found where the first ping, of what metadata lists, is answered so.
    private func findings(
        _ status: Int,
        _ failure: TransportFailure? = nil,
        after seconds: Double = 0,
        plan: LoadPlan = wholeIDs
    ) -> [String] {
        let viewer = Self.pinging(plan)
        viewer.answer(.verification, status: status, failure: failure, after: seconds)
        return viewer.codesByBreak
    }

    @Test func verificationNotFound() {
        #expect(findings(404) == ["verification_not_found in the break"])
        #expect(findings(204) == [])
        // What is listed may be a prefix.
        #expect(findings(404, plan: .forTests()) == [])
    }

    /// An id may be a prefix until it was recorded for a viewer.
    @Test(arguments: [404, 204])
    func aListedIDIsWholeWhereItWasRecordedForAnotherViewer(first status: Int) {
        let crowd = ScriptedCrowd.allWatching(viewers: 2)
        crowd.advance(seconds: 10)
        crowd.answerAll()
        crowd.advance(seconds: 10)
        for index in 0..<2 { crowd.answer(.podManifest, AnswerBody.pod([10]), of: index) }
        crowd.advance(seconds: 0)
        for index in 0..<2 {
            crowd.answer(.metadata, AnswerBody.metadata(Self.tags, ads: [0]), of: index)
            crowd.answer(.verification, of: index, status: index == 0 ? status : 404)
        }
        let isKnown = status == 204
        #expect((crowd.findings(.verificationNotFound).first?.count ?? 0) == (isKnown ? 1 : 0))
        #expect(crowd.totals.count(of: .pingsOfPrefixes) == (isKnown ? 0 : 2))
    }

    @Test func verificationDeferred() {
        #expect(findings(202) == ["verification_deferred in the break"])
        #expect(findings(200) == [])
    }

    /// Lost is what the target refused or did not answer, and not what this machine or the viewer brought about.
    @Test(
        arguments: [
            (503, nil, true), (0, .firstByteTimeout, true), (400, nil, true), (401, nil, true), (403, nil, true),
            (429, nil, true), (0, .abandoned, false), (0, .localResources, false), (410, nil, false), (409, nil, false),
            (204, nil, false),
        ] as [(Int, TransportFailure?, Bool)]
    )
    func pingLost(status: Int, failure: TransportFailure?, isFound: Bool) {
        #expect(findings(status, failure) == (isFound ? ["ping_lost in the break"] : []))
    }

    @Test func aPingThatThisMachineWasTooSlowForOrAnotherViewerSentIsNotLost() {
        #expect(findings(0, .firstByteTimeout, after: 6) == [])
        let viewer = Self.pinging()
        viewer.answer(.verification, status: 409)
        #expect(viewer.totals.count(of: .pingsSentByOthers) == 1 && viewer.totals.count(of: .pingsFailed) == 0)
    }

    @Test func verificationNotFoundSaysWhereTheIDCameFrom() {
        let listed = Self.pinging(Self.wholeIDs)
        listed.answer(.verification, status: 404)
        let observed = "status 404 to what metadata lists, which the profile calls whole"
        let named = "204 to a media id that metadata lists"
        #expect(listed.evidence.contains { $0.observed == observed && $0.expected == named })
        let carried = Self.carrying("google_m-1")
        carried.answer(.verification, status: 404)
        let own = "status 404 to the id in the ad's own timed metadata"
        let borne = "204 to a media id that the ad itself carries"
        #expect(carried.evidence.contains { $0.observed == own && $0.expected == borne })
    }

    /// A viewer at the first of its ads, which carries an id.
    private static func carrying(_ id: String) -> ScriptedCrowd {
        let viewer = watching(nil, loadingAds)
        viewer.fire(.breakFetch)
        viewer.answer(.podManifest, AnswerBody.pod([10], segment: "ts"))
        viewer.answer(.podSegment, MediaIDCueTests.tag(id))
        viewer.fire(.breakStart)
        return viewer
    }

    @Test(arguments: [("google_m", 0), ("google_other", 1)])
    func mediaIDUnlisted(prefix: String, count: UInt64) {
        let viewer = Self.carrying("google_m-1")
        #expect(viewer.first(.verification)?.url == "http://127.0.0.1:8080/verify/0/google_m-1")
        viewer.fire(.metadata)
        viewer.answer(.metadata, AnswerBody.metadata([(prefix, 0, "start")], ads: [0]))
        #expect(viewer.codesByBreak == (count > 0 ? ["media_id_unlisted in the break"] : []))
        #expect((viewer.findings(.mediaIDUnlisted).first?.count ?? 0) == count)
    }

    @Test func metadataLag() {
        let lagging = Self.playing(.forTests { $0.breaks.podDuration = .seconds(15) }, seconds: 15)
        lagging.answer(.metadata, #"{"tags":{}}"#)
        lagging.fire(.metadata)
        lagging.answer(.metadata, #"{"tags":{}}"#)
        #expect(lagging.codesByBreak == ["metadata_lag in the break"])
        #expect(lagging.findings(.metadataLag).first?.count == 1)

        #expect(Self.pinging().codesByBreak == [])

        // It was asked before the first ad began.
        let early = Self.watching(nil, .forTests { $0.breaks.lead = .seconds(12) })
        early.fire(.breakFetch)
        early.answerPod([10])
        early.fire(.metadata)
        early.fire(.breakStart)
        early.answer(.metadata, #"{"tags":{}}"#)
        #expect(early.codesByBreak == [])
    }

    @Test(arguments: [1, 2])
    func pingDoubledInADateRange(times: Int) throws {
        let tracking = Array(repeating: #"{"type":"start","urls":["http://127.0.0.1/p"]}"#, count: times)
        let item = #"{"duration":5,"tracking":[\#(tracking.joined(separator: ","))]}"#
        let signaling = Data(#"{"version":2,"type":"slot","payload":[\#(item)]}"#.utf8).base64EncodedString()
        let channel = InterstitialChannel([.list("a", at: 20, "X-AD-CREATIVE-SIGNALING=\"\(signaling)\"")])
        channel.run(seconds: 12)
        let found = channel.viewer.eventNotes.filter {
            if case .finding(.pingDoubled, _, _) = $0.1 { true } else { false }
        }
        #expect(found.map(\.0) == (times == 2 ? ["a"] : []))
        let offer = try #require(channel.viewer.machine.breaks.breaks.list.first?.offer as? ScheduledInterstitial)
        #expect(offer.doubledEvent == (times == 2 ? "start" : nil))
    }

    /// Progress may have any number of media ids.
    @Test(arguments: [(("m-start-again", 0, "start"), true), (("m-progress-2", 0, "progress"), false)])
    func pingDoubled(tag: (String, Int, String), isFound: Bool) {
        let viewer = Self.playing()
        viewer.answer(.metadata, AnswerBody.metadata(Self.tags + [tag], ads: [0]))
        #expect(viewer.codesByBreak == (isFound ? ["ping_doubled in the break"] : []))
    }
}
