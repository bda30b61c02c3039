import AdServing
import Foundation
import HLS
import HTTPTypes
import JSON
import NIOCore
import OriginServing
import TestSupport
import Testing

@testable import Origin

extension ServiceProbe {
    /// The path of a URL of this origin.
    func path(_ url: String?) throws -> String {
        let base = "http://127.0.0.1:8080"
        let url = try #require(url)
        #expect(url.hasPrefix(base), "absolute, as the client asked for it")
        return String(url.dropFirst(base.count))
    }

    func json(_ answer: Answer) throws -> TestJSON {
        #expect(answer.status == .ok && answer.fields[.contentType] == "application/json")
        return try TestJSON(Array(answer.body.readableBytesView))
    }
}

@Suite struct InterstitialServiceTests {
    /// Of the interstitial that starts ten seconds before the probe's instant.
    private static let list = "/interstitials/m-1795248720/assets.json?_HLS_interstitial_id=m-1795248720"

    private static func probe(_ setting: String = "", faults: String = "") throws -> ServiceProbe {
        try ServiceProbe(
            faults: faults,
            channel: "interstitials: [{id: 'm-{start}', every: 60s, assets: 3, assetDuration: 5s\(setting)}]"
        )
    }

    @Test func livePlaylistNamesAListWhoseAssetsPlay() throws {
        let probe = try Self.probe()
        for variant in ["360p", "180p"] {
            let playlist = try probe.media(probe.get("/live/main/\(variant)/media.m3u8"))
            let range = try #require(playlist.dateRanges.first { $0.id == "m-1795248720" })
            #expect(range.attributes["X-ASSET-LIST"] == .quoted(Self.list))
        }
        let answer = probe.get("\(Self.list)&_HLS_primary_id=p", viewer: 4)
        #expect(answer.fields[.cacheControl] == "no-store")
        let list = try probe.json(answer)
        #expect(list.keys == ["ASSETS"])
        let assets = list["ASSETS"]?.elements ?? []
        #expect(assets.compactMap { $0["DURATION"]?.number } == [5, 5, 5])
        for asset in assets {
            let manifest = try probe.multivariant(probe.get(try probe.path(asset["URI"]?.text), viewer: 4))
            #expect(manifest.variants.count == 2)
            for variant in manifest.variants {
                let playlist = try probe.media(probe.get(variant.uri, viewer: 4))
                #expect(playlist.hasEndList && playlist.playlistType == .vod)
                #expect(playlist.durationMicroseconds == 5_000_000)
                for segment in playlist.segments {
                    #expect(probe.get(playlist.uri(of: segment), viewer: 4).status == .ok)
                }
                let map = try #require(playlist.segments.first?.mapURI)
                #expect(probe.get(playlist.string(in: map), viewer: 4).status == .ok)
            }
        }
        let requests = probe.service.truth(at: probe.now).requests
        #expect(requests["asset_list"]?.received == 1 && requests["asset_manifest"]?.received == 3)
        #expect(requests["pod_playlist"]?.received == 6 && requests["pod_segment"]?.received == 6 * 3 + 6)
        #expect(requests["other"]?.received == 0)
    }

