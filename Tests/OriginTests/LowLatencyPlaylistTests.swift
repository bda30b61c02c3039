import HLS
import Profile
import Testing

@testable import Origin

@Suite struct LowLatencyPlaylistTests {
    static func live(
        _ section: String,
        _ change: (inout OriginConfiguration) -> Void = { _ in }
    ) throws -> LivePlaylist {
        var configuration = OriginConfiguration()
        change(&configuration)
        let plan = try ChannelPlan.read(section)
        try plan.validate(on: configuration)
        return LivePlaylist(configuration, plan: plan)
    }

    private static func read(
        _ live: LivePlaylist,
        _ edge: LiveEdge,
        _ rendition: LiveRendition = .variant(.high)
    ) throws -> MediaPlaylist {
        try .reading(live.media(PlaylistVersion(edge: edge, rendition: rendition)).text)
    }

    @Test(arguments: ["250ms", "500ms", "1s"], [2, 4])
    func partsFillTheTimeUpToTheEdge(part: String, seconds: Int) throws {
        let live = try Self.live("lowLatency: {partDuration: \(part)}") { $0.segmentDuration = .seconds(seconds) }
        let length = try #require(live.timeline.partMicroseconds)
        let perSegment = live.timeline.partsPerSegment
        #expect(Int64(perSegment) * length == Int64(seconds) * 1_000_000)
        for parts in 0..<perSegment {
            let edge = LiveEdge(newest: 90_000, parts: parts)
            let playlist = try Self.read(live, edge)
            #expect(playlist.partTargetMicroseconds == length)
            #expect(playlist.parts.count == 3 * perSegment + parts, "three target durations of parts, and the rest")
            #expect(playlist.parts.allSatisfy { $0.durationMicroseconds == length })
            let trailing = playlist.parts.filter { $0.segmentIndex == playlist.segments.count }
            #expect(trailing.map { playlist.string(in: $0.uri) } == (0..<parts).map { "90001.\($0).m4s" })
            let hint = try #require(playlist.preloadHints.first)
            #expect(playlist.preloadHints.count == 1)
            #expect(playlist.string(in: hint.uri) == "90001.\(parts).m4s")
            let begun = live.timeline.programDate(of: 90_001)
            #expect(live.timeline.publication(of: edge) == begun + .microseconds(length * Int64(parts)))
            for part in playlist.parts {
                let name = try #require(PartName(file: playlist.string(in: part.uri)))
                #expect(part.isIndependent == (Int64(name.part) * length % 1_000_000 == 0))
            }
        }
    }

    @Test func hintThatNeverComesIsFollowedByTheRealPart() throws {
        let live = try Self.live("lowLatency: {partDuration: 1s, goneHintEvery: 3}")
        for newest in UInt64(2_999)..<3_006 {
            let isGone = (newest + 1) % 3 == 0
            let before = try Self.read(live, LiveEdge(newest: newest))
            let hint = try #require(before.preloadHints.first)
            #expect(before.string(in: hint.uri) == "\(newest + 1).0\(isGone ? ".gone" : "").m4s")
            let after = try Self.read(live, LiveEdge(newest: newest, parts: 1))
            let last = try #require(after.parts.last)
            #expect(after.string(in: last.uri) == "\(newest + 1).0.m4s")
        }
    }

    @Test func breaksAreAnnouncedAtThePartThatBringsThemIntoReach() throws {
        let live = try Self.live("lowLatency: {partDuration: 500ms}") { $0.breakOffset = .milliseconds(500) }
        var edge = LiveEdge(newest: 3_000)
        var seen: Set<String> = []
        var parts: Set<Int> = []
        for _ in 0..<1_000 {
            let playlist = try Self.read(live, edge)
            for range in playlist.dateRanges where seen.insert(range.id).inserted && seen.count > 2 {
                let start = try #require(range.startDate)
                #expect(start.duration(since: live.timeline.publication(of: edge)) < .seconds(10))
                #expect(start.duration(since: live.timeline.publication(of: edge)) >= .milliseconds(9_500))
                parts.insert(edge.parts)
            }
            edge = live.timeline.edge(after: edge)
        }
        #expect(seen.count > 6)
        #expect(parts == [2], "half a second past the segment, and one part more")
    }

    @Test func edgesFollowTheClock() throws {
        let timeline = try Self.live("lowLatency: {partDuration: 500ms}").timeline
        var edge = LiveEdge(newest: 10)
        for step in 0..<40 {
            let published = timeline.publication(of: edge)
            #expect(timeline.edge(at: published) == edge, "step \(step)")
            #expect(try #require(timeline.edge(at: published - .microseconds(1))) < edge)
            let next = timeline.edge(after: edge)
            #expect(next > edge)
            #expect(timeline.publication(of: next).duration(since: published) == .milliseconds(500))
            #expect(timeline.completion(ofSegment: edge.newest, part: nil) <= published)
            edge = next
        }
    }
}
