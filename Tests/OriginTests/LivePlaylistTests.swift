import AdServing
import HLS
import Testing

@testable import Origin

@Suite struct LivePlaylistTests {
    private static func playlist(_ change: (inout OriginConfiguration) -> Void = { _ in }) -> LivePlaylist {
        var configuration = OriginConfiguration()
        change(&configuration)
        return LivePlaylist(configuration)
    }

    private static func read(_ bytes: [UInt8]) throws -> MediaPlaylist {
        guard case .media(let playlist) = try Playlist(parsing: bytes) else {
            throw ClipError(description: "not a media playlist")
        }
        return playlist
    }

    @Test(arguments: [1, 2, 4, 8])
    func programDatesFollowTheWallClockExactly(seconds: Int) throws {
        let live = Self.playlist { $0.segmentDuration = .seconds(seconds) }
        let newest: UInt64 = 1_000_000
        let playlist = try Self.read(live.media(newest: newest))
        #expect(playlist.targetDurationSeconds == seconds)
        #expect(playlist.mediaSequence == newest - 9)
        #expect(playlist.segments.count == 10)
        #expect(playlist.isIndependentSegments)
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
            let playlist = try Self.read(live.media(newest: newest))
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

    @Test func announcementCarriesTheAgreedAttributes() throws {
        let live = Self.playlist { $0.breakInterval = .seconds(60) }
        // 2026-01-01T00:10:00Z is a multiple of the interval; the edge is 8 s before it.
        let playlist = try Self.read(live.media(newest: 295))
        let range = try #require(playlist.dateRanges.first { $0.startDate?.iso8601 == "2026-01-01T00:10:00.000Z" })
        #expect(range.id == "break-1767226200")
        #expect(range.classAttribute == "com.podswarm.break")
        #expect(range.plannedDuration == .seconds(30))
        #expect(range.duration == nil && range.endDate == nil && !range.endOnNext)
        #expect(range.scte35Out?.hasPrefix("0xFC30") == true)
    }

    @Test func silentChannelHasNoDateRanges() throws {
        for live in [Self.playlist { $0.announceBreaks = false }, Self.playlist { $0.breakInterval = .zero }] {
            for newest in UInt64(1_000)..<1_060 {
                #expect(try Self.read(live.media(newest: newest)).dateRanges.isEmpty)
            }
        }
    }

    @Test func eachVersionIsAnUpdateOfTheOneBefore() throws {
        let live = Self.playlist()
        var previous = try Self.read(live.media(newest: 5_000))
        for newest in UInt64(5_001)..<5_100 {
            let next = try Self.read(live.media(newest: newest))
            #expect(next.isUpdate(of: previous))
            #expect(next.mediaSequence == previous.mediaSequence + 1)
            previous = next
        }
    }
}
