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

/// Findings about renditions of pods, asset lists and names of breaks; those of pods are cases of `pods`.
@Suite struct PodFindingTests {
    /// Viewers that have just asked for their first pod.
    static func atBreak(_ viewers: Int = 1, _ plan: LoadPlan = .forTests()) -> ScriptedCrowd {
        let crowd = ScriptedCrowd.allWatching(plan, viewers: viewers)
        for index in 0..<viewers { #expect(crowd.fire(.breakFetch, of: index)) }
        return crowd
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
    /// Checks content that a request of a viewer's break would have been answered with.
    fileprivate func examine(
        role: ViewerRole = .assetList,
        url: String = "http://127.0.0.1:8080/list.json",
        viewer index: Int = 0,
        _ subject: BreakSubject,
        _ check: (borrowing BreakExamination) -> Void
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
            viewer: AuditedViewer(facts: viewer.machine, record: viewer.record, context: crowd.auditor.context),
            checks: crowd.auditor.checks,
            breakSlot: viewer.breakSlot
        )
        check(BreakExamination(examination: examination, subject: subject))
    }

    fileprivate func subject(
        of index: Int = 0,
        isTrimmed: Bool = false,
        isAssetList: Bool = true,
        longestContent: Duration? = nil,
        asset: Asset? = nil
    ) throws -> BreakSubject {
        BreakSubject(
            planned: try #require(slot(index).planned),
            isSameForAll: true,
            isTrimmed: isTrimmed,
            isNearlyOver: isTrimmed,
            isAssetList: isAssetList,
            longestContent: longestContent,
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
            let media = try MediaPlaylist.parsed(text + "#EXT-X-ENDLIST\n")
            let subject = try subject(of: index, isAssetList: false)
            examine(role: .podPlaylist, url: "http://127.0.0.1:8080/\(index).m3u8", viewer: index, subject) {
                $0.checkPod(media)
            }
        }
    }
}

extension PodFindingTests {
    private func found(_ body: String, isTrimmed: Bool = false) throws -> [String] {
        let viewer = Self.atBreak()
        let subject = try viewer.subject(isTrimmed: isTrimmed)
        let bytes = Array(body.utf8)
        do {
            let list = try AssetList(parsing: bytes)
            viewer.examine(subject) { $0.checkAssetList(list) }
        } catch {
            let violation = bytes.withUnsafeBytes { AssetListChecks.violation(of: error, in: $0) }
            viewer.examine(subject) { $0.examination.found([violation]) }
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
        let subject = try viewer.subject(asset: Asset(.interstitial, uri: url, listedDuration: .seconds(5)))
        viewer.examine(role: .assetManifest, url: url, subject) { $0.checkAsset(pod) }
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
        viewer.examine(subject) { $0.checkAssetList(list) }
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
        let subject = try viewer.subject(asset: Asset(.interstitial, uri: url, listedDuration: listed))
        viewer.examine(role: .podPlaylist, url: url, subject) { $0.checkAsset(pod) }
        #expect(viewer.codes == codes)
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
        for viewer in 0..<2 { recorder.podRequested(slot, identifier: "pod/7", viewer: viewer, wallMicroseconds: 0) }
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
