import AdServing
import HLS
import LoadProfile
import Recording
import Rulebook
import RunResult
import Testing
import Transport

@testable import Audience
@testable import Audit
@testable import Swarm
@testable import Viewer

/// Each finding about pods and asset lists: that it is made where it should be, and not beside.
@Suite struct PodFindingTests {
    /// Runs a test with viewers that have just asked for their first pod.
    static func atBreak(
        _ viewers: Int = 1,
        _ plan: LoadPlan = .forTests(),
        _ test: @escaping @Sendable (ScriptedCrowd) throws -> Void
    ) async throws {
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(plan, viewers: viewers, loop: loop)
            scripted.join()
            for index in 0..<viewers {
                #expect(scripted.fire(.breakFetch, index: index))
            }
            try test(scripted)
        }
    }

    /// A pod with one segment of these seconds for each ad.
    static func pod(_ seconds: [Double], folder: String = "ads") -> String {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:30\n"
        for (index, length) in seconds.enumerated() {
            text += index > 0 ? "#EXT-X-DISCONTINUITY\n" : ""
            text += "#EXTINF:\(length),\n/\(folder)/\(index).mp4\n"
        }
        return text + "#EXT-X-ENDLIST\n"
    }

    @Test(arguments: [([5.0, 5.0], []), ([5, 4.95], []), ([5, 4], ["pod_underfilled"])] as [([Double], [String])])
    func podUnderfilled(seconds: [Double], codes: [String]) async throws {
        try await Self.atBreak { scripted in
            scripted.transport.answer(.podManifest, body: Self.pod(seconds))
            #expect(scripted.codes == codes)
        }
    }

    @Test(arguments: [([5.0, 5.05], []), ([5, 5, 5], ["pod_overfilled"])] as [([Double], [String])])
    func podOverfilled(seconds: [Double], codes: [String]) async throws {
        try await Self.atBreak { scripted in
            scripted.transport.answer(.podManifest, body: Self.pod(seconds))
            #expect(scripted.codes == codes)
        }
    }

    /// Ads of 3.03 s are 91 frames at 30 a second; what is off by more than a frame each is another length.
    @Test(
        arguments: [
            (3.03, 42, []), (2.97, 42, []), (3.03, 0, ["pod_overfilled"]), (3.08, 42, ["pod_overfilled"]),
            (2.92, 42, ["pod_underfilled"]),
        ] as [(Double, Int64, [String])]
    )
    func adsOfWholeFramesFillABreak(seconds: Double, tolerance: Int64, codes: [String]) async throws {
        let plan = LoadPlan.forTests {
            $0.breaks.podDuration = .seconds(12)
            $0.pods.adTolerance = .milliseconds(tolerance)
        }
        try await Self.atBreak(1, plan) { scripted in
            scripted.transport.answer(.podManifest, body: Self.pod([seconds, seconds, seconds, seconds]))
            #expect(scripted.codes == codes)
        }
    }

    @Test(arguments: [([10.0], []), ([], ["empty_pod"])] as [([Double], [String])])
    func emptyPod(seconds: [Double], codes: [String]) async throws {
        try await Self.atBreak { scripted in
            scripted.transport.answer(.podManifest, body: Self.pod(seconds))
            #expect(scripted.codes == codes)
        }
    }

    @Test(arguments: [("ads", []), ("slates", []), ("7/slate/0", ["slate_only"])] as [(String, [String])])
    func slateOnly(folder: String, codes: [String]) async throws {
        try await Self.atBreak { scripted in
            scripted.transport.answer(.podManifest, body: Self.pod([5, 5], folder: folder))
            #expect(scripted.codes == codes)
        }
    }

    @Test func slateBesideAdsIsNoFinding() async throws {
        try await Self.atBreak { scripted in
            let pod = Self.pod([5, 5], folder: "slate").replacing("/slate/0", with: "/ads/0")
            scripted.transport.answer(.podManifest, body: pod)
            #expect(scripted.codes == [])
        }
    }

    @Test(arguments: [false, true])
    func podChangedOnRepeat(changes: Bool) async throws {
        try await Self.atBreak(1, .forTests { $0.pods.repeatShare = 1 }) { scripted in
            scripted.transport.answer(.podManifest, body: Self.pod([5, 5]))
            #expect(scripted.transport.answer(.podRepeat, body: Self.pod([5, 5], folder: changes ? "others" : "ads")))
            #expect(scripted.codes == (changes ? ["pod_changed_on_repeat"] : []))
            let evidence = scripted.findings.first?.first?.evidence
            let first = "after 1 equal parts: ads/0.mp4 5000 ms in 1; ads/1.mp4 5000 ms in 1"
            #expect(evidence?.expected == (changes ? "the pod of the first answer: \(first)" : nil))
            let other = "ad 1 is another: \(first.replacing("ads/", with: "others/"))"
            #expect(evidence?.observed == (changes ? other : nil))
        }
    }

    /// The same ads under their own identifier are a pod of its own; those that name the last break's are not.
    @Test(arguments: [false, true])
    func stalePod(isStale: Bool) async throws {
        try await Self.atBreak { scripted in
            let viewer = scripted.crowd.viewers[0]
            let first = viewer.podIdentifier
            scripted.transport.answer(.podManifest, body: Self.pod([5, 5], folder: first))
            #expect(scripted.fire(.breakStart))
            while scripted.fire(.adProgress) {}
            #expect(scripted.fire(.breakFetch))
            #expect(viewer.podIdentifier != first)
            let folder = isStale ? first : viewer.podIdentifier
            #expect(scripted.transport.answer(.podManifest, body: Self.pod([5, 5], folder: folder)))
            #expect(scripted.codes == (isStale ? ["stale_pod"] : []))
        }
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
    func podRenditionMismatch(ads: [[Double]], codes: [String]) async throws {
        try await Self.atBreak(3) { scripted in
            try scripted.give(renditions: [[[5], [5]], [[5], [5]], ads])
            #expect(scripted.codes == codes)
            #expect(scripted.findings.allSatisfy { $0.viewers.count == 1 && $0.viewers.contains(2) })
        }
    }

    @Test func renditionsThatDifferAreShownWithTheirPlaces() async throws {
        try await Self.atBreak(3) { scripted in
            try scripted.give(renditions: [[[5], [5]], [[5], [5]], [[10]]])
            let evidence = try #require(scripted.findings.first?.first?.evidence)
            #expect(evidence.expected == "as other renditions: 10000 ms, 1 discontinuity at 5000 ms")
            #expect(evidence.observed == "10000 ms, no discontinuity")
        }
    }
}

