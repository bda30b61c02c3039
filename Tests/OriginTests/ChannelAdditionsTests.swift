import HLS
import Testing

@testable import Origin

/// What is put into the channel from elsewhere goes together with everything that the channel does itself.
@Suite struct ChannelAdditionsTests {
    /// Every tenth segment is an ad's, with a tag and discontinuities around it; a date range goes with each.
    private struct Ads: ChannelAdditions {
        func dateRanges(in version: ListedWindow) -> [DateRange] {
            version.segments.filter { $0 % 10 == 0 }.map { number in
                DateRange(id: "ad-\(number)", startDate: version.timeline.programDate(of: number))
            }
        }

        func segment(_ number: UInt64, of rendition: LiveRendition, view: UInt64) -> AddedSegment? {
            switch number % 10 {
            case 0:
                AddedSegment(
                    stem: "ads/\(view)/\(number)",
                    map: "ads/\(view)/init.mp4",
                    isDiscontinuity: true,
                    otherTags: ["#EXT-X-CUE-OUT:2"]
                )
            case 1: AddedSegment(isDiscontinuity: true, otherTags: ["#EXT-X-CUE-IN"])
            default: nil
            }
        }

        func discontinuities(before number: UInt64) -> UInt64 {
            number / 10 * 2 + min(number % 10, 2)
        }

        func view(viewer: UInt64, aim: () -> PodAim, effects: FaultEffects?) -> UInt64 { viewer % 2 }
    }

    private static func live(_ section: String) throws -> LivePlaylist {
        var configuration = OriginConfiguration()
        configuration.windowSegments = 15
        let plan = try ChannelPlan.read(section)
        try plan.validate(on: configuration)
        return LivePlaylist(configuration, plan: plan, additions: [Ads()])
    }

    private static let plans = [
        "",
        "lowLatency: {partDuration: 500ms, deltaUpdates: v2}",
        "{lowLatency: {partDuration: 1s, deltaUpdates: YES}, renditions: {audio: [en], subtitles: [en]}}",
        "{lowLatency: {partDuration: 250ms}, variables: {base: up, token: key}, renditions: {audio: [en]}}",
    ]

    @Test(arguments: plans)
    func discontinuitiesKeepTheirNumbersAsTheWindowSlides(section: String) throws {
        let live = try Self.live(section)
        for rendition in live.renditions {
            var numbers: [UInt64: UInt64] = [:]
            var edge = LiveEdge(newest: 1_000)
            for _ in 0..<200 {
                let text = live.media(PlaylistVersion(edge: edge, rendition: rendition)).text
                let playlist = try LowLatencyPlaylistTests.read(text)
                for (index, segment) in playlist.segments.enumerated() {
                    let number = playlist.mediaSequence(at: index)
                    let known = numbers.updateValue(segment.discontinuitySequence, forKey: number)
                    #expect(known == nil || known == segment.discontinuitySequence, "\(number) in \(rendition.name)")
                    #expect(segment.isDiscontinuity == (number % 10 < 2))
                }
                edge = live.timeline.edge(after: edge)
            }
            #expect(numbers[1_010] == numbers[1_009].map { $0 + 1 })
            #expect(numbers[1_011] == numbers[1_009].map { $0 + 2 })
        }
    }

    @Test func partsOfAnAdLieBesideItsSegment() throws {
        let live = try Self.live("{lowLatency: {partDuration: 1s}, renditions: {subtitles: [en]}}")
        let version = PlaylistVersion(edge: LiveEdge(newest: 1_009, parts: 1), rendition: .variant(.low), view: 7)
        let inside = try LowLatencyPlaylistTests.read(live.media(version).text)
        #expect(inside.string(in: try #require(inside.parts.last).uri) == "ads/7/1010.0.m4s")
        #expect(inside.string(in: try #require(inside.preloadHints.first).uri) == "ads/7/1010.1.m4s")
        var later = version
        later.edge = LiveEdge(newest: 1_010)
        let done = try LowLatencyPlaylistTests.read(live.media(later).text)
        let last = try #require(done.segments.last)
        #expect(done.uri(of: last) == "ads/7/1010.m4s")
        #expect(done.string(in: try #require(last.mapURI)) == "ads/7/init.mp4")
        later.rendition = .subtitles(language: "en")
        let text = try LowLatencyPlaylistTests.read(live.media(later).text)
        #expect(text.uri(of: try #require(text.segments.last)) == "1010.vtt")
        #expect(text.segments.last?.isDiscontinuity == true)
        #expect(text.dateRanges == done.dateRanges)
    }

    @Test func deltaUpdatesOverAdsMergeToTheWhole() throws {
        let live = try Self.live("{lowLatency: {partDuration: 500ms, deltaUpdates: v2}, renditions: {audio: [en]}}")
        for rendition in live.renditions {
            var edge = LiveEdge(newest: 2_000)
            var held = try LowLatencyPlaylistTests.read(
                live.media(PlaylistVersion(edge: edge, rendition: rendition)).text
            )
            for step in 0..<200 {
                edge = live.timeline.edge(after: edge)
                var version = PlaylistVersion(edge: edge, rendition: rendition)
                let full = try LowLatencyPlaylistTests.read(live.media(version).text)
                version.delta = PlaylistVersion.Delta(skipsDateRanges: true)
                let delta = try LowLatencyPlaylistTests.read(live.media(version).text)
                held = try MediaPlaylist.merging(delta: delta, into: held)
                #expect(held.contentDigest == full.contentDigest, "\(rendition.name), step \(step)")
            }
        }
    }
}
