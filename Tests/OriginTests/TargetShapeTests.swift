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
}
