import AdServing
import LoadProfile
import Recording
import Rulebook
import Testing
import Time

@testable import Audience
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