    @Test(arguments: [
        ("0", [5.0, 5, 5]), ("2.5", [2.5, 5, 5]), ("5", [5, 5]), ("7.25", [2.75, 5]), ("14.999", [0.001]), ("15", []),
        ("100", []),
    ])
    func listBeginsAtTheStartOffset(offset: String, durations: [Double]) throws {
        let probe = try Self.probe()
        let list = try probe.json(probe.get("\(Self.list)&_HLS_primary_id=p&_HLS_start_offset=\(offset)"))
        let assets = list["ASSETS"]?.elements ?? []
        #expect(assets.compactMap { $0["DURATION"]?.number } == durations)
        for (asset, duration) in zip(assets, durations) {
            let manifest = try probe.multivariant(probe.get(try probe.path(asset["URI"]?.text)))
            let playlist = try probe.media(probe.get(try #require(manifest.variants.first).uri))
            #expect(playlist.durationMicroseconds == Int64((duration * 1e6).rounded()))
        }
        let truth = probe.service.truth(at: probe.now).interstitials["m-1795248720"]
        #expect(truth?.startOffsets == [offset: 1])
    }

    @Test(arguments: ["x", "-1", "nan", "inf", "1e9", ""])
    func startOffsetThatIsNoneIsRefused(offset: String) throws {
        #expect(try Self.probe().get("\(Self.list)&_HLS_start_offset=\(offset)").status == .badRequest)
    }

    @Test func everybodyGetsTheSameAssetsUnlessContentVaries() throws {
        for (setting, isSame) in [("", true), (", contentMayVary: false", true), (", contentMayVary: true", false)] {
            let probe = try Self.probe(setting)
            let bodies = (0..<20).map { viewer in
                String(buffer: probe.get("\(Self.list)&_HLS_primary_id=p\(viewer)").body)
            }
            #expect((Set(bodies).count == 1) == isSame, "\(setting)")
            let again = (0..<20).map { viewer in
                String(buffer: probe.get("\(Self.list)&_HLS_primary_id=p\(viewer)").body)
            }
            #expect(bodies == again, "a session asks twice and gets the same")
        }
        let probe = try Self.probe()
        let next = Self.list.replacing("1795248720", with: "1795248780")
        let first = String(buffer: probe.get(Self.list).body)
        probe.now = probe.now + .seconds(60)
        let second = String(buffer: probe.get(next).body)
        #expect(first.replacing("1795248720", with: "") != second.replacing("1795248780", with: ""))
    }

    @Test func nothingIsAnsweredBeforeTheAnnouncementOrForUnknownIDs() throws {
        let probe = try Self.probe(", announce: 10s, preload: {length: 4s, ahead: 5s}")
        for (identifier, status) in [
            ("m-1795248720", 200), ("m-1795248780", 404), ("m-1795248721", 404), ("n-1795248720", 404), ("m-", 404),
        ] {
            #expect(probe.get("/interstitials/\(identifier)/assets.json").status.code == status, "\(identifier)")
        }
        probe.now = WallTime(microseconds: 1_795_248_765_000_000)
        #expect(probe.get("/interstitials/m-1795248780/assets.json").status == .ok, "15 s ahead: the preload range")
        probe.now = WallTime(microseconds: 1_795_248_764_999_000)
        #expect(probe.get("/interstitials/m-1795248780/assets.json").status == .notFound)
        for path in ["0/0123456789abcdef/asset.m3u8", "9/x/asset.m3u8", "0/x/360p.m3u8", "-1/x/asset.m3u8"] {
            #expect(probe.get("/interstitials/m-1795248720/\(path)").status == .notFound, "\(path)")
        }
    }

    @Test func singleAssetIsDecidedWhenItIsAskedFor() throws {
        let probe = try ServiceProbe(
            channel: "interstitials: [{id: 'u-{n}', every: 60s, delivery: uri, assetDuration: 7s}]"
        )
        let playlist = try probe.media(probe.get("/live/main/360p/media.m3u8"))
        let range = try #require(playlist.dateRanges.first { $0.attributes["X-ASSET-URI"] != nil })
        #expect(range.id == "u-\(1_795_248_720 / 60 + 1)")
        guard case .quoted(let uri) = range.attributes["X-ASSET-URI"] else { return }
        let port = probe.service.address.base
        #expect(uri.hasPrefix("\(port)/"), "absolute (bis-22 D.2)")
        let manifest = try probe.multivariant(probe.get(String(uri.dropFirst(port.count))))
        let media = try probe.media(probe.get(try #require(manifest.variants.first).uri))
        #expect(media.durationMicroseconds == 7_000_000)
    }

    @Test func skipControlAndSignallingStandInTheList() throws {
        let probe = try Self.probe(
            ", beacons: [list], skipControl: {offset: 2, duration: 4, label: skip_ad, in: list}"
        )
        let list = try probe.json(probe.get(Self.list))
        #expect(list.keys == ["ASSETS", "SKIP-CONTROL", "X-AD-CREATIVE-SIGNALING"])
        #expect(list["SKIP-CONTROL"]?["OFFSET"]?.number == 2)
        #expect(list["SKIP-CONTROL"]?["DURATION"]?.number == 4)
        #expect(list["SKIP-CONTROL"]?["LABEL-ID"]?.text == "skip_ad")
        let pod = list["X-AD-CREATIVE-SIGNALING"]
        #expect(pod?["version"]?.number == 2 && pod?["type"]?.text == "pod")
        #expect(pod?["payload"]?[0]?["duration"]?.number == 15)
        let events = pod?["payload"]?[0]?["tracking"]?.elements.compactMap { $0["type"]?.text }
        #expect(events == ["podStart", "podEnd"])
        let slot = list["ASSETS"]?[1]?["X-AD-CREATIVE-SIGNALING"]
        #expect(slot?["type"]?.text == "slot")
        let payload = slot?["payload"]?[0]
        #expect(payload?["type"]?.text == "linear" && payload?["start"]?.number == 5)
        let tracking = payload?["tracking"]?.elements ?? []
        #expect(
            tracking.compactMap { $0["type"]?.text } == [
                "impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "progress",
            ]
        )
        #expect(tracking.last?["offset"]?.number == 1)
        for event in tracking {
            let path = try probe.path(event["urls"]?[0]?.text)
            for viewer in UInt64(1)...3 { #expect(probe.get(path, viewer: viewer).status == .noContent) }
        }
        _ = probe.get("/interstitials/m-1795248720/beacon/1/impression", viewer: 2)
        for wrong in ["7/impression", "1/nothing", "x/impression"] {
            #expect(probe.get("/interstitials/m-1795248720/beacon/\(wrong)").status == .notFound)
        }
        let truth = try #require(probe.service.truth(at: probe.now).interstitials["m-1795248720"])
        #expect(truth.beacons["1/impression"] == 4 && truth.beacons["1/complete"] == 3)
        #expect(truth.repeatedBeacons == 1)
        #expect(probe.service.truth(at: probe.now).requests["beacon"]?.received == 25)
    }

    @Test func truthTellsWhoAskedForWhat() throws {
        let probe = try Self.probe()
        for viewer in UInt64(1)...4 { _ = probe.get("\(Self.list)&_HLS_primary_id=p", viewer: viewer) }
        let list = try probe.json(probe.get(Self.list, viewer: 4))
        let uri = try probe.path(list["ASSETS"]?[2]?["URI"]?.text)
        _ = probe.get("\(uri)?_HLS_primary_id=p", viewer: 4)
        _ = probe.get(uri, viewer: 5)
        let truth = try #require(probe.service.truth(at: probe.now).interstitials["m-1795248720"])
        #expect(truth.lists == 5 && truth.viewers == 5 && truth.withoutPrimary == 2)
        #expect(truth.assets == ["2": 2] && truth.startOffsets.isEmpty)
        let json = try probe.service.truth(at: probe.now).json()
        #expect(try GroundTruth(json: json).interstitials["m-1795248720"] == truth)
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.contains("\"without_primary\" : 2") && text.contains("\"start_offsets\""))
    }

    private static let faults: [(fault: String, status: Int, body: String?)] = [
        ("asset_list_status", 503, ""), ("asset_list_status, status: 404", 404, ""),
        ("asset_list_empty", 200, #"{"ASSETS":[]}"#), ("asset_list_garbage", 200, #"{"ASSETS": [{"URI": "#),
        ("error_status, kinds: [asset_list]", 503, ""), ("pod_mismatch, kinds: [asset_list]", 200, nil),
    ]

    @Test(arguments: faults)
    func listCanBeBrokenOnPurpose(fault: String, status: Int, body: String?) throws {
        let probe = try Self.probe(faults: "- {fault: \(fault)}")
        let answer = probe.get("\(Self.list)&_HLS_primary_id=p")
        #expect(answer.status.code == status)
        if let body { #expect(String(buffer: answer.body) == body) }
        #expect(String(buffer: answer.body) != String(buffer: try Self.probe().get(Self.list).body))
        #expect(probe.service.truth(at: probe.now).requests["asset_list"]?.faulted == 1)
        #expect(probe.get("/live/main/360p/media.m3u8").status == .ok)
    }

    @Test func oneAssetOfAListCanFail() throws {
        let probe = try Self.probe(faults: "- {fault: asset_failed, asset: 1}")
        let list = try probe.json(probe.get(Self.list))
        let statuses = try (list["ASSETS"]?.elements ?? []).map { asset in
            probe.get(try probe.path(asset["URI"]?.text)).status.code
        }
        #expect(statuses == [200, 404, 200])
        #expect(probe.service.truth(at: probe.now).faults == ["asset_failed": 1])
    }

    @Test func faultKeepsToTheInterstitialThatIsItsBreak() throws {
        let probe = try Self.probe(faults: "- {fault: asset_list_status, breaks: [2]}")
        // The origin started at 08:11:50: the one at 08:12:00 is the first.
        #expect(probe.get(Self.list).status == .ok)
        probe.now = probe.now + .seconds(50)
        #expect(probe.get(Self.list).status == .ok, "also when the next one is near")
        #expect(probe.get(Self.list.replacing("8720", with: "8780")).status == .serviceUnavailable)
    }

    @Test func pathsAreReadWithoutATrap() {
        let seed: UInt64 = 31
        var generator = SeededGenerator(seed: seed)
        for path in [
            Self.list, "/interstitials/a/0/t/asset.m3u8", "/interstitials/media/360p/c/3.mp4",
            "/interstitials/a/beacon/0/start", "/v1/master/a/b/index.m3u8", "/v1/i-media/a/b/360p.m3u8",
            "/v1/interstitials/a/b/c.json", "/proxied/live/main/360p/media.m3u8", "/templates/pod/x.m3u8",
            "/templates/content/s/index.m3u8", "/live/main/360p/stitched/1/0-a/3.m4s",
        ] {
            for _ in 0..<100 {
                var bytes = Array(path.utf8)
                for _ in 0..<3 {
                    bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 33...126, using: &generator)
                }
                let text = String(decoding: bytes.prefix(.random(in: 0...80, using: &generator)), as: UTF8.self)
                _ = InterstitialPaths.route(text)
                _ = TargetRoute.route(text)
            }
        }
    }
}

/// The one thing that only a listening origin knows: its own address.
@Suite struct InterstitialServerTests {
    @Test func absoluteURIsOfLivePlaylistsLeadBackToTheOrigin() async throws {
        try await withOrigin(channel: "interstitials: [{cue: [pre], id: first, delivery: uri}]") { server, port in
            let client = RawClient(port: port)
            let playlist = try await client.get("/live/main/360p/media.m3u8")
            let base = "http://127.0.0.1:\(port)"
            let path = "/interstitials/first/asset.m3u8?_HLS_interstitial_id=first"
            #expect(playlist.contains("X-ASSET-URI=\"\(base)\(path)\""))
            let asset = try await client.get("\(path)&_HLS_primary_id=p")
            #expect(asset.hasPrefix("HTTP/1.1 200 OK\r\n") && asset.contains("#EXT-X-STREAM-INF:"))
            let truth = server.groundTruth()
            #expect(truth.requests["asset_manifest"]?.received == 1)
            #expect(truth.interstitials["first"]?.viewers == 1)
        }
    }

    @Test func planThatComesWithPodswarmIsReadAndMeetsEverythingInTwoMinutes() throws {
        let plan = try ChannelPlan.read(try PackageFolder.text("Profiles/channels/interstitials.yaml"))
        #expect(plan.interstitials.map(\.id.text).count == 4)
        let now = WallTime(microseconds: 1_795_248_730_000_000)
        for second in 0..<90 {
            let run = now + .seconds(second)
            // Joined within ten seconds, and left to see each break end.
            let watched = run + .seconds(10)..<run + .seconds(120 - 20)
            for script in plan.interstitials where script.schedule != nil {
                #expect(!script.occasions(in: watched).isEmpty, "\(script.id.text) from second \(second)")
            }
        }
    }
}
