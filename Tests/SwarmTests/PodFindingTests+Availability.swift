import AdServing
import LoadProfile
import Players
import Recording
import Rulebook
import RunResult
import Testing

@testable import Audience
@testable import Audit
@testable import Swarm
@testable import Viewer

// Pods that are not there, or not at once.
extension PodFindingTests {
    /// 401, 403 and 410 speak of the session, and a deadline is the player's own.
    @Test(
        arguments: [
            (200, nil, false), (503, nil, true), (404, nil, true), (403, nil, false), (410, nil, false),
            (0, .reset, true), (0, .connectRefused, true), (0, .totalTimeout, false), (0, .localResources, false),
        ] as [(Int, TransportFailure?, Bool)]
    )
    func podPartUnreachable(status: Int, failure: TransportFailure?, isFound: Bool) {
        let viewer = Self.atBreak(1, .forTests { $0.playback.segments = .ads })
        viewer.answer(.podManifest)
        viewer.answer(.podSegment, status: status, failure: failure)
        #expect(viewer.codes == (isFound ? ["pod_part_unreachable"] : []))
    }

    @Test(arguments: [404, 503])
    func aPlaylistThatThePodListsIsAPart(status: Int) {
        let viewer = Self.atBreak()
        viewer.answer(.podManifest, AnswerBody.oneVariant)
        viewer.answer(.podPlaylist, status: status)
        #expect(viewer.codes == ["pod_part_unreachable"])
    }

    /// What is no capacity has a code of its own, or is this machine's fault, as a timeout that it slept through.
    @Test(
        arguments: [
            (503, nil, 0, ["pod_unavailable"]), (500, nil, 0, ["pod_unavailable"]), (429, nil, 0, ["pod_unavailable"]),
            (0, .reset, 0, ["pod_unavailable"]), (0, .connectRefused, 0, ["pod_unavailable"]),
            (0, .firstByteTimeout, 0, ["pod_unavailable"]), (404, nil, 0, ["pod_not_found"]),
            (403, nil, 0, ["access_refused"]), (410, nil, 0, ["session_expired"]),
            (0, .redirectLimit, 0, ["redirect_loop"]), (0, .localResources, 0, []), (400, nil, 0, []),
            (0, .totalTimeout, 11, []),
        ] as [(Int, TransportFailure?, Double, [String])]
    )
    func podUnavailable(status: Int, failure: TransportFailure?, seconds: Double, codes: [String]) {
        let viewer = SessionFindingTests.watching()
        viewer.fire(.breakFetch)
        viewer.answer(.podManifest, status: status, failure: failure, after: seconds)
        #expect(viewer.codes == codes)
    }

    /// What counts is the limit that the player itself sets: the profile's is ten seconds.
    @Test(arguments: [(59.9, ["pod_unavailable"]), (61, [])] as [(Double, [String])])
    func aPodThatAPlayerWaitedForAsLongAsItDoesIsUnavailable(seconds: Double, codes: [String]) {
        let plan = LoadPlan.withPersona { $0.requests.assetList.total = .seconds(60) }
        let viewer = Self.atBreak(1, plan)
        viewer.answer(.podManifest, failure: .totalTimeout, after: seconds)
        #expect(viewer.codes == codes)
    }

    @Test(arguments: [(200, []), (503, ["pod_unavailable"]), (404, ["pod_not_found"])] as [(Int, [String])])
    func onlyAPodThatNoRepeatedRequestBringsIsUnavailable(second: Int, codes: [String]) {
        let retry = RetryRule(retries: 1, firstWait: .seconds(1))
        let viewer = Self.atBreak(1, .withPersona { $0.requests.assetList.afterError = retry })
        viewer.answer(.podManifest, status: 503)
        #expect(viewer.codes == [])
        viewer.fire(.breakFetch)
        viewer.answer(.podManifest, status: second)
        #expect(viewer.codes == codes)
        #expect(viewer.findings.allSatisfy { $0.count == 1 })
    }

    @Test(arguments: [(404, ["pod_not_found"]), (503, ["pod_unavailable"]), (200, [])] as [(Int, [String])])
    func podNotFound(status: Int, codes: [String]) {
        let viewer = Self.atBreak()
        viewer.answer(.podManifest, status: status)
        #expect(viewer.codes == codes)
    }

    @Test func podNotFoundHealed() throws {
        let crowd = Self.atBreak(3)
        for _ in 0..<2 { crowd.answer(.podManifest, status: 404) }
        #expect(crowd.codes == ["pod_not_found"])
        crowd.answer(.podManifest)
        let finding = try #require(crowd.findings.first)
        #expect(crowd.codes == ["pod_not_found_healed"])
        #expect(finding.viewers.count == 2 && !finding.viewers.contains(2))
    }

    @Test(
        arguments: [
            (["age": "7"], ["pod_not_found_cached"]), (["x-cache": "TCP_NEGATIVE_HIT"], ["pod_not_found_cached"]),
            (["age": "0"], ["pod_not_found"]), (["x-cache": "Error from cloudfront"], ["pod_not_found"]),
        ] as [([String: String], [String])]
    )
    func podNotFoundCached(headers: [String: String], codes: [String]) {
        let viewer = Self.atBreak()
        viewer.answer(.podManifest, status: 404, headers: headers)
        #expect(viewer.codes == codes)
    }

    /// Answers that cross are those of servers of which one is behind; one to a request of long after is a cache's.
    @Test(arguments: [(900, "pod_not_found_healed"), (1_100, "pod_not_found_cached")])
    func aPodThatWasFoundBeforeIsNotFoundFromACache(milliseconds: Int, code: String) {
        let retry = RetryRule(retries: 1, firstWait: .milliseconds(milliseconds))
        let crowd = Self.atBreak(3, .withPersona { $0.requests.assetList.afterError = retry })
        crowd.answer(.podManifest, of: 0)
        crowd.answer(.podManifest, of: 1, status: 503)
        crowd.fire(.breakFetch, of: 1)
        crowd.answer(.podManifest, of: 1, status: 404)
        crowd.answer(.podManifest, of: 2)
        #expect(crowd.codes == [code])
    }

    @Test func aViewersOwnPartOfAURLMakesNoOtherURL() {
        let base = "http://h/pod/7.m3u8?pd=1"
        let played = PlayedAddress()
        let name = played.hash(of: base, own: [])
        #expect(played.hash(of: "http://h/pod/7.m3u8?stream_id=a:TUL&pd=1&auth-token=b", own: []) == name)
        #expect(played.hash(of: "http://h/pod/8.m3u8?pd=1", own: []) != name)
        #expect(played.hash(of: "http://h/pod/7.m3u8?pd=2", own: []) != name)
    }
}
