import HLS
import Rules
import Testing

/// Findings that need more than two versions; `Cases/versions` has those from one version to the next.
@Suite struct PlaylistVersionFindingTests {
    private let start = LiveVersion()

    /// A version some updates later that has a date range.
    private func announcing(_ more: String = "", at date: Double = 240, updates: Int = 0) -> LiveVersion {
        start.later(updates) { $0.header.append(LiveVersion.range("a", date, more)) }
    }

    @Test func playlistStale() throws {
        let playlist = try start.playlist
        var watch = PlaylistWatch()
        #expect(watch.loaded(playlist, askedAt: .zero, at: .milliseconds(10)).isEmpty)
        // A server may take three seconds, and a cache may hold what it had for one more.
        #expect(watch.loaded(playlist, askedAt: .seconds(3), at: .milliseconds(3_020)).isEmpty)
        #expect(watch.loaded(playlist, askedAt: .milliseconds(4_009), at: .milliseconds(4_020)).isEmpty)
        let found = watch.loaded(playlist, askedAt: .milliseconds(4_010), at: .milliseconds(4_020))
        #expect(found.map(\.code) == [.playlistStale])
        // Once for each standstill.
        #expect(watch.loaded(playlist, askedAt: .seconds(5), at: .seconds(5)).isEmpty)
        let next = try start.later(1).playlist
        #expect(watch.loaded(next, askedAt: .seconds(6), at: .seconds(6)).isEmpty)
        #expect(watch.loaded(next, askedAt: .seconds(10), at: .seconds(10)).map(\.code) == [.playlistStale])
    }

    @Test func whatHasEndedMayStayAsItIs() throws {
        var watch = PlaylistWatch()
        let ended = try start.changed { $0.end = ["#EXT-X-ENDLIST"] }.playlist
        _ = watch.loaded(ended, askedAt: .zero, at: .zero)
        #expect(watch.loaded(ended, askedAt: .seconds(60), at: .seconds(60)).isEmpty)
    }

    /// Edges with copies of different age answer by turns, and none of them goes on.
    @Test func aStreamThatStandsStillOnAlternatingEdgesIsFound() throws {
        func turns(_ updates: Int) -> [LiveVersion] { (0..<8).map { start.later($0.isMultiple(of: 2) ? updates : 0) } }
        let found = try codes(watching: turns(4))
        #expect(Set(found) == ["edge_time_travel", "playlist_stale"])
        #expect(found.count { $0 == "playlist_stale" } == 1)
        // One update apart is as it should be, but for a live edge that stands still.
        #expect(try codes(watching: turns(1)) == ["playlist_stale"])
        // The same with a live edge that moves.
        let moving = (0..<8).map { start.later($0.isMultiple(of: 2) ? $0 : $0 - 2) }
        #expect(try codes(watching: moving) == [])
    }

    @Test func aChannelThatIsStartedAnewCountsFromThere() throws {
        let anew = LiveVersion(first: 0).changed { $0.hasDates = false }
        let restarted = [start, start.later(1)] + (0..<6).map { anew.later($0) }
        #expect(try codes(watching: restarted) == ["media_sequence_backwards"])
    }

    /// A merge is compared with the digest that the server tells; the digest shows a wrong merge.
    @Test func deltaMismatch() throws {
        let digest = try start.playlist.contentDigest
        #expect(try start.changed { $0.durations[104] = "1.999" }.playlist.contentDigest != digest)
        #expect(try start.changed { $0.header = ["#EXT-X-UNKNOWN:1"] }.playlist.contentDigest == digest)
    }

    @Test func aMissingDiscontinuitySequenceIsFoundOnceAndHidesNothing() throws {
        let uncounted = start.changed { $0.tags[101] = ["#EXT-X-DISCONTINUITY"] }
        let versions = (0..<6).map { uncounted.later($0) }
        #expect(try codes(watching: versions) == ["discontinuity_sequence_missing"])
        let wrong = versions + [uncounted.later(6) { $0.targetDuration = 3 }]
        #expect(try codes(watching: wrong) == ["discontinuity_sequence_missing", "target_duration_changed"])
    }

    @Test func anEventThatSlidIsFoundInACourse() throws {
        let event = start.changed { $0.header = ["#EXT-X-PLAYLIST-TYPE:EVENT"] }
        let versions = [event, event.later(1), event.later(1) { $0.count += 1 }]
        #expect(try codes(watching: versions).first == "live_playlist_typed")
    }

    // MARK: Date ranges

    /// Redundant packagers round each time to frames of their own; a viewer meets them by turns.
    @Test(
        arguments: [
            [(",PLANNED-DURATION=20", 240), (",PLANNED-DURATION=20", 240.01), (",PLANNED-DURATION=20", 240)],
            [(",DURATION=20", 240), (",DURATION=20.02", 240), (",DURATION=19.98", 240)],
            [260, 260.042].map { (",END-DATE=\"\(LiveVersion.date($0).iso8601)\"", 240) },
        ] as [[(more: String, date: Double)]]
    ) func timesThatAreRoundedAreOne(announced: [(more: String, date: Double)]) throws {
        let versions = announced.enumerated().map { announcing($1.more, at: $1.date, updates: $0) }
        #expect(try codes(watching: versions) == [])
    }

