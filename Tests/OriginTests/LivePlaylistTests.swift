import HLS
import Profile
import Testing

@testable import Origin

@Suite struct LivePlaylistTests {
    private static func playlist(_ change: (inout OriginConfiguration) -> Void = { _ in }) -> LivePlaylist {
        var configuration = OriginConfiguration()
        change(&configuration)
        return LivePlaylist(configuration)
    }

    @Test(arguments: [1, 2, 4, 8])
    func programDatesFollowTheWallClockExactly(seconds: Int) throws {
        let live = Self.playlist { $0.segmentDuration = .seconds(seconds) }
        let newest: UInt64 = 1_000_000
        let playlist = try MediaPlaylist.reading(
            live.media(PlaylistVersion(edge: LiveEdge(newest: newest), rendition: .variant(.high))).text
        )
        #expect(playlist.targetDurationSeconds == seconds)
        #expect(playlist.mediaSequence == newest - 9)
        #expect(playlist.segments.count == 10)
        #expect(playlist.head.isIndependentSegments)
        #expect(!playlist.hasEndList)
        #expect(playlist.playlistType == nil)
        #expect(playlist.discontinuitySequence == 0)
        for (index, segment) in playlist.segments.enumerated() {
            let number = playlist.mediaSequence + UInt64(index)
            #expect(segment.programDate == live.timeline.programDate(of: number))
            #expect(playlist.uri(of: segment) == "\(number).m4s")
            #expect(segment.durationMicroseconds == Int64(seconds) * 1_000_000)
            #expect(!segment.isDiscontinuity)
        }
        #expect(playlist.endProgramDate == live.timeline.programDate(of: newest + 1))
    }

    @Test(arguments: [1, 2, 4, 8])
    func breakIsAnnouncedThreeTargetDurationsAheadAndKeptWhileCovered(seconds: Int) throws {
        let live = Self.playlist {
            $0.segmentDuration = .seconds(seconds)
            $0.breakInterval = .seconds(300)
            $0.breakDuration = .seconds(30)
            $0.breakOffset = .seconds(7)
        }
        let first = UInt64(100_000 / seconds)
        var seen: [String: DateRange] = [:]
        var announced = 0
        for newest in first..<first + UInt64(1_300 / seconds) {
            let playlist = try MediaPlaylist.reading(
                live.media(PlaylistVersion(edge: LiveEdge(newest: newest), rendition: .variant(.high))).text
            )
            let edge = try #require(playlist.endProgramDate)
            let start = try #require(playlist.programDate(at: 0))
            for range in playlist.dateRanges {
                let rangeStart = try #require(range.startDate)
                let duration = try #require(range.plannedDuration)
                #expect(rangeStart + duration > start, "kept after its last segment left")
                if let known = seen[range.id] { #expect(known == range, "a date range changed") }
                if seen[range.id] == nil, newest > first {
                    announced += 1
                    // The next playlist, one segment later, is the last that may be too late.
                    #expect(rangeStart.duration(since: edge) >= .seconds(3 * seconds), "announced late")
                }
                seen[range.id] = range
            }
            let listed = Set(playlist.dateRanges.map(\.id))
            for known in seen.values {
                let knownStart = try #require(known.startDate)
                let isCovered = knownStart + .seconds(30) > start
                #expect(listed.contains(known.id) == isCovered, "date range \(known.id) at edge \(edge.iso8601)")
            }
        }
        #expect(announced >= 4)
    }
}
