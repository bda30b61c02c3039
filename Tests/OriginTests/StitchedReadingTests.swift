import HLS
import HTTPTypes
import NIOCore
import Testing

@testable import Origin

/// What the client's own reader makes of the breaks that the origin stitches in.
@Suite struct StitchedReadingTests {
    private static let start = WallTime(microseconds: 1_795_248_720_000_000)

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
