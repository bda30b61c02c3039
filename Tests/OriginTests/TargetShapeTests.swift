import AdServing
import HLS
import HTTPTypes
import NIOCore
import Testing

@testable import Origin

@Suite struct TargetShapeTests {
    private static func absolute(_ uri: String) -> Bool { uri.hasPrefix("/") }

    /// What each service's interstitials are called in a media playlist, after asking for the list of the first.
    private static func interstitials(_ probe: ServiceProbe, _ path: String) throws -> [DateRange] {
        let playlist = try probe.media(probe.get(path))
        #expect(playlist.segments.count == 10)
        for segment in playlist.segments {
            #expect(absolute(playlist.uri(of: segment)))
            #expect(probe.get(playlist.uri(of: segment)).status == .ok)
        }
        #expect(playlist.dateRanges.allSatisfy { $0.classAttribute == "com.apple.hls.interstitial" })
        return playlist.dateRanges
    }

    private static func list(_ range: DateRange) throws -> String {
        guard case .quoted(let uri) = range.attributes["X-ASSET-LIST"] else {
            throw ClipError(description: "no X-ASSET-LIST")
        }
        return uri
    }

    @Test func implicitGuidedSessionSharesItsMediaPlaylists() throws {
        let probe = try ServiceProbe()
        let master = "/v1/master/111122223333/live/index.m3u8"
        #expect(probe.get(master).status == .badRequest, "stitched insertion is not served")
        let manifest = try probe.multivariant(probe.get("\(master)?aws.insertionMode=GUIDED"))
        #expect(
            manifest.variants.map(\.uri) == [
                "/v1/i-media/111122223333/live/360p.m3u8", "/v1/i-media/111122223333/live/180p.m3u8",
            ]
        )
        let ranges = try Self.interstitials(probe, manifest.variants[0].uri)
        let preRoll = try #require(ranges.first)
        #expect(preRoll.id == "aws-mediatailor-preroll-1" && preRoll.cue == [.pre, .once])
        #expect(preRoll.startDate == WallTime(microseconds: 0))
        #expect(ranges.dropFirst().map(\.id) == ["avail-1795248720"])
        for range in ranges {
            let list = try Self.list(range)
            #expect(list.hasPrefix("/v1/interstitials/111122223333/live/\(range.id)"))
            let assets = try probe.json(probe.get(list))["ASSETS"]?.elements ?? []
            let length = assets.compactMap { $0["DURATION"]?.number }.reduce(0, +)
            #expect(length == (range == preRoll ? 10 : 30))
            #expect(probe.get(try probe.path(assets.first?["URI"]?.text)).status == .ok)
        }
        #expect(probe.get("/v1/interstitials/1/live/avail-1.json").status == .notFound)
        let received = probe.service.truth(at: probe.now).requests.mapValues(\.received).filter { $0.value > 0 }
        #expect(received == ["multivariant": 2, "playlist": 1, "segment": 10, "asset_list": 3, "asset_manifest": 2])
    }

    @Test func explicitGuidedSessionExpires() throws {
        let probe = try ServiceProbe { $0.sessionValidity = .seconds(30) }
        let session = "/v1/session/111122223333/live/index.m3u8"
        #expect(probe.post(session, body: "{}", isJSON: true).status == .badRequest)
        #expect(probe.post(session, body: "{\"insertionMode\":\"STITCHED\"}", isJSON: true).status == .badRequest)
        #expect(probe.get(session).status == .methodNotAllowed)
        let body = "{\"insertionMode\":\"GUIDED\",\"adsParams\":{\"a\":\"b\"}}"
        let answer = try probe.json(probe.post(session, body: body, isJSON: true))
        #expect(answer.keys == ["manifestUrl"])
        let master = try #require(answer["manifestUrl"]?.text)
        #expect(master.hasPrefix("/v1/master/111122223333/live/index.m3u8?aws.sessionId="))
        let manifest = try probe.multivariant(probe.get(master))
        let media = try #require(manifest.variants.first).uri
        #expect(media.contains("?aws.sessionId="))
        #expect(try Self.interstitials(probe, media).count == 2)
        probe.now = probe.now + .seconds(30)
        #expect(probe.get(media).status == .badRequest && probe.get(master).status == .badRequest)
        #expect(probe.get("/v1/i-media/1/live/360p.m3u8?aws.sessionId=unknown").status == .badRequest)
        #expect(probe.get("/v1/i-media/1/live/90p.m3u8").status == .notFound)
        let prefetch = "/v1/master/1/live/index.m3u8?aws.insertionMode=GUIDED&aws.guidedPrefetchMode=MANIFEST"
        let own = try probe.multivariant(probe.get(prefetch))
        #expect(own.variants.allSatisfy { $0.uri.contains("?aws.sessionId=") })
        #expect(probe.service.truth(at: probe.now).sessions.registered == 2)
    }

    /// What the client makes of it, and that each beacon is one that the origin knows.
    @Test(arguments: [true, false]) func sessionsThatReportThemselvesAreToldWhatToSend(isExplicit: Bool) throws {
        let probe = try ServiceProbe()
        var master = "/v1/master/a/live/index.m3u8?aws.insertionMode=GUIDED&aws.reportingMode=CLIENT"
        if isExplicit {
            let body = "{\"insertionMode\":\"GUIDED\",\"reportingMode\":\"client\"}"
            let answer = try probe.json(probe.post("/v1/session/a/live/index.m3u8", body: body, isJSON: true))
            #expect(answer.keys == ["manifestUrl"], "a guided session has no tracking URL")
            master = try #require(answer["manifestUrl"]?.text)
        }
        let media = try #require(try probe.multivariant(probe.get(master)).variants.first).uri
        #expect(media.contains("aws.sessionId=") == isExplicit)
        let range = try #require(try Self.interstitials(probe, media).last)
        let url = try Self.list(range)
        let list = try AssetList(parsing: Array(probe.get(url).body.readableBytesView))
        #expect(list.assets.count == 3 && list.signaling == nil)
        for asset in list.assets {
            let events = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
            #expect(asset.beacons.map(\.event) == events)
            #expect(asset.beacons.map(\.offset) == [0, 0, 2.5, 5, 7.5, 10].map { .seconds($0) })
            for beacon in asset.beacons { #expect(probe.get(try probe.path(beacon.url)).status == .noContent) }
        }
        #expect(Set(list.assets.flatMap(\.beacons).map(\.url)).count == 18)
        let later = try AssetList(parsing: Array(probe.get("\(url)&_HLS_start_offset=14").body.readableBytesView))
        #expect(later.assets.map(\.duration) == [.seconds(6), .seconds(10)])
        #expect(later.assets.map { $0.beacons.map(\.event) }[0] == ["midpoint", "thirdQuartile", "complete"])
        #expect(later.assets[0].beacons.map(\.offset) == [1, 3.5, 6].map { .seconds($0) })
        let silent = url.replacing("&aws.reportingMode=CLIENT", with: "")
        #expect(try probe.json(probe.get(silent))["TRACKING"] == nil)
    }

    @Test func commandedBreakIsListedByTheProxy() throws {
        let probe = try ServiceProbe { $0.breakInterval = .zero }
        let manifest = try probe.multivariant(probe.get("/proxied/live/main/multivariant.m3u8"))
        let media = try #require(manifest.variants.first).uri
        #expect(media == "/proxied/live/main/360p/media.m3u8")
        #expect(try Self.interstitials(probe, media).isEmpty)
        for wrong in ["", "?in=1", "?in=1&dur=10", "?in=x&dur=10&pod=1", "?in=1&dur=0&pod=1", "?in=-1&dur=1&pod=1"] {
            #expect(probe.get("/command\(wrong)").status == .badRequest)
        }
        #expect(probe.get("/command?in=5&dur=20&pod=2").status == .ok)
        let range = try #require(try Self.interstitials(probe, media).first)
        #expect(range.id == "ad_slot0" && range.startDate == probe.now + .seconds(5))
        #expect(range.duration == .seconds(20))
        #expect(range.attributes["X-RESUME-OFFSET"] == .number("20"))
        #expect(range.attributes["X-RESTRICT"] == .quoted("SKIP,JUMP"))
        #expect(range.attributes["X-SNAP"] == .quoted("IN"))
        let list = try Self.list(range)
        let base = probe.service.address.base
        #expect(list == "\(base)/interstitials.m3u8?_HLS_interstitial_id=ad_slot0")
        let answer = try probe.json(probe.get(String(list.dropFirst(base.count)) + "&_HLS_primary_id=p"))
        #expect(answer["ASSETS"]?.elements.compactMap { $0["DURATION"]?.number } == [10, 10])
        #expect(answer["X-AD-CREATIVE-SIGNALING"]?["payload"]?["duration"]?.number == 20)
        #expect(
            answer["ASSETS"]?[1]?["X-AD-CREATIVE-SIGNALING"]?["payload"]?["tracking"]?[0]?["type"]?.text == "impression"
        )
        for unknown in ["/interstitials.m3u8", "/interstitials.m3u8?_HLS_interstitial_id=ad_slot7"] {
            #expect(probe.get(unknown).status == .notFound)
        }
        let slots = try probe.json(probe.get("/status"))["slots"]
        #expect(slots?.count == 1 && slots?[0]?["pod_num"]?.number == 2)
        let requests = probe.service.truth(at: probe.now).requests
        #expect(requests["asset_list"]?.received == 3 && requests["other"]?.received == 0)
    }

    @Test func templatesNameSessionContentAndPod() throws {
        let probe = try ServiceProbe { $0.sessionValidity = .seconds(60) }
        for answer in [probe.get("/templates/session?viewer=7"), probe.post("/templates/session")] {
            let session = try #require(try probe.json(answer)["session"]?["id"]?.text)
            let encoded = StreamID(session).percentEncoded
            let manifest = try probe.multivariant(probe.get("/templates/content/\(encoded)/index.m3u8"))
            #expect(manifest.variants.map(\.uri).first == "/live/main/360p/media.m3u8")
            let pod = "/templates/pod/break-3.m3u8?session=\(encoded)&duration_ms=25000&start=1"
            let variant = try #require(try probe.multivariant(probe.get(pod)).variants.first)
            #expect(try probe.media(probe.get(variant.uri)).durationMicroseconds == 25_000_000)
        }
        #expect(probe.get("/templates/content/index.m3u8").status == .ok)
        #expect(probe.get("/templates/content/unknown/index.m3u8").status == .notFound)
        #expect(probe.get("/templates/pod/x.m3u8?duration_ms=1000").status == .badRequest)
        let session = try #require(try probe.json(probe.get("/templates/session"))["session"]?["id"]?.text)
        probe.now = probe.now + .seconds(60)
        #expect(probe.get("/templates/content/\(session)/index.m3u8").status == .gone)
        let received = probe.service.truth(at: probe.now).requests.mapValues(\.received).filter { $0.value > 0 }
        #expect(received == ["registration": 3, "multivariant": 5, "pod_manifest": 3, "pod_playlist": 2])
    }

    @Test func sessionsCanLackTheirIDs() throws {
        let probe = try ServiceProbe(faults: "- {fault: registration_without_stream_id}")
        let tailor = probe.post("/v1/session/a/b/index.m3u8", body: "{\"insertionMode\":\"GUIDED\"}", isJSON: true)
        #expect(try probe.json(tailor).keys.isEmpty)
        #expect(try probe.json(probe.get("/templates/session"))["session"]?.keys == [])
        #expect(probe.service.truth(at: probe.now).faults == ["registration_without_stream_id": 2])
    }
}
