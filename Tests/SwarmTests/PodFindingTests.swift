import AdServing
import HLS
import LoadProfile
import Recording
import Rulebook
import RunResult
import Testing

@testable import Audience
@testable import Audit
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
        let answer = Answer(
            role,
            status: 200,
            body: UnsafeRawBufferPointer(start: nil, count: 0),
            url: url,
            plannedAt: now,
            sentAt: now,
            firstByteAt: now,
            doneAt: now
        )
        let audited = AuditedViewer(facts: viewer.machine.facts, record: viewer.record, context: crowd.auditor.context)
        let examination = Examination(answer, of: audited, breakSlot: subject.slot)
        check.examine(GivenContent(content: content, subject: subject), examination)
    }

    /// Subject of a viewer's next break.
    fileprivate func subject(
        of index: Int = 0,
        isTrimmed: Bool = false,
        isAssetList: Bool = true,
        asset: AssetSubject? = nil
    ) throws -> AuditSubject {
        AuditSubject(
            facts: BreakSubject(
                planned: try #require(slot(index).planned),
                isSameForAll: true,
                isTrimmed: isTrimmed,
                isNearlyOver: isTrimmed,
                isAssetList: isAssetList
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
        ] as [(String, [String])]
    )
    func assetListInvalid(body: String, codes: [String]) throws { #expect(try found(body) == codes) }

    @Test(
        arguments: [
            ("", true), (#","DURATION":"soon""#, true), (#","DURATION":"00:00:05""#, true),
            (#","DURATION":"12.5""#, false),
            (#","DURATION":null"#, true), (#","DURATION":5.25"#, false),
        ]
    )
    func assetDurationMissing(more: String, isFound: Bool) throws {
        #expect(try found(Self.list(more)) == (isFound ? ["asset_duration_missing"] : []))
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