extension ScriptedCrowd {
    /// Gives each viewer another rendition of its pod, by the seconds of each ad's segments.
    fileprivate func give(renditions: [[[Double]]]) throws {
        let offered = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\npod.m3u8\n"
        let played = PlayedContent(address: PlayedAddress(), own: [])
        let manifest = GivenPod(try Playlist(parsing: Array(offered.utf8)), played, own: nil)
        for (index, ads) in renditions.enumerated() {
            let lines = ads.map { $0.map { "#EXTINF:\($0),\n/a.mp4\n" }.joined() }
            let text = "#EXTM3U\n#EXT-X-TARGETDURATION:30\n" + lines.joined(separator: "#EXT-X-DISCONTINUITY\n")
            let viewer = crowd.viewers[index]
            viewer.record.pod = PodInHand(manifest, isSound: true)
            examine(
                .pod(.media(try .parsed(text + "#EXT-X-ENDLIST\n"))),
                by: PodContentCheck(),
                role: .podPlaylist,
                url: "http://127.0.0.1:8080/\(index).m3u8",
                viewer: index,
                AuditSubject(
                    facts: BreakSubject(
                        planned: try #require(viewer.planned),
                        isSameForAll: true,
                        isTrimmed: false,
                        isNearlyOver: false,
                        isAssetList: false
                    ),
                    slot: viewer.breakSlot
                )
            )
        }
    }

    /// What a run would report that ended now, without what is held against the live playlists.
    ///
    /// The scripted ones keep none of the rules that other suites look at.
    var findings: [Finding] {
        RunTotals(merging: [crowd.recorder.finish()]).findings.filter { $0.code.group.isOfAds }
    }

    var codes: [String] { findings.map(\.code.code) }
}

extension FindingCode.Group {
    /// False for what is held against playlists alone.
    var isOfAds: Bool { self == .pods || self == .sessions || self == .audience }
}
