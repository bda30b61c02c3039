import Foundation
import HLS
import HTTPTypes
import NIOCore
import Profile
import TestSupport
import Testing

@testable import Origin

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
///
/// Over sockets, because nothing else has an address of its own.
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
