import AdServing
import Foundation
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

    /// A refusal that is no lack of capacity has a code of its own, or is this machine's fault, as a timeout that it slept
    /// through.
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

    /// The limit that the player itself sets counts: the profile's is ten seconds.
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

// The names of one break beside those of others.
extension PodFindingTests {
    /// Findings where three viewers ask for these pods, in breaks of 10 s every 20 s.
    private func found(_ identifiers: [String], starts: [Int64]? = nil) -> [Finding] {
        let recorder = LoopRecorder()
        for (index, identifier) in identifiers.enumerated() {
            let start = (starts?[index] ?? Int64(index) * 20) * 1_000_000
            let slot = recorder.breakSlot(for: "break \(index)", start: start, durationMilliseconds: 10_000)
            guard !identifier.isEmpty else { continue }
            for viewer in 0..<3 {
                recorder.podRequested(slot, identifier: identifier, viewer: viewer, wallMicroseconds: start)
            }
        }
        return RunTotals(merging: [recorder.finish()]).findings
    }

    private func described(_ findings: [Finding]) -> [String] {
        findings.map { "\($0.code.code) in \($0.breakKey ?? "") by \($0.viewers.count)" }
    }

    @Test func breakIdentifierSplit() {
        let recorder = LoopRecorder()
        let slot = recorder.breakSlot(for: "k", start: 0, durationMilliseconds: 10_000)
        for viewer in 0..<2 {
            recorder.podRequested(slot, identifier: "pod/7", viewer: viewer, wallMicroseconds: 0)
        }
        #expect(RunTotals(merging: [recorder.finish()]).findings.isEmpty)
        recorder.podRequested(slot, identifier: "pod/8", viewer: 2, wallMicroseconds: 0)
        #expect(described(RunTotals(merging: [recorder.finish()]).findings) == ["break_identifier_split in k by 1"])
    }

    /// Two names may be made of a start that packagers round apart; two names of one start differ by something else.
    @Test(
        arguments: [
            (["a": [0], "b": [20]], []), (["a": [0], "b": [42]], []), (["a": [0, 10], "b": [20, 30]], []),
            (["a": [0, 0], "b": [0]], ["break_identifier_split in k by 1"]),
            (["a": [0, 20, 20], "b": [10]], ["break_identifier_split in k by 1"]),
            (["a": [0, 0], "b": [43]], ["break_identifier_split in k by 1"]),
            (["a": [0, 0], "b": [nil]], ["break_identifier_split in k by 1"]),
            (["a": [0, 0, 0], "b": [20, 20], "c": [5_000]], ["break_identifier_split in k by 1"]),
        ] as [([String: [Int64?]], [String])]
    )
    func namesOfARoundedStartAreNoSplit(starts: [String: [Int64?]], found: [String]) throws {
        var recorders: [LoopRecorder] = []
        var viewer = 0
        for (name, told) in starts.sorted(by: { $0.key < $1.key }) {
            let recorder = LoopRecorder()
            recorders.append(recorder)
            let slot = recorder.breakSlot(for: "k", start: 0, durationMilliseconds: 10_000)
            for start in told {
                recorder.podRequested(
                    slot,
                    identifier: name,
                    viewer: viewer,
                    breakStart: start.map { $0 * 1_000 },
                    wallMicroseconds: 0
                )
                viewer += 1
            }
        }
        let loops = recorders.map { $0.finish() }
        #expect(described(RunTotals(merging: loops).findings) == found)
        #expect(described(RunTotals(merging: loops.reversed()).findings) == found)
        for record in loops.flatMap(\.breaks) {
            #expect(try JSONDecoder().decode(BreakRecord.self, from: JSONEncoder().encode(record)) == record)
        }
    }

    @Test func breakIdentifierReused() {
        let name = "ad_break_id/mid-roll-5"
        #expect(described(found([name, "ad_break_id/x", name])) == ["break_identifier_reused in break 2 by 3"])
        #expect(described(found(["pod/4", "pod/4"])) == ["break_identifier_reused in break 1 by 3"])
        // Announced twice, a second apart: one break.
        #expect(found([name, name], starts: [0, 1]).isEmpty)
        // That they are interstitials is no name.
        #expect(found(["interstitial", "interstitial"]).isEmpty)
    }

    @Test func breakIdentifierSkipped() {
        #expect(found(["pod/4", "pod/5", "pod/6"]).isEmpty)
        #expect(described(found(["pod/4", "pod/5", "pod/7"])) == ["break_identifier_skipped in break 2 by 3"])
        // The count that goes on from there is as good as the one before.
        let stays = ["pod/4", "pod/5", "pod/7", "pod/8", "pod/9"]
        #expect(described(found(stays)) == ["break_identifier_skipped in break 2 by 3"])
        // One that stood alone is the one to blame.
        let alone = ["pod/4", "pod/5", "pod/900", "pod/7", "pod/8"]
        #expect(described(found(alone)) == ["break_identifier_skipped in break 2 by 3"])
        // A break that nobody asked for had its number.
        #expect(found(["pod/4", "pod/5", "", "pod/7"]).isEmpty)
        // Numbers that never counted breaks leave none out.
        #expect(found(["pod/1000", "pod/1020", "pod/1040"]).isEmpty)
    }

    @Test func breakIdentifierBackwards() {
        #expect(described(found(["pod/4", "pod/5", "pod/2"])) == ["break_identifier_backwards in break 2 by 3"])
        #expect(described(found(["pod/4", "pod/3"])) == ["break_identifier_backwards in break 1 by 3"])
        let anew = ["pod/4", "pod/5", "pod/1", "pod/2", "pod/3"]
        #expect(described(found(anew)) == ["break_identifier_backwards in break 2 by 3"])
        let alone = ["pod/40", "pod/41", "pod/3", "pod/43"]
        #expect(described(found(alone)) == ["break_identifier_backwards in break 2 by 3"])
    }
}
