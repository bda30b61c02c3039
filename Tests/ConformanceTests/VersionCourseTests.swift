import HLS
import Rules
import Testing

/// A breach is found once, and its end is no breach.
@Suite struct VersionCourseTests {
    let start = LiveVersion()

    static let faults: [(code: String, change: @Sendable (inout LiveVersion) -> Void)] = [
        ("media_sequence_backwards", { $0.mediaSequence = $0.first - 90 }),
        ("media_sequence_jump", { $0.mediaSequence = $0.first + 1_000 }),
        ("playlist_shrunk", { $0.count = 5 }),
        ("window_explosion", { $0.count = 18 }),
        ("target_duration_changed", { $0.targetDuration = 3 }),
        ("segment_changed", { $0.uris[104] = "other.m4s" }),
        ("segment_duration_changed", { $0.durations[104] = "1.500" }),
        ("discontinuity_changed", { $0.tags[106] = ["#EXT-X-DISCONTINUITY"] }),
        ("segment_attributes_changed", { $0.tags[104] = ["#EXT-X-GAP"] }),
        ("discontinuity_sequence_wrong", { $0.discontinuitySequence = 1 }),
        ("program_date_jump", { $0.shift = 2.5 }),
    ]

    @Test(arguments: faults.indices, 1...3)
    func aFaultOfSomeUpdatesIsFoundOnceAndItsEndIsNot(fault: Int, updates: Int) throws {
        let (code, change) = Self.faults[fault]
        let versions = (0..<8).map { update in
            (2..<(2 + updates)).contains(update) ? start.later(update, change) : start.later(update)
        }
        #expect(try codes(watching: versions) == [code])
    }

    /// A shrunk playlist that has grown to where it was is still behind; what it held back is one breach with that.
    @Test func aShrunkPlaylistCatchesUpAtOnce() throws {
        let versions = [start] + (1...3).map { start.later($0) { $0.count = 5 } } + [start.later(4), start.later(5)]
        #expect(try codes(watching: versions) == ["playlist_shrunk"])
        let late = start.later(6) { $0.count = 18 }
        #expect(try codes(watching: versions + [late]) == ["playlist_shrunk", "window_explosion"])
    }

    @Test func whatGoesOnForGoodIsFoundOnce() throws {
        let versions = [start] + (1..<30).map { start.later($0) { $0.mediaSequence = $0.first - 90 } }
        #expect(try codes(watching: versions) == ["media_sequence_backwards"])
    }

    @Test(arguments: [
        "#EXT-X-PART-INF:PART-TARGET=%", "#EXT-X-SERVER-CONTROL:HOLD-BACK=%", "#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=%",
        "#EXT-X-SERVER-CONTROL:HOLD-BACK=9,CAN-SKIP-UNTIL=%",
    ]) func aChangedHeaderIsFoundOnceAndItsEndIsNot(_ header: String) throws {
        let versions = ["6", "7", "6"].enumerated().map { update, value in
            start.later(update) { $0.header = [header.replacing("%", with: value)] }
        }
        #expect(try codes(watching: versions) == ["header_changed"])
    }

    @Test func anotherFaultAfterOneThatStaysIsFound() throws {
        var versions = [start] + (1..<4).map { start.later($0) { $0.mediaSequence = $0.first - 90 } }
        versions.append(
            start.later(4) {
                $0.mediaSequence = $0.first - 90
                $0.targetDuration = 4
            }
        )
        #expect(try codes(watching: versions) == ["media_sequence_backwards", "target_duration_changed"])
    }

    @Test func versionsThatComeByTurnsAreNoBreach() throws {
        let turns = [start, start.later(1), start, start.later(1), start.later(2)]
        #expect(try codes(watching: turns, every: 1) == [])
    }
}
