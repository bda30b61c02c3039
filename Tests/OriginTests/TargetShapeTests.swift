import AdServing
import HLS
import HTTPTypes
import NIOCore
import Profile
import Testing

@testable import Origin

@Suite struct TargetShapeTests {
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
        let playlist = try probe.media(probe.get(media))
        #expect(playlist.segments.count == 10)
        for address in playlist.segments.map(playlist.uri(of:)) {
            #expect(address.hasPrefix("/") && probe.get(address).status == .ok)
        }
        #expect(playlist.dateRanges.allSatisfy { $0.classAttribute == "com.apple.hls.interstitial" })
        guard case .quoted(let url) = playlist.dateRanges.last?.attributes["X-ASSET-LIST"] else {
            throw ClipError(description: "no X-ASSET-LIST")
        }
        let list = try probe.assetList(url)
        #expect(list.assets.count == 3 && list.signaling == nil)
        for asset in list.assets {
            let events = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
            #expect(asset.beacons.map(\.event) == events)
            #expect(asset.beacons.map(\.offset) == [0, 0, 2.5, 5, 7.5, 10].map { .seconds($0) })
            for beacon in asset.beacons { #expect(probe.get(try probe.path(beacon.url)).status == .noContent) }
        }
        #expect(Set(list.assets.flatMap(\.beacons).map(\.url)).count == 18)
        let later = try probe.assetList("\(url)&_HLS_start_offset=14")
        #expect(later.assets.map(\.duration) == [.seconds(6), .seconds(10)])
        #expect(later.assets.map { $0.beacons.map(\.event) }[0] == ["midpoint", "thirdQuartile", "complete"])
        #expect(later.assets[0].beacons.map(\.offset) == [1, 3.5, 6].map { .seconds($0) })
        let silent = url.replacing("&aws.reportingMode=CLIENT", with: "")
        #expect(try probe.json(probe.get(silent))["TRACKING"] == nil)
    }

    /// Avails are those of the window, and each beacon is one that the origin knows.
    @Test func aStitchedSessionIsToldItsAvailsByItsTrackingURL() throws {
        let channel = "stitched: {every: 120s, duration: 20s, adDuration: 8s}"
        let probe = try ServiceProbe(channel: channel) { $0.announcesBreaks = false }
        probe.service.listens(on: 8080)
        let session = try probe.json(probe.post("/v1/session/a/live/index.m3u8", body: "{}", isJSON: true))
        let tracking = try #require(session["trackingUrl"]?.text)
        let master = try #require(session["manifestUrl"]?.text)
        let media = try #require(try probe.multivariant(probe.get(master)).variants.first).uri
        let first = try #require(try probe.media(probe.get(media)).segments.first?.programDate)
        let answer = probe.get(tracking)
        #expect(answer.fields[.contentType] == "application/json")
        let body = Array(answer.body.readableBytesView)
        let avails = try #require(body.withUnsafeBytes { AvailTracking.list(in: $0) }).avails
        let avail = try #require(avails.first)
        #expect(avails.count == 1 && avail.adCount == 3)
        #expect(avail.programDate == first + avail.start)
        let beacons = avail.beacons(ofAdsFrom: 0)
        #expect(beacons.count == 18 && beacons.last?.offset == .seconds(20))
        for beacon in beacons { #expect(probe.get(try probe.path(beacon.url)).status == .noContent) }
        probe.now = probe.now + probe.service.configuration.sessionValidity
        for path in [tracking, master, media] { #expect(probe.get(path).status == .badRequest) }
    }
}
