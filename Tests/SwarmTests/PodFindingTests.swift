import AdServing
import Foundation
import HLS
import Results
import Rules
import Testing
import Transport
import Values

@testable import Audit
@testable import Profile
@testable import Swarm
@testable import Viewer

/// Each finding about pods and asset lists: that it is made where it should be, and not beside.
@Suite struct PodFindingTests {
    /// Viewers that have just asked for their first pod.
    static func atBreak(_ viewers: Int = 1, _ plan: LoadPlan = .forTests()) -> ScriptedCrowd {
        let crowd = ScriptedCrowd.allWatching(plan, viewers: viewers)
        for index in 0..<viewers { #expect(crowd.fire(.breakFetch, of: index)) }
        return crowd
    }

    /// Codes found of a pod.
    private static func codes(_ body: String, _ plan: LoadPlan = .forTests()) -> [String] {
        let viewer = atBreak(1, plan)
        viewer.answer(.podManifest, body)
        return viewer.codes
    }

    @Test(arguments: [([5.0, 5.0], []), ([5, 4.95], []), ([5, 4], ["pod_underfilled"])] as [([Double], [String])])
    func podUnderfilled(seconds: [Double], codes: [String]) { #expect(Self.codes(AnswerBody.pod(seconds)) == codes) }

    @Test(arguments: [([5.0, 5.05], []), ([5, 5, 5], ["pod_overfilled"])] as [([Double], [String])])
    func podOverfilled(seconds: [Double], codes: [String]) { #expect(Self.codes(AnswerBody.pod(seconds)) == codes) }

    /// Ads of 3.03 s are 91 frames at 30 a second; what is off by more than a frame each is another length.
    @Test(
        arguments: [
            (3.03, 42, []), (2.97, 42, []), (3.03, 0, ["pod_overfilled"]), (3.08, 42, ["pod_overfilled"]),
            (2.92, 42, ["pod_underfilled"]),
        ] as [(Double, Int64, [String])]
    )
    func adsOfWholeFramesFillABreak(seconds: Double, tolerance: Int64, codes: [String]) {
        let plan = LoadPlan.forTests {
            $0.breaks.podDuration = .seconds(12)
            $0.pods.adTolerance = .milliseconds(tolerance)
        }
        #expect(Self.codes(AnswerBody.pod([seconds, seconds, seconds, seconds]), plan) == codes)
    }

    @Test(arguments: [([10.0], []), ([], ["empty_pod"])] as [([Double], [String])])
    func emptyPod(seconds: [Double], codes: [String]) { #expect(Self.codes(AnswerBody.pod(seconds)) == codes) }

    @Test(arguments: [("ads", []), ("slates", []), ("7/slate/0", ["slate_only"])] as [(String, [String])])
    func slateOnly(folder: String, codes: [String]) {
        #expect(Self.codes(AnswerBody.pod(folder: folder)) == codes)
        // Slate beside ads is no finding.
        let pod = AnswerBody.pod(folder: "slate").replacing("/slate/0", with: "/ads/0")
        #expect(Self.codes(pod) == [])
    }

    @Test(arguments: [false, true])
    func podChangedOnRepeat(changes: Bool) {
        let viewer = Self.atBreak(1, .forTests { $0.pods.repeatShare = 1 })
        viewer.answer(.podManifest)
        viewer.answer(.podRepeat, AnswerBody.pod(folder: changes ? "others" : "ads"))
        #expect(viewer.codes == (changes ? ["pod_changed_on_repeat"] : []))
        let evidence = viewer.findings.first?.first?.evidence
        let first = "after 1 equal parts: ads/0.mp4 5000 ms in 1; ads/1.mp4 5000 ms in 1"
        #expect(evidence?.expected == (changes ? "the pod of the first answer: \(first)" : nil))
        let other = "ad 1 is another: \(first.replacing("ads/", with: "others/"))"
        #expect(evidence?.observed == (changes ? other : nil))
    }

    /// Equal ads under their own identifier are a pod of its own; those that name the last break's are not.
    @Test(arguments: [false, true])
    func stalePod(isStale: Bool) {
        let viewer = Self.atBreak()
        let first = viewer.slot().podIdentifier
        viewer.answer(.podManifest, AnswerBody.pod(folder: first))
        viewer.watch(seconds: 15)
        viewer.fire(.breakFetch)
        let second = viewer.slot().podIdentifier
        #expect(second != first)
        viewer.answer(.podManifest, AnswerBody.pod(folder: isStale ? first : second))
        #expect(viewer.codes == (isStale ? ["stale_pod"] : []))
    }

    /// A tenth of a second is the difference between audio and video, and how long segments are is a rendition's own;
    /// another number of ads is another pod, and so is one whose ads change elsewhere.
    @Test(
        arguments: [
            ([[5], [5]], []), ([[5], [5.4]], []), ([[2.5, 2.5], [2, 2, 1]], []), ([[5, 0.2], [4.8]], []),
            ([[5], [5.6]], ["pod_rendition_mismatch"]), ([[5], [3], [2]], ["pod_rendition_mismatch"]),
            ([[5, 5]], ["pod_rendition_mismatch"]), ([[4], [6]], ["pod_rendition_mismatch"]),
        ] as [([[Double]], [String])]
    )
    func podRenditionMismatch(ads: [[Double]], codes: [String]) throws {
        let crowd = Self.atBreak(3)
        try crowd.give(renditions: [[[5], [5]], [[5], [5]], ads])
        #expect(crowd.codes == codes)
        #expect(crowd.findings.allSatisfy { $0.viewers.count == 1 && $0.viewers.contains(2) })
    }

    @Test func renditionsThatDifferAreShownWithTheirPlaces() throws {
        let crowd = Self.atBreak(3)
        try crowd.give(renditions: [[[5], [5]], [[5], [5]], [[10]]])
        let evidence = try #require(crowd.findings.first?.first?.evidence)
        #expect(evidence.expected == "as other renditions: 10000 ms, 1 discontinuity at 5000 ms")
        #expect(evidence.observed == "10000 ms, no discontinuity")
    }
}

extension ScriptedCrowd {
    /// Has a check look at content that a request of a viewer's break would have been answered with.
    fileprivate func examine(
        _ content: GivenContent.Content,
        by check: any BreakCheck,
        role: ViewerRole = .assetList,
        url: String,
        viewer index: Int = 0,
        _ subject: AuditSubject
    ) {
        let viewer = slot(index)
        let answer = TransferResult(
            failure: nil,
            status: 200,
            plannedAt: now,
            sentAt: now,
            firstByteAt: now,
            doneAt: now,
            url: url
        )
        let examination = Examination(
            role: role,
            index: 0,
            answer: answer,
            isOwnDelay: false,
            viewer: AuditedViewer(facts: viewer.machine.facts, record: viewer.record, context: crowd.auditor.context),
            breakSlot: subject.slot
        )
        check.examine(GivenContent(content: content, subject: subject), examination)
    }

    /// Subject of a viewer's next break.
    fileprivate func subject(
        of index: Int = 0,
        isTrimmed: Bool = false,
        isAssetList: Bool = true,
        longestContent: Duration? = nil,
        asset: AssetSubject? = nil
    ) throws -> AuditSubject {
        AuditSubject(
            facts: BreakSubject(
                planned: try #require(slot(index).planned),
                isSameForAll: true,
                isTrimmed: isTrimmed,
                isNearlyOver: isTrimmed,
                isAssetList: isAssetList,
                longestContent: longestContent
            ),
            slot: slot(index).breakSlot,
            asset: asset
        )
    }

    /// Gives each viewer another rendition of its pod, by the seconds of each ad's segments.
    fileprivate func give(renditions: [[[Double]]]) throws {
        let played = PlayedContent(address: PlayedAddress(), own: [])
        let manifest = GivenPod(try Playlist(parsing: Array(AnswerBody.oneVariant.utf8)), played, own: nil)
        for (index, ads) in renditions.enumerated() {
            let lines = ads.map { $0.map { "#EXTINF:\($0),\n/a.mp4\n" }.joined() }
            let text = "#EXTM3U\n#EXT-X-TARGETDURATION:30\n" + lines.joined(separator: "#EXT-X-DISCONTINUITY\n")
            slot(index).record.pod = PodInHand(manifest, isSound: true)
            examine(
                .pod(.media(try .parsed(text + "#EXT-X-ENDLIST\n"))),
                by: PodContentCheck(),
                role: .podPlaylist,
                url: "http://127.0.0.1:8080/\(index).m3u8",
                viewer: index,
                try subject(of: index, isAssetList: false)
            )
        }
    }
}

// Asset lists and their assets.
extension PodFindingTests {
    /// Codes found in the answer to an asset list.
    private func found(_ body: String, isTrimmed: Bool = false) throws -> [String] {
        let viewer = Self.atBreak()
        let subject = try viewer.subject(isTrimmed: isTrimmed)
        let url = "http://127.0.0.1:8080/list.json"
        do {
            let list = try AssetList(parsing: Array(body.utf8))
            viewer.examine(.list(list), by: AssetListCheck(), url: url, subject)
        } catch {
            viewer.examine(.noList(error), by: AssetListCheck(), url: url, subject)
        }
        return viewer.codes
    }

    private static func list(_ more: String, uri: String = "http://h/a.m3u8") -> String {
        #"{"ASSETS":[{"URI":"\#(uri)"\#(more)}]}"#
    }

    /// A viewer that joins at the end has nothing left to play.
    @Test(
        arguments: [
            (list(#","DURATION":5"#), false, []), (#"{"ASSETS":[]}"#, false, ["asset_list_empty"]),
            (#"{"ASSETS":[]}"#, true, []),
        ] as [(String, Bool, [String])]
    )
    func assetListEmpty(body: String, isTrimmed: Bool, codes: [String]) throws {
        #expect(try found(body, isTrimmed: isTrimmed) == codes)
    }

    @Test(
        arguments: [
            (#"{"ASSETS": [{"URI": "#, ["asset_list_invalid"]), ("<VAST/>", ["asset_list_invalid"]),
            (#"{"ASSETS":[{"DURATION":5}]}"#, ["asset_list_invalid"]), (list(#","DURATION":5,"X-NEW":1"#), []),
            (#"{"ASSETS":[{"URI":"http://h/a.m3u8","DURATION":5}],"X-OTHER":{}}"#, []),
            (#"{"ASSETS":[{"URI":"http://h/a.m3u8","DURATION":5},{"DURATION":5}]}"#, ["asset_list_invalid"]),
            (#"{"ASSETS":[{"URI":"http://h/a.m3u8","DURATION":5},{"URI":"b"}]}"#, ["asset_duration_missing"]),
        ] as [(String, [String])]
    )
    func assetListInvalid(body: String, codes: [String]) throws { #expect(try found(body) == codes) }

    @Test func aListOfAMillionAssetsIsTold() throws {
        for count in [1_001, 1_000_000] {
            let assets = String(repeating: "{\"URI\":\"http://h/a\",\"DURATION\":1},", count: count).dropLast()
            #expect(try found("{\"ASSETS\":[\(assets)]}") == ["asset_list_invalid"])
        }
    }

    @Test(
        arguments: [
            ("", true), (#","DURATION":"soon""#, true), (#","DURATION":"00:00:05""#, true),
            (#","DURATION":"12.5""#, true),
            (#","DURATION":null"#, true), (#","DURATION":5.25"#, false),
        ]
    )
    func assetDurationMissing(more: String, isFound: Bool) throws {
        #expect(try found(Self.list(more)) == (isFound ? ["asset_duration_missing"] : []))
    }

    @Test(
        arguments: [
            ("http://h/a.m3u8", []), ("//h/a.m3u8", ["asset_invalid"]), ("a.m3u8", ["asset_invalid"]),
            ("/a.m3u8", ["asset_invalid"]),
        ]
    )
    func assetInvalid(uri: String, codes: [String]) throws {
        #expect(try found(Self.list(#","DURATION":5"#, uri: uri)) == codes)
    }

    @Test(arguments: [("#EXT-X-ENDLIST\n", []), ("", ["asset_invalid"])])
    func anAssetIsARecording(end: String, codes: [String]) throws {
        let viewer = Self.atBreak()
        let url = "http://127.0.0.1:8080/a.m3u8"
        let pod = LoadedPod(try .parsed("#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\na.ts\n\(end)"), url: url)
        let subject = try viewer.subject(asset: AssetSubject(uri: url, listedDuration: .seconds(5)))
        viewer.examine(.asset(.media(pod)), by: PodContentCheck(), role: .assetManifest, url: url, subject)
        #expect(viewer.codes == codes)
    }

    /// A frame of each asset is let pass, and so is a list from an offset on.
    @Test(
        arguments: [
            (12, nil, false, []), (12, 12_000, false, []), (12, 11_900, false, []),
            (12, 8_000, false, ["pod_overfilled"]), (12, 8_000, true, []), (8, 12_000, false, []),
        ] as [(Int, Int?, Bool, [String])]
    )
    func assetsAreNoLongerThanTheirRange(seconds: Int, milliseconds: Int?, isTrimmed: Bool, codes: [String]) throws {
        let viewer = Self.atBreak()
        let longest = milliseconds.map { Duration.milliseconds($0) }
        let subject = try viewer.subject(isTrimmed: isTrimmed, longestContent: longest)
        let list = try AssetList(parsing: Array(Self.list(",\"DURATION\":\(seconds)").utf8))
        viewer.examine(.list(list), by: AssetListCheck(), url: "http://127.0.0.1:8080/list.json", subject)
        #expect(viewer.codes == codes)
    }

    @Test func aListOfSlateIsSlateOnly() throws {
        #expect(try found(Self.list(#","DURATION":5"#, uri: "http://h/slate/a.m3u8")) == ["slate_only"])
        let mixed = #"{"URI":"http://h/a.m3u8","DURATION":5},{"URI":"http://h/slate/a.m3u8","DURATION":5}"#
        #expect(try found("{\"ASSETS\":[\(mixed)]}") == [])
    }

    @Test(
        arguments: [
            ([5.0], Duration.seconds(5), []), ([5.05], .seconds(5), []), ([5], .seconds(7), ["asset_duration_wrong"]),
            ([5], .milliseconds(5), ["asset_duration_wrong"]), ([], .seconds(5), ["empty_pod"]),
        ] as [([Double], Duration, [String])]
    )
    func assetDurationWrong(seconds: [Double], listed: Duration, codes: [String]) throws {
        let viewer = Self.atBreak()
        let url = "http://127.0.0.1:8080/a.m3u8"
        let pod = LoadedPod(try .parsed(AnswerBody.pod(seconds)), url: url)
        let subject = try viewer.subject(asset: AssetSubject(uri: url, listedDuration: listed))
        viewer.examine(.asset(.media(pod)), by: PodContentCheck(), role: .podPlaylist, url: url, subject)
        #expect(viewer.codes == codes)
    }
}

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
        return RunTotals(merging: [recorder.whole()]).findings
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
        #expect(RunTotals(merging: [recorder.whole()]).findings.isEmpty)
        recorder.podRequested(slot, identifier: "pod/8", viewer: 2, wallMicroseconds: 0)
        #expect(described(RunTotals(merging: [recorder.whole()]).findings) == ["break_identifier_split in k by 1"])
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
        let loops = recorders.map { $0.whole() }
        #expect(described(RunTotals(merging: loops).findings) == found)
        #expect(described(RunTotals(merging: loops.reversed()).findings) == found)
        for record in loops.flatMap(\.changes.breaks) {
            #expect(
                try DocumentDecoding.journal.decode(BreakRecord.self, from: DocumentEncoding.journal.encode(record))
                    == record
            )
        }
    }

    @Test func breakIdentifierReused() {
        let name = "ad_break_id/mid-roll-5"
        #expect(described(found([name, "ad_break_id/x", name])) == ["break_identifier_reused in break 2 by 3"])
        #expect(described(found(["pod/4", "pod/4"])) == ["break_identifier_reused in break 1 by 3"])
        // Announced twice, a second apart: one break.
        #expect(found([name, name], starts: [0, 1]).isEmpty)
        // The class of interstitials is no name.
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
        // A break without a viewer had its number.
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