    @Test(arguments: [(9, [.dateRangeChanged]), (10, [])] as [(Int, [FindingCode])])
    func theToleranceOfAnAnnouncementIsGiven(milliseconds: Int, found: [FindingCode]) throws {
        let result = VersionChecks.transition(
            from: try announcing().playlist,
            to: try announcing(at: 240.01, updates: 1).playlist,
            elapsed: .seconds(2),
            tolerance: .milliseconds(milliseconds)
        )
        #expect(result.violations.map(\.code) == found)
    }

    @Test(
        arguments: [(240, []), (240.02, []), (240.05, ["date_range_reused"]), (300, ["date_range_reused"])]
            as [(Double, [String])]
    ) func dateRangeReused(date: Double, found: [String]) throws {
        let again = announcing(at: date, updates: 2)
        #expect(try codes(watching: [announcing(), start.later(1), again, again.later(1)]) == found)
    }

    /// Edges that differ in a start are told of by turns; only an ID that had left is used again.
    @Test func aStartThatSomeAreToldAtTheSameTimeIsNotUsedAgain() throws {
        var history = DateRangeHistory()
        func isReused(_ version: LiveVersion) throws -> Bool { try !history.note(version.playlist).starts.isEmpty }
        #expect(try !isReused(announcing()))
        #expect(try !isReused(announcing(at: 241, updates: 1)))
        #expect(try !isReused(announcing(updates: 1)))
        #expect(try isReused(announcing(at: 300, updates: 3)))
        #expect(try isReused(announcing(at: 300, updates: 4)))
    }

    /// The tag that began a range leaves with its segment, and the one that ends it later with its own.
    @Test(arguments: [106, 109]) func aRangesEndMayOutliveItsBeginning(endsBefore segment: Int) throws {
        let ended = start.changed {
            $0.tags[101] = [LiveVersion.range("a", 202)]
            $0.tags[segment] = ["#EXT-X-DATERANGE:ID=\"a\",END-DATE=\"\(LiveVersion.date(212).iso8601)\""]
        }
        #expect(try codes(watching: (0..<9).map { ended.later($0) }) == [])
    }

    /// A client's attribute may be a secret.
    @Test func aChangedAttributeOfAClientIsNotShown() throws {
        let found = try VersionChecks.transition(
            from: announcing(",X-SESSION=\"secret\"").playlist,
            to: announcing(",X-SESSION=\"other\"", updates: 1).playlist,
            elapsed: .seconds(2)
        ).violations
        let violation = try #require(found.first { $0.code == .dateRangeChanged })
        #expect(!violation.expected.contains("secret") && violation.observed.hasSuffix("=another value"))
    }

    // MARK: Splices

    @Test(
        arguments: [
            ([], []), (["#EXT-X-CUE-IN"], ["cue_unclear"]), (["#EXT-X-CUE-OUT-CONT:2/6"], ["cue_unclear"]),
        ] as [([String], [String])]
    ) func cuesWithoutTheirPair(afterTheBreak tags: [String], found: [String]) throws {
        let out = start.later(1) { $0.tags[108] = ["#EXT-X-CUE-OUT:6"] }
        let back = out.later(3) { $0.tags[111] = ["#EXT-X-CUE-IN"] }
        #expect(try codes(watching: [start, out, back, back.later(1) { $0.tags[112] = tags }]) == found)
    }

    @Test func aViewerThatJoinsInABreakHasNotSeenHowItBegan() throws {
        let joined = start.changed { $0.tags[107] = ["#EXT-X-CUE-OUT-CONT:2/6"] }
        #expect(try codes(watching: [joined, joined.later(1) { $0.tags[108] = ["#EXT-X-CUE-IN"] }]) == [])
    }

    /// A splice out whose planned duration is over may leave the window before its splice in comes.
    @Test func aSpliceInComesAfterItsSpliceOutHasLeft() throws {
        let planned = announcing(",PLANNED-DURATION=2,SCTE35-OUT=0xFC", at: 200)
        let ended = announcing(",DURATION=2,SCTE35-IN=0xFC", at: 200, updates: 3)
        #expect(try codes(watching: [planned, start.later(2), ended]) == [])
        // The splice out left before the first look.
        #expect(try codes(watching: [start.later(2), ended]) == [])
        let never = start.later(3) { $0.header = [LiveVersion.range("b", 210, ",DURATION=2,SCTE35-IN=0xFC")] }
        #expect(try codes(watching: [planned, start.later(2), never]) == ["splice_orphaned"])
    }

    /// The break ends at 218 seconds, within the next version.
    @Test(arguments: [-12.0, 30]) func breakExitUpdateWrong(shift: Double) throws {
        let ending = announcing(",PLANNED-DURATION=20,SCTE35-OUT=0xFC", at: 198)
        let wrong = ending.later(1) { $0.shift = shift }
        #expect(try codes(watching: [ending, wrong, ending.later(2)]) == ["break_exit_update_wrong"])
        #expect(try codes(watching: [ending, ending.later(1), ending.later(2)]) == [])
        // What stays as it is was a jump, and nothing was taken back.
        let stays = [ending, wrong] + (1..<6).map { wrong.later($0) }
        #expect(try codes(watching: stays) == ["program_date_jump"])
    }

    @Test func aMovedEdgeFarFromTheEndOfABreakIsAJump() throws {
        let versions = [start, start.later(1) { $0.shift = -12 }, start.later(2)]
        #expect(try codes(watching: versions) == ["program_date_jump"])
    }
}
