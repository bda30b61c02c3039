import Foundation
import HLS
import Profile
import Testing

@testable import Origin

/// Delta updates leave out what is old, and only that.
@Suite struct DeltaUpdateTests {
    private static func texts(
        _ live: LivePlaylist,
        _ edge: LiveEdge,
        _ delta: PlaylistVersion.Delta
    ) throws -> (full: MediaPlaylist, delta: MediaPlaylist, isShortened: Bool, text: String) {
        let version = PlaylistVersion(edge: edge, rendition: .variant(.high))
        var asked = version
        asked.delta = delta
        let (text, isShortened) = live.media(asked)
        return (
            try .reading(live.media(version).text), try .reading(text), isShortened,
            String(decoding: text, as: UTF8.self)
        )
    }

    @Test(arguments: [0, 1, 3])
    func segmentsPastTheBoundaryAreSkipped(parts: Int) throws {
        let live = try LowLatencyPlaylistTests.live("lowLatency: {partDuration: 500ms, deltaUpdates: YES}") {
            $0.windowSegments = 20
        }
        let (full, delta, isShortened, _) = try Self.texts(live, LiveEdge(newest: 7_000, parts: parts), .init())
        #expect(isShortened)
        // Twelve seconds are six segments; the parts of the next one push one more half over.
        #expect(delta.skippedSegments == 14)
        #expect(delta.segments.count == 6)
        #expect(delta.mediaSequence == full.mediaSequence)
        #expect(delta.endMediaSequence == full.endMediaSequence)
        #expect(delta.segments.map { delta.uri(of: $0) } == full.segments.suffix(6).map { full.uri(of: $0) })
        #expect(delta.parts.count == full.parts.count)
        #expect(delta.dateRanges == full.dateRanges)
        #expect(delta.serverControl == full.serverControl)
        #expect(delta.head.version == 9)
    }

    @Test func windowWithoutOldSegmentsIsSentWhole() throws {
        let live = try LowLatencyPlaylistTests.live("lowLatency: {deltaUpdates: YES}") { $0.windowSegments = 7 }
        let early = try Self.texts(live, LiveEdge(newest: 4), .init())
        #expect(!early.isShortened)
        #expect(early.delta.skippedSegments == 0)
        #expect(early.full.text == early.delta.text)
        let later = try Self.texts(live, LiveEdge(newest: 40), .init())
        #expect(later.delta.skippedSegments == 1)
    }

    @Test func oldDateRangesAreLeftOutAndGoneOnesNamed() throws {
        let live = try LowLatencyPlaylistTests.live("lowLatency: {partDuration: 1s, deltaUpdates: v2}") {
            $0.windowSegments = 20
            $0.breakInterval = .seconds(20)
            $0.breakDuration = .seconds(5)
        }
        var edge = LiveEdge(newest: 2_000)
        var known: [String: WallTime] = [:]
        var removedSeen = 0
        var skippedSeen = 0
        for step in 0..<200 {
            let (full, delta, _, text) = try Self.texts(live, edge, .init(skipsDateRanges: true))
            let now = live.timeline.publication(of: edge)
            for range in full.dateRanges where known[range.id] == nil { known[range.id] = now }
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-SKIP:") }
            let skip = try #require(lines.first)
            let mark = try #require(skip.range(of: "RECENTLY-REMOVED-DATERANGES=\""))
            let removed = skip[mark.upperBound...].dropLast().split(separator: "\t").map(String.init)
            // The first rounds do not know when what they list appeared.
            if step > 30 {
                let young = full.dateRanges.filter { range in
                    known[range.id].map { now.duration(since: $0) < .seconds(12) } ?? false
                }
                #expect(delta.dateRanges == young, "at step \(step)")
                skippedSeen += full.dateRanges.count - young.count
                let expected = known.filter { entry in !full.dateRanges.contains { $0.id == entry.key } }.keys
                #expect(Set(removed).isSubset(of: expected))
                removedSeen += removed.count
                for id in removed {
                    // Five seconds long, and gone with the last segment that it covers.
                    let start = try #require(Int64(id.dropFirst(6)))
                    let left = now.epochSeconds - 40 - (start + 5)
                    #expect((0...13).contains(left), "\(id) is gone \(left) s at step \(step)")
                }
            }
            edge = live.timeline.edge(after: edge)
        }
        #expect(removedSeen > 0)
        #expect(skippedSeen > 0)
    }

    @Test func plannedFaultChangesOneLine() throws {
        let live = try LowLatencyPlaylistTests.live("lowLatency: {deltaUpdates: YES}")
        let right = try Self.texts(live, LiveEdge(newest: 7_000), .init())
        let wrong = try Self.texts(live, LiveEdge(newest: 7_000), .init(isWrong: true))
        let pairs = zip(right.text.split(separator: "\n"), wrong.text.split(separator: "\n"))
        #expect(pairs.filter { $0 != $1 }.map { String($1) } == ["#EXTINF:1.999,"])
        let held = try Self.texts(live, LiveEdge(newest: 6_999), .init()).full
        let merged = try MediaPlaylist.merging(delta: wrong.delta, into: held)
        #expect(merged.contentDigest != wrong.full.contentDigest)
        #expect(DigestComment.digest(in: Array(wrong.text.utf8)) == wrong.full.contentDigest)
    }
}
