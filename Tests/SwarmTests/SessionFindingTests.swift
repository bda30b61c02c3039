import AdServing
import Foundation
import Profile
import Results
import Rules
import Testing
import Values

@testable import Swarm
@testable import Viewer

/// Faults of tokens, and of pings of ids that ads carry; those of sessions are cases of `sessions`.
@Suite struct SessionFindingTests {
    private static func watching(_ plan: LoadPlan = .forTests()) -> ScriptedCrowd {
        let viewer = ScriptedCrowd(plan, adServers: [ScriptedCrowd.server])
        viewer.join()
        viewer.answerAll()
        return viewer
    }

    /// Name of the first break, twenty seconds into the run.
    private static let breakID = "break-1795291220"
    private static let now = ScriptedCrowd.wallStart.microseconds / 1_000_000 + 20

    /// Codes found where a pod leads to an address that is signed so.
    private func expect(_ fields: [String: String], _ codes: [String]) {
        let viewer = Self.watching()
        viewer.fire(.breakFetch)
        let token = PercentEncoding.encode(AuthToken.sign(fields: fields, key: "key"))
        let address = "http://127.0.0.1:8080/pods/ad_break_id/\(Self.breakID)/360p.m3u8?auth-token=\(token)"
        viewer.answer(.podManifest, "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\n\(address)\n")
        #expect(viewer.first(.podPlaylist)?.url == address)
        #expect(viewer.evidence.allSatisfy { !"\($0)".contains("hmac") })
        #expect(viewer.codesByBreak == codes)
    }

    @Test func tokenExpired() {
        expect(["exp": String(Self.now - 60)], ["token_expired in the break"])
        expect(["exp": String(Self.now + 60)], [])
        // A token may hold for ever.
        expect(["pd": "10000"], [])
    }

    @Test func tokenExpiryInMilliseconds() {
        expect(["exp": String((Self.now + 10) * 1_000)], ["token_expiry_in_milliseconds in the break"])
        // Ten years are seconds all the same.
        expect(["exp": String(Self.now + 86_400 * 365 * 10)], [])
    }

    @Test func tokenOfAnotherBreak() {
        let exp = String(Self.now + 60)
        expect(["exp": exp, "ad_break_id": "break-1795291200"], ["token_of_another_break in the break"])
        expect(["exp": exp, "ad_break_id": Self.breakID], [])
    }

    // MARK: Pings

    @Test func aPingThatIsNotFoundSaysThatItsIDCameFromTheAd() {
        let carried = Self.carrying("google_m-1")
        carried.answer(.verification, status: 404)
        let own = "status 404 to the id in the ad's own timed metadata"
        let borne = "204 to a media id that the ad itself carries"
        #expect(carried.evidence.contains { $0.observed == own && $0.expected == borne })
    }

    private static func carrying(_ id: String) -> ScriptedCrowd {
        let viewer = watching(.forTests { $0.playback.segments = .ads })
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
        let offer = try #require(channel.viewer.machine.screen.breaks[0].offer as? ScheduledInterstitial)
        #expect(offer.doubledEvent == (times == 2 ? "start" : nil))
    }
}
