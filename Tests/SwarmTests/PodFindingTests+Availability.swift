import AdServing
import LoadProfile
import Players
import Recording
import Rulebook
import RunResult
import Testing
import Transport

@testable import Audience
@testable import Audit
@testable import Swarm
@testable import Viewer

// What is not there, or not at once.
extension PodFindingTests {
    /// 401, 403 and 410 speak of the session, and a deadline is the player's own.
    @Test(
        arguments: [
            (200, nil, false), (503, nil, true), (404, nil, true), (403, nil, false), (410, nil, false),
            (0, .reset, true), (0, .connectRefused, true), (0, .totalTimeout, false), (0, .localResources, false),
        ] as [(Int, TransportFailure?, Bool)]
    )
    func podPartUnreachable(status: Int, failure: TransportFailure?, isFound: Bool) async throws {
        try await Self.atBreak(1, .forTests { $0.playback.segments = .ads }) { scripted in
            scripted.transport.answer(.podManifest, body: Self.pod([5, 5]))
            #expect(scripted.transport.answer(.podSegment, status: status, failure: failure))
            #expect(scripted.codes == (isFound ? ["pod_part_unreachable"] : []))
        }
    }

    @Test(arguments: [404, 503])
    func aPlaylistThatThePodListsIsAPart(status: Int) async throws {
        try await Self.atBreak { scripted in
            scripted.transport.answer(.podManifest, body: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n")
            #expect(scripted.transport.answer(.podPlaylist, status: status))
            #expect(scripted.codes == ["pod_part_unreachable"])
        }
    }

    /// What is no capacity has a code of its own, or is this machine's fault.
    @Test(
        arguments: [
            (503, nil, ["pod_unavailable"]), (500, nil, ["pod_unavailable"]), (429, nil, ["pod_unavailable"]),
            (0, .reset, ["pod_unavailable"]), (0, .connectRefused, ["pod_unavailable"]),
            (0, .firstByteTimeout, ["pod_unavailable"]),
            (404, nil, ["pod_not_found"]), (403, nil, ["access_refused"]), (410, nil, ["session_expired"]),
            (0, .redirectLimit, ["redirect_loop"]), (0, .localResources, []), (400, nil, []),
        ] as [(Int, TransportFailure?, [String])]
    )
    func podUnavailable(status: Int, failure: TransportFailure?, codes: [String]) async throws {
        try await ScriptedCrowd.onLoop { loop in
            let probe = try SessionProbe(loop: loop)
            probe.askForPod()
            #expect(probe.transport.answer(.podManifest, status: status, failure: failure))
            #expect(probe.scripted.codes == codes)
        }
    }

    /// A timeout that this machine slept through is none of the target's.
    @Test func aPodThatThisMachineWasTooSlowForIsNoFinding() async throws {
        try await Self.atBreak { scripted in
            scripted.transport.answer(.podManifest, failure: .totalTimeout, after: .seconds(3_600))
            #expect(scripted.codes == [])
        }
    }

    /// What counts is the limit that the player itself sets: the profile's is ten seconds.
    @Test(arguments: [(60, ["pod_unavailable"]), (600, [])] as [(Int, [String])])
    func aPodThatAPlayerWaitedForAsLongAsItDoesIsUnavailable(seconds: Int, codes: [String]) async throws {
        let plan = LoadPlan.forTests {
            var persona = Persona.ofProfile($0.playback)
            persona.requests.assetList.total = .seconds(60)
            $0.audience.personas = [PersonaShare(persona, share: 1)]
        }
        try await Self.atBreak(1, plan) { scripted in
            scripted.transport.answer(.podManifest, failure: .totalTimeout, after: .seconds(seconds))
            #expect(scripted.codes == codes)
        }
    }

    @Test(arguments: [(200, []), (503, ["pod_unavailable"]), (404, ["pod_not_found"])] as [(Int, [String])])
    func onlyAPodThatNoRepeatedRequestBringsIsUnavailable(second: Int, codes: [String]) async throws {
        let plan = LoadPlan.forTests {
            var persona = Persona.ofProfile($0.playback)
            persona.requests.assetList.afterError = RetryRule(retries: 1, firstWait: .seconds(1))
            $0.audience.personas = [PersonaShare(persona, share: 1)]
        }
        try await Self.atBreak(1, plan) { scripted in
            scripted.transport.answer(.podManifest, status: 503)
            #expect(scripted.codes == [])
            #expect(scripted.fire(.breakFetch))
            #expect(
                scripted.transport.answer(.podManifest, status: second, body: second == 200 ? Self.pod([5, 5]) : "")
            )
            #expect(scripted.codes == codes)
            #expect(scripted.findings.allSatisfy { $0.count == 1 })
        }
    }

    @Test(arguments: [(404, ["pod_not_found"]), (503, ["pod_unavailable"]), (200, [])] as [(Int, [String])])
    func podNotFound(status: Int, codes: [String]) async throws {
        try await Self.atBreak { scripted in
            scripted.transport.answer(.podManifest, status: status, body: status == 200 ? Self.pod([5, 5]) : "")
            #expect(scripted.codes == codes)
        }
    }

    @Test func podNotFoundHealed() async throws {
        try await Self.atBreak(3) { scripted in
            scripted.transport.answer(.podManifest, status: 404)
            scripted.transport.answer(.podManifest, status: 404)
            #expect(scripted.codes == ["pod_not_found"])
            scripted.transport.answer(.podManifest, body: Self.pod([5, 5]))
            let finding = try #require(scripted.findings.first)
            #expect(scripted.codes == ["pod_not_found_healed"])
            #expect(finding.viewers.count == 2 && !finding.viewers.contains(2))
        }
    }

    @Test(
        arguments: [
            (["age": "7"], ["pod_not_found_cached"]), (["x-cache": "TCP_NEGATIVE_HIT"], ["pod_not_found_cached"]),
            (["age": "0"], ["pod_not_found"]), (["x-cache": "Error from cloudfront"], ["pod_not_found"]),
        ] as [([String: String], [String])]
    )
    func podNotFoundCached(headers: [String: String], codes: [String]) async throws {
        try await Self.atBreak { scripted in
            scripted.transport.answer(.podManifest, status: 404, headers: headers)
            #expect(scripted.codes == codes)
        }
    }

    /// Answers that cross are those of servers of which one is behind; one that comes long after is a cache's.
    @Test(arguments: [(Int64(900_000_000), "pod_not_found_healed"), (1_100_000_000, "pod_not_found_cached")])
    func whatWasFoundBeforeIsNotFoundFromACache(later: Int64, code: String) async throws {
        try await Self.atBreak(3) { scripted in
            scripted.transport.answer(.podManifest, body: Self.pod([5, 5]))
            scripted.transport.answer(.podManifest, status: 404, later: later)
            scripted.transport.answer(.podManifest, body: Self.pod([5, 5]))
            #expect(scripted.codes == [code])
        }
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
