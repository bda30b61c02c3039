import AdServing
import HLS
import LoadProfile
import Testing

@testable import Audience
@testable import Audit
@testable import Swarm
@testable import Viewer

// Asset lists and what they list.
extension PodFindingTests {
    private static let url = "http://127.0.0.1:8080/list.json"

    /// What is found in the answer to an asset list.
    private func found(_ body: String, isTrimmed: Bool = false, _ codes: [String]) async throws {
        try await Self.atBreak { scripted in
            let viewer = scripted.crowd.viewers[0]
            let subject = try Self.subject(of: viewer, isTrimmed: isTrimmed)
            do {
                let list = try AssetList(parsing: Array(body.utf8))
                scripted.examine(.list(list), by: AssetListCheck(), url: Self.url, subject)
            } catch let error as AssetListError {
                scripted.examine(.noList(error), by: AssetListCheck(), url: Self.url, subject)
            }
            #expect(scripted.codes == codes)
        }
    }

    private static func subject(of viewer: ViewerSlot, isTrimmed: Bool = false, asset: AssetSubject? = nil) throws
        -> AuditSubject
    {
        AuditSubject(
            facts: BreakSubject(
                planned: try #require(viewer.planned),
                isSameForAll: true,
                isTrimmed: isTrimmed,
                isNearlyOver: isTrimmed,
                isAssetList: true
            ),
            slot: viewer.breakSlot,
            asset: asset
        )
    }

    private static let good = #"{"ASSETS":[{"URI":"http://h/a.m3u8","DURATION":5}]}"#

    @Test func assetListEmpty() async throws {
        try await found(Self.good, [])
        try await found(#"{"ASSETS":[]}"#, ["asset_list_empty"])
        // A viewer that joins at the end has nothing left to play.
        try await found(#"{"ASSETS":[]}"#, isTrimmed: true, [])
    }

    @Test func assetListInvalid() async throws {
        try await found(#"{"ASSETS": [{"URI": "#, ["asset_list_invalid"])
        try await found("<VAST/>", ["asset_list_invalid"])
        try await found(#"{"ASSETS":[{"DURATION":5}]}"#, ["asset_list_invalid"])
        try await found(#"{"ASSETS":[{"URI":"http://h/a.m3u8","DURATION":5,"X-NEW":1}],"X-OTHER":{}}"#, [])
    }

    @Test func assetDurationMissing() async throws {
        try await found(#"{"ASSETS":[{"URI":"http://h/a.m3u8"}]}"#, ["asset_duration_missing"])
        try await found(#"{"ASSETS":[{"URI":"http://h/a.m3u8","DURATION":"soon"}]}"#, ["asset_duration_missing"])
        try await found(#"{"ASSETS":[{"URI":"http://h/a.m3u8","DURATION":"00:00:05"}]}"#, ["asset_duration_missing"])
        try await found(#"{"ASSETS":[{"URI":"http://h/a.m3u8","DURATION":"12.5"}]}"#, [])
        try await found(#"{"ASSETS":[{"URI":"http://h/a.m3u8","DURATION":null}]}"#, ["asset_duration_missing"])
        try await found(#"{"ASSETS":[{"URI":"http://h/a.m3u8","DURATION":5.25}]}"#, [])
    }

    @Test func aListOfSlateIsSlateOnly() async throws {
        try await found(#"{"ASSETS":[{"URI":"http://h/slate/a.m3u8","DURATION":5}]}"#, ["slate_only"])
        let mixed = #"{"URI":"http://h/a.m3u8","DURATION":5},{"URI":"http://h/slate/a.m3u8","DURATION":5}"#
        try await found("{\"ASSETS\":[\(mixed)]}", [])
    }

    @Test(
        arguments: [
            ([5.0], Duration.seconds(5), []), ([5.05], .seconds(5), []), ([5], .seconds(7), ["asset_duration_wrong"]),
            ([5], .milliseconds(5), ["asset_duration_wrong"]), ([], .seconds(5), ["empty_pod"]),
        ] as [([Double], Duration, [String])]
    )
    func assetDurationWrong(seconds: [Double], listed: Duration, codes: [String]) async throws {
        try await Self.atBreak { scripted in
            let viewer = scripted.crowd.viewers[0]
            let url = "http://127.0.0.1:8080/a.m3u8"
            let pod = LoadedPod(try .parsed(Self.pod(seconds)), url: url)
            let asset = AssetSubject(uri: url, listedDuration: listed)
            let subject = try Self.subject(of: viewer, asset: asset)
            scripted.examine(.asset(.media(pod)), by: PodContentCheck(), role: .podPlaylist, url: url, subject)
            #expect(scripted.codes == codes)
        }
    }
}
