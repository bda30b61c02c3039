import AdServing
import Foundation
import Profile
import Results
import Rules
import Testing
import Values

@testable import Swarm
@testable import Viewer

/// Faults of sessions, tokens and redirects, and beside each what is in order.
@Suite struct SessionFindingTests {
    /// A viewer that joined and shows the channel; its registration was answered with a body.
    static func watching(_ registration: String? = nil, _ plan: LoadPlan = .forTests()) -> ScriptedCrowd {
        let viewer = ScriptedCrowd(plan, adServers: [ScriptedCrowd.server])
        viewer.join()
        viewer.answer(.registration, registration)
        viewer.answerAll()
        return viewer
    }

    /// A viewer that joined, and of whose requests none is answered.
    private static func joined() -> ScriptedCrowd {
        let viewer = ScriptedCrowd(adServers: [ScriptedCrowd.server])
        viewer.join()
        return viewer
    }

    @Test(
        arguments: [
            (#"{"valid_for":"8h"}"#, ["registration_without_stream_id"]),
            ("<html>", ["registration_without_stream_id"]),
            (nil, []),
        ] as [(String?, [String])]
    )
    func registrationWithoutStreamId(registration: String?, codes: [String]) {
        #expect(Self.watching(registration).codesByBreak == codes)
    }

    /// Nothing is found where this machine failed.
    @Test(
        arguments: [
            (403, nil, [:], "status 403"), (429, nil, ["retry-after": "30"], "status 429, Retry-After 30"),
            (0, .localResources, [:], nil),
        ] as [(Int, TransportFailure?, [String: String], String?)]
    )
    func registrationFailed(status: Int, failure: TransportFailure?, headers: [String: String], observed: String?) {
        let viewer = Self.joined()
        for _ in 0..<3 where viewer.count(.registration) > 0 {
            viewer.answer(.registration, status: status, failure: failure, headers: headers)
            viewer.fire(.registrationRetry)
        }
        #expect(viewer.codes == (observed == nil ? [] : ["registration_failed"]))
        #expect(viewer.evidence.map(\.observed) == (observed.map { [$0] } ?? []))
    }

    /// A redirect that is not followed is not tried again, and says what would allow it.
    @Test(arguments: [302, 307]) func aRegistrationThatIsRedirectedToAnUnknownHost(status: Int) {
        let viewer = Self.joined()
        let location = "https://ads2.example.com/ssai?auth-token=secret"
        viewer.answer(.registration, status: status, failure: .unauthorisedHost, headers: ["location": location])
        viewer.advance(seconds: 10)
        #expect(viewer.count(.registration) == 0 && viewer.codes.first == "registration_failed")
        let remedy = "to allow it, add ads2.example.com to target.podServing.authorisedHosts"
        let observed = "status \(status) to ads2.example.com, which the profile does not authorise; \(remedy)"
        #expect(viewer.evidence.first?.observed == observed)
        let rows = viewer.totals.leftOut.rows
        #expect(rows.map(\.key.field) == ["target.podServing.authorisedHosts"] && rows.map(\.key.redirect) == [status])
    }

    @Test(arguments: [
        (true, "cookie session was set before and not sent back: connection.cookies is false"), (false, nil),
    ])
    func accessThatIsRefusedForACookie(isSet: Bool, reason: String?) {
        let viewer = Self.joined()
        let headers = isSet ? ["set-cookie": "session=1; Path=/"] : [:]
        viewer.answer(.registration, AnswerBody.registration(validity: nil), headers: headers)
        viewer.answerAll()
        viewer.fire(.metadata)
        viewer.answer(.metadata, status: 403)
        #expect(viewer.codes == ["access_refused"])
        #expect(viewer.evidence.map(\.observed).first == "status 403" + (reason.map { "; \($0)" } ?? ""))
    }

    @Test(arguments: [(12.0, true), (3, false)])
    func aRegistrationThatHangsIsFoundWhenTheViewerLeaves(seconds: Double, isFound: Bool) {
        let viewer = Self.joined()
        viewer.advance(seconds: seconds)
        viewer.leave()
        #expect(viewer.codes.contains("registration_failed") == isFound)
        #expect(viewer.evidence.map(\.observed).contains("no answer in 12 s") == isFound)
    }

    @Test(arguments: [(2.0, 503, "status 503"), (9, nil, "no playlist in 9 s")] as [(Double, Int?, String)])
    func channelUnavailable(seconds: Double, status: Int?, observed: String) {
        let viewer = Self.joined()
        viewer.answer(.registration, AnswerBody.registration(validity: nil))
        if let status { viewer.answer(.multivariant, status: status) }
        viewer.advance(seconds: seconds)
        viewer.leave()
        #expect(viewer.codes == ["channel_unavailable"])
        #expect(viewer.evidence.map(\.observed) == [observed])
    }

    /// Without a validity nobody knows how long a session holds, and clocks differ.
    @Test(
        arguments: [
            ("8h0m0s", 400, true), ("8h0m0s", 404, true), ("8h0m0s", 410, true), ("11s", 410, false), (nil, 410, false),
        ] as [(String?, Int, Bool)]
    )
    func sessionExpired(validity: String?, status: Int, isFound: Bool) {
        let viewer = Self.watching(AnswerBody.registration(validity: validity))
        viewer.fire(.metadata)
        viewer.answer(.metadata, status: status)
        #expect(viewer.codesByBreak == (isFound ? ["session_expired"] : []))
    }

    @Test func whatTheFormerSessionAskedForSaysNothingOfTheNewOne() {
        let viewer = Self.watching(AnswerBody.registration(validity: "11s"))
        viewer.fire(.renewal)
        viewer.fire(.metadata)
        viewer.answer(.registration, after: 4.9)
        viewer.answer(.metadata, status: 410, after: 1)
        #expect(viewer.codesByBreak == [])
        viewer.fire(.metadata)
        viewer.answer(.metadata, status: 410)
        #expect(viewer.codesByBreak == ["session_expired in the break"])
    }

    /// Refusals of a pod and of metadata; a pod that is not found may not be there yet.
    @Test(
        arguments: [
            (.metadata, 401, ["access_refused"]), (.metadata, 403, ["access_refused"]), (.metadata, 500, []),
            (.podManifest, 403, ["access_refused in the break"]), (.podManifest, 410, ["session_expired in the break"]),
            (.podManifest, 404, ["pod_not_found in the break"]),
        ] as [(ViewerRole, Int, [String])]
    )
    func accessRefused(role: ViewerRole, status: Int, codes: [String]) {
        let viewer = Self.watching()
        viewer.fire(role == .metadata ? .metadata : .breakFetch)
        viewer.answer(role, status: status)
        #expect(viewer.codesByBreak == codes)
    }

    // MARK: Tokens

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

    // MARK: Redirects

    /// Codes found of a pod that came so.
    private func findings(redirects: Int, failure: TransportFailure? = nil, leftHost: Bool = false) -> [String] {
        let viewer = Self.watching()
        viewer.fire(.breakFetch)
        viewer.answer(.podManifest, failure: failure, redirects: redirects, leftHost: leftHost)
        return viewer.codesByBreak
    }

    @Test(arguments: [(0, []), (2, []), (3, ["redirect_chain in the break"])] as [(Int, [String])])
    func redirectChain(redirects: Int, codes: [String]) {
        #expect(findings(redirects: redirects) == codes)
    }

    @Test func redirectLoop() {
        #expect(findings(redirects: 5, failure: .redirectLimit) == ["redirect_loop in the break"])
        // The last host broke off.
        #expect(findings(redirects: 1, failure: .reset) == ["pod_unavailable in the break"])
    }

    @Test func redirectToOtherHost() {
        #expect(findings(redirects: 1, leftHost: true) == ["redirect_to_other_host in the break"])
        #expect(findings(redirects: 1) == [])
        // Nothing was answered by a host that may not be asked.
        #expect(findings(redirects: 0, failure: .unauthorisedHost) == [])
    }

    /// A choice of CDN is made by the first answers; what is asked for in a session comes from where it was asked for.
    @Test func onlyMediaAndTheFirstAnswersMayComeFromAnotherHost() {
        let viewer = ScriptedCrowd(.forTests { $0.playback.segments = .content })
        viewer.join()
        for role in [ViewerRole.registration, .multivariant] { viewer.answer(role, redirects: 1, leftHost: true) }
        viewer.answer(.playlist)
        viewer.answer(.segment, redirects: 1, leftHost: true)
        #expect(viewer.codes == [])
        viewer.fire(.metadata)
        viewer.answer(.metadata, redirects: 1, leftHost: true)
        #expect(viewer.codes == ["redirect_to_other_host"])
        let chained = ScriptedCrowd()
        chained.join()
        chained.answer(.multivariant, redirects: 3, leftHost: true)
        #expect(chained.codes == ["redirect_chain"])
    }
}

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
        let offer = try #require(channel.viewer.machine.breaks.breaks.first?.offer as? ScheduledInterstitial)
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
