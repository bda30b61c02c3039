import AdServing
import HLS
import HTTPTypes
import NIOCore
import Testing

@testable import Origin

/// What the client's own readers make of what the origin writes.
@Suite struct ClientReadingTests {
    private static let base = "http://127.0.0.1:8080/live/main/360p/media.m3u8"
    private static let start = WallTime(microseconds: 1_795_248_720_000_000)

    @Test func scheduledInterstitialsAreReadWithEveryAttribute() throws {
        let probe = try ServiceProbe(
            channel: """
                interstitials:
                  - id: full-{start}
                    every: 60s
                    assetDuration: [4s, 6s]
                    resumeOffset: 2500ms
                    playoutLimit: 9s
                    restrict: [skip, jump]
                    snap: [out, in]
                    cue: once
                    contentMayVary: false
                    timelineOccupies: range
                    timelineStyle: primary
                    skipControl: {offset: 3, duration: 4, label: skip-ad}
                    preload: {length: 6s}
                    beacons: [tag]
                  - {id: 'odd-{start}', every: 60s, oddities: true, duration: planned}
                  - {id: 'uri-{start}', every: 60s, delivery: uri, duration: none, resumeOffset: 0s}
                """
        ) { $0.announceBreaks = false }
        let playlist = try probe.media(probe.get("/live/main/360p/media.m3u8"))
        let all = playlist.interstitials(base: Self.base).filter { $0.startDate == Self.start }
        #expect(all.map(\.id) == ["full-1795248720", "odd-1795248720", "uri-1795248720"])
        let full = try #require(all.first)
        #expect(
            full.content
                == .assetList(
                    uri: "http://127.0.0.1:8080/interstitials/full-1795248720/assets.json"
                        + "?_HLS_interstitial_id=full-1795248720"
                )
        )
        #expect(full.duration == .seconds(10) && full.playoutLimit == .seconds(9))
        #expect(full.resumeOffset == .milliseconds(2_500))
        #expect(full.restrictions == [.skip, .jump] && full.snap == [.out, .in] && full.cue == [.once])
        #expect(!full.contentMayVary && full.timelineOccupies == .range && full.timelineStyle == .primary)
        #expect(full.skipControl == SkipControl(offsetSeconds: 3, durationSeconds: 4, labelID: "skip-ad"))
        let signaling = try #require(full.creativeSignaling.flatMap(CreativeSignaling.init(attribute:)))
        let beacons = signaling.beacons(total: .seconds(10))
        #expect(beacons.count == 2 + 2 * 7)
        #expect(beacons.first?.event == "podStart" && beacons.last?.event == "podEnd")
        #expect(beacons.first { $0.url.hasSuffix("/1/midpoint") }?.offset == .seconds(7))
        let odd = all[1]
        #expect(odd.contentMayVary && odd.timelineOccupies == .point && odd.timelineStyle == .highlight)
        #expect(odd.restrictions == [] && odd.snap == [] && odd.plannedDuration == .seconds(10))
        #expect(odd.userAttributes["X-COM-EXAMPLE-UNKNOWN"] != nil)
        #expect(
            all[2].content
                == .asset(
                    uri: "\(probe.service.address.base)/interstitials/uri-1795248720/asset.m3u8"
                        + "?_HLS_interstitial_id=uri-1795248720"
                )
        )
        #expect(all[2].resumeOffset == .zero && all[2].announcedDuration == nil)
        probe.now = Self.start + .seconds(52)
        let later = try probe.media(probe.get("/live/main/360p/media.m3u8"))
        let preload = try #require(later.preloads(base: Self.base).first)
        let target = try #require(later.interstitials(base: Self.base).first { $0.id == preload.targetID })
        #expect(preload.match(target) == .matches)
        #expect(preload.endDate == target.startDate)
    }

    @Test func assetListIsReadWithItsBeacons() throws {
        let probe = try ServiceProbe(
            channel: """
                interstitials:
                  - id: m-{start}
                    every: 60s
                    assets: 2
                    assetDuration: 8s
                    skipControl: {offset: 2, label: skip, in: list}
                    beacons: [list]
                """
        )
        let body = Array(probe.get("/interstitials/m-1795248720/assets.json").body.readableBytesView)
        let list = try AssetList(parsing: body)
        #expect(list.duration == .seconds(16) && list.assets.count == 2)
        #expect(list.skipControl == SkipControl(offsetSeconds: 2, durationSeconds: nil, labelID: "skip"))
        #expect(list.signaling?.kind == .pod)
        #expect(list.signaling?.beacons(total: list.duration).map(\.offset) == [.zero, .seconds(16)])
        for asset in list.assets {
            let beacons = try #require(asset.signaling).beacons(total: asset.duration)
            #expect(beacons.count == 7)
            for beacon in beacons { #expect(probe.get(try probe.path(beacon.url), viewer: 1).status == .noContent) }
        }
        let garbage = try ServiceProbe(
            faults: "- {fault: asset_list_garbage}",
            channel: "interstitials: [{id: 'm-{start}', every: 60s}]"
        )
        let answer = garbage.get("/interstitials/m-1795248720/assets.json")
        #expect(throws: AssetListError.self) { try AssetList(parsing: Array(answer.body.readableBytesView)) }
    }

    @Test(arguments: StitchedPlan.Dialect.allCases)
    func stitchedBreaksAreRecognisedInEveryDialect(dialect: StitchedPlan.Dialect) throws {
        let probe = try ServiceProbe(
            channel: "stitched: {every: 60s, duration: 20s, adDuration: 8s, dialect: \(dialect.rawValue)}"
        )
        var breaks = StitchedBreaks()
        var ended: [StitchedBreak] = []
        for step in 0..<150 {
            probe.now = Self.start + .seconds(step) - .seconds(10)
            breaks.read(try probe.media(probe.get("/live/main/360p/media.m3u8")))
            for found in breaks.breaks where found.isEnded && !ended.contains(where: { $0.key == found.key }) {
                ended.append(found)
            }
        }
        #expect(ended.map(\.startDate) == [Self.start, Self.start + .seconds(60)], "no other break is seen")
        for found in ended {
            // In these two the length is only in the splice.
            let isTold = ![.scte35, .splicepoint].contains(dialect)
            if isTold { #expect(found.plannedDuration == .seconds(20)) }
            #expect(found.listedDuration == .seconds(20) && found.segments.count == 10)
            #expect(found.segments.allSatisfy { $0.uri.hasPrefix("stitched/") })
            #expect(Set(found.segments.map(\.discontinuitySequence)).count == 3)
            #expect(found.endDate == found.startDate.map { $0 + .seconds(20) })
            #expect(!found.isJoinedInTheMiddle)
        }
    }
}

@Suite struct StitchedLowLatencyTests {
    private static let start = WallTime(microseconds: 1_795_248_720_000_000)

    @Test func partsOfAdsComeWithTheirDiscontinuity() throws {
        let probe = try ServiceProbe(
            channel: """
                lowLatency: {partDuration: 500ms}
                renditions: {audio: [en], subtitles: [en]}
                stitched: {every: 120s, duration: 20s, adDuration: 8s}
                """
        )
        for rendition in ["360p", "audio-en"] {
            probe.now = Self.start + .milliseconds(1_200)
            let folder = "/live/main/\(rendition)"
            let answer = probe.get("\(folder)/media.m3u8")
            let playlist = try probe.media(answer)
            let trailing = playlist.parts.filter { $0.segmentIndex == playlist.segments.count }
            #expect(trailing.count == 2)
            let text = String(buffer: answer.body)
            let lines = text.split(separator: "\n").map(String.init)
            let first = try #require(lines.firstIndex { $0.contains("stitched/") && $0.hasPrefix("#EXT-X-PART:") })
            #expect(lines[first - 3] == "#EXT-X-DISCONTINUITY" && lines[first - 4] == "#EXT-X-CUE-OUT:20")
            #expect(lines[first - 1].hasPrefix("#EXT-X-MAP:URI=\"stitched/"))
            for part in trailing {
                let part = probe.get("\(folder)/\(playlist.string(in: part.uri))")
                #expect(part.status == .ok && part.body.readableBytes > 100)
            }
            let hint = try #require(playlist.preloadHints.first)
            let path = "\(folder)/\(playlist.string(in: hint.uri))"
            #expect(probe.get(path).status == .notFound, "not there yet")
            let release = probe.service.release(of: probe.exchange(path))
            #expect(release == Self.start + .milliseconds(1_500), "it is waited for")
            probe.now = Self.start + .seconds(4)
            let next = try probe.media(probe.get("\(folder)/media.m3u8"))
            let ad = try #require(next.segments.last { next.uri(of: $0).hasPrefix("stitched/") })
            let whole = probe.get("\(folder)/\(next.uri(of: ad))")
            let parts = next.parts.filter { next.string(in: $0.uri).hasPrefix(next.uri(of: ad).dropLast(3)) }
            #expect(parts.count == 4)
            let sizes = parts.map { probe.get("\(folder)/\(next.string(in: $0.uri))").body.readableBytes }
            #expect(sizes.reduce(0, +) == whole.body.readableBytes && whole.status == .ok)
            #expect(next.isUpdate(of: playlist))
        }
        let text = try probe.media(probe.get("/live/main/subtitles-en/media.m3u8"))
        let video = try probe.media(probe.get("/live/main/360p/media.m3u8"))
        #expect(text.segments.map(\.discontinuitySequence) == video.segments.map(\.discontinuitySequence))
        #expect(probe.service.truth(at: probe.now).requests["part"]?.received == 14 + 2)
    }
}
