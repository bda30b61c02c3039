import Conformance
import HLS
import Rulebook
import Testing

extension PlaylistVersionFindingTests {
    /// The live edge of `start` is at 216 seconds.
    private func announcing(_ line: String, at version: LiveVersion) -> LiveVersion {
        version.changed { $0.header.append(line) }
    }

    @Test func programDateJump() throws {
        #expect(try codes(start, start.later(1) { $0.shifts[104] = 2.5 }) == ["program_date_jump"])
        #expect(try codes(start, start.later(1) { $0.shifts[108] = 2.5 }) == ["program_date_jump"])
        #expect(try codes(start, start.later(1) { $0.shift = 0.9 }) == [])
        let after = start.later(1) {
            $0.shifts[108] = 30
            $0.tags[108] = ["#EXT-X-DISCONTINUITY"]
        }
        #expect(try codes(start, after) == [])
    }

    @Test func dateRangeChanged() throws {
        let known = announcing(LiveVersion.range("a", 240), at: start)
        let longer = announcing(LiveVersion.range("a", 240, ",PLANNED-DURATION=25,SCTE35-OUT=0xFC"), at: start.later(1))
        #expect(try codes(known, longer) == ["date_range_changed"])
        let lost = announcing(LiveVersion.range("a", 240, ",PLANNED-DURATION=20"), at: start.later(1))
        #expect(try codes(known, lost) == ["date_range_changed"])
        let more = LiveVersion.range("a", 240, ",PLANNED-DURATION=20,SCTE35-OUT=0xFC,DURATION=18,X-MORE=\"b\"")
        #expect(try codes(known, announcing(more, at: start.later(1))) == [])
    }

    /// Redundant packagers round each time to frames of their own; a viewer meets them by turns.
    @Test func timesThatAreRoundedAreOne() throws {
        func version(_ updates: Int, _ date: Double, _ more: String) -> LiveVersion {
            announcing(LiveVersion.range("a", date, more), at: start.later(updates))
        }
        let starts = (0..<6).map { version($0, $0 % 2 == 0 ? 240 : 240.01, ",PLANNED-DURATION=20") }
        #expect(try codes(watching: starts) == [])
        let lengths = ["DURATION=20", "DURATION=20.02", "DURATION=19.98"]
        #expect(try codes(watching: lengths.indices.map { version($0, 240, ",\(lengths[$0])") }) == [])
        let ends = [260, 260.042].map { ",END-DATE=\"\(LiveVersion.date($0).iso8601)\"" }
        #expect(try codes(watching: ends.indices.map { version($0, 240, ends[$0]) }) == [])
        // Just beyond a frame, and what is no time.
        let changed = ["date_range_changed"]
        #expect(try codes(version(0, 240, ""), version(1, 240.043, "")) == changed)
        #expect(try codes(version(0, 240, ",DURATION=20"), version(1, 240, ",DURATION=20.043")) == changed)
        #expect(try codes(version(0, 240, ",X-A=20.00"), version(1, 240, ",X-A=20.01")) == changed)
        #expect(try codes(version(0, 240, ",DURATION=20"), version(1, 240, "")) == changed)
        let (one, two) = (try version(0, 240, "").playlist, try version(1, 240.01, "").playlist)
        for (tolerance, found) in [(Duration.milliseconds(9), changed), (.milliseconds(10), [])] {
            let result = VersionChecks.transition(
                from: one,
                to: two,
                elapsed: .seconds(2),
                tolerance: AnnouncementTolerance(tolerance)
            )
            #expect(result.violations.map(\.code.code) == found)
        }
    }

    @Test func anIDThatComesAgainWithARoundedStartIsNotReused() throws {
        let first = announcing(LiveVersion.range("a", 240, ""), at: start)
        for (date, found) in [(240.02, []), (240.05, ["date_range_reused"])] as [(Double, [String])] {
            let again = announcing(LiveVersion.range("a", date, ""), at: start.later(2))
            #expect(try codes(watching: [first, start.later(1), again, again.later(1)]) == found)
        }
    }

    @Test func dateRangeVanished() throws {
        let known = announcing(LiveVersion.range("a", 210), at: start)
        #expect(try codes(known, start.later(1)) == ["date_range_vanished"])
        // What it begins with is listed no more; its end is not known.
        #expect(try codes(known, start.later(7), elapsed: .seconds(14)) == [])
        let ended = announcing(LiveVersion.range("a", 210, ",DURATION=20"), at: start)
        #expect(try codes(ended, start.later(7), elapsed: .seconds(14)) == ["date_range_vanished"])
        // A break that was cancelled before it began.
        #expect(try codes(announcing(LiveVersion.range("a", 240), at: start), start.later(1)) == [])
    }

    /// The tag that began a range leaves with its segment, and the one that ends it later with its own.
    @Test func aRangesEndMayOutliveItsBeginning() throws {
        let opened = start.changed { $0.tags[101] = [LiveVersion.range("a", 202)] }
        let end = "#EXT-X-DATERANGE:ID=\"a\",END-DATE=\"\(LiveVersion.date(212).iso8601)\""
        let ended = opened.changed { $0.tags[106] = [end] }
        #expect(try codes(watching: (0..<9).map { ended.later($0) }) == [])
        // The end comes when the beginning has gone.
        let late = opened.changed { $0.tags[109] = [end] }
        #expect(try codes(watching: (0..<9).map { late.later($0) }) == [])
        // The beginning goes while its segment is listed.
        #expect(try codes(ended, ended.later(1) { $0.tags[101] = nil }) == ["date_range_vanished"])
    }

    @Test func dateRangeReused() throws {
        let first = announcing(LiveVersion.range("a", 240, ""), at: start)
        let again = announcing(LiveVersion.range("a", 300, ""), at: start.later(2))
        #expect(try codes(watching: [first, start.later(1), again, again.later(1)]) == ["date_range_reused"])
        let same = announcing(LiveVersion.range("a", 240, ""), at: start.later(2))
        #expect(try codes(watching: [first, start.later(1), same, same.later(1)]) == [])
    }

    /// Edges that differ in a start are told of by turns; only an ID that had left is used again.
    @Test func aStartThatSomeAreToldAtTheSameTimeIsNotUsedAgain() throws {
        var history = DateRangeHistory()
        let first = try announcing(LiveVersion.range("a", 240, ""), at: start).playlist
        #expect(history.note(first).starts.isEmpty)
        let other = try announcing(LiveVersion.range("a", 241, ""), at: start.later(1)).playlist
        #expect(history.note(other).starts.isEmpty)
        #expect(
            history.note(try announcing(LiveVersion.range("a", 240, ""), at: start.later(1)).playlist).starts.isEmpty
        )
        let again = try announcing(LiveVersion.range("a", 300, ""), at: start.later(3)).playlist
        #expect(history.note(again).starts.keys.sorted() == ["a"])
        let still = try announcing(LiveVersion.range("a", 300, ""), at: start.later(4)).playlist
        #expect(history.note(still).starts.keys.sorted() == ["a"])
    }

    @Test func spliceOrphaned() throws {
        let out = start.later(1) { $0.tags[108] = ["#EXT-X-CUE-OUT:6"] }
        #expect(try codes(start, out) == [])
        // Taken back while its segment is listed.
        #expect(try codes(out, start.later(2)) == ["splice_orphaned"])
        let back = out.later(3) { $0.tags[111] = ["#EXT-X-CUE-IN"] }
        #expect(try codes(watching: [start, out, back, back.later(1)]) == [])
        let twice = back.later(1) { $0.tags[112] = ["#EXT-X-CUE-IN"] }
        #expect(try codes(watching: [start, out, back, twice]) == ["splice_orphaned"])
        let middle = back.later(1) { $0.tags[112] = ["#EXT-X-CUE-OUT-CONT:2/6"] }
        #expect(try codes(watching: [start, out, back, middle]) == ["splice_orphaned"])
        // Who joins in the middle of a break has not seen how it began.
        let joined = start.changed { $0.tags[107] = ["#EXT-X-CUE-OUT-CONT:2/6"] }
        #expect(try codes(watching: [joined, joined.later(1) { $0.tags[108] = ["#EXT-X-CUE-IN"] }]) == [])
    }

    @Test func spliceOrphanedByDateRanges() throws {
        let alone = announcing(LiveVersion.range("a", 220, ",SCTE35-IN=0xFC"), at: start.later(1))
        #expect(try codes(start, alone) == ["splice_orphaned"])
        let open = announcing(LiveVersion.range("a", 200, ",SCTE35-OUT=0xFC"), at: start)
        #expect(try codes(open, start.later(2)) == ["splice_orphaned"])
        #expect(try codes(announcing(LiveVersion.range("a", 200), at: start), start.later(2)) == [])
    }

    /// A splice out whose planned duration is over may leave the window before its splice in comes.
    @Test func aSpliceInComesAfterItsSpliceOutHasLeft() throws {
        let planned = announcing(LiveVersion.range("a", 200, ",PLANNED-DURATION=2,SCTE35-OUT=0xFC"), at: start)
        let left = start.later(2)
        let ended = announcing(LiveVersion.range("a", 200, ",DURATION=2,SCTE35-IN=0xFC"), at: start.later(3))
        #expect(try codes(watching: [planned, left, ended]) == [])
        // Before anybody looked, or never within what was looked at.
        #expect(try codes(watching: [left, ended]) == [])
        let never = announcing(LiveVersion.range("b", 210, ",DURATION=2,SCTE35-IN=0xFC"), at: start.later(3))
        #expect(try codes(watching: [planned, left, never]) == ["splice_orphaned"])
    }

    @Test func aChangedRangeIsShownWithBothValues() throws {
        func violation(_ before: String, _ after: String) throws -> Violation {
            let head = ",CLASS=\"com.apple.hls.interstitial\",X-ASSET-URI=\"http://a/\""
            let known = announcing(LiveVersion.range("a", 230, head + before), at: start)
            let next = announcing(LiveVersion.range("a", 230, head + after), at: start.later(1))
            let found = try VersionChecks.violations(from: known.playlist, to: next.playlist, elapsed: .seconds(2))
            return try #require(found.first { $0.code == .dateRangeChanged })
        }
        let own = try violation(",X-RESUME-OFFSET=0", ",X-RESUME-OFFSET=4.5")
        #expect((own.expected, own.observed) == ("ID=\"a\",X-RESUME-OFFSET=0", "ID=\"a\",X-RESUME-OFFSET=4.5"))
        // A client's attribute may be a secret.
        let client = try violation(",X-SESSION=\"secret\"", ",X-SESSION=\"other\"")
        #expect(!client.expected.contains("secret") && client.observed.hasSuffix("=another value"))
    }

    @Test func breakAnnouncedLate() throws {
        // The edge is at 218 seconds then. Playheads are at 212 seconds, and at 214 when the playlist is loaded again.
        let next = start.later(1)
        let late = "break_announced_late"
        #expect(try codes(start, announcing(LiveVersion.range("a", 213), at: next)) == [late])
        #expect(try codes(start, announcing(LiveVersion.range("a", 214), at: next)) == [])
        // With the last segment before the break.
        #expect(try codes(start, announcing(LiveVersion.range("a", 218), at: next)) == [])
        // Three segments came at once: the first of them may have brought it.
        let later = start.later(3)
        #expect(try codes(start, announcing(LiveVersion.range("a", 213), at: later), elapsed: .seconds(6)) == [late])
        #expect(try codes(start, announcing(LiveVersion.range("a", 214), at: later), elapsed: .seconds(6)) == [])
        // No break, and one that does not begin by its date.
        #expect(try codes(start, announcing(LiveVersion.range("a", 213, ",DURATION=4"), at: next)) == [])
        let atJoin = ",CLASS=\"com.apple.hls.interstitial\",X-ASSET-URI=\"http://a/\",CUE=\"PRE\""
        #expect(try codes(start, announcing(LiveVersion.range("a", 213, atJoin), at: next)) == [])
        // Ten seconds behind the edge, and two until the next load.
        let far = start.changed { $0.header = ["#EXT-X-SERVER-CONTROL:HOLD-BACK=10"] }
        #expect(try codes(far, announcing(LiveVersion.range("a", 209), at: far.later(1))) == [late])
        #expect(try codes(far, announcing(LiveVersion.range("a", 210), at: far.later(1))) == [])
    }

    @Test func aLateAnnouncementIsShownBesideTheLiveEdge() throws {
        let next = announcing(LiveVersion.range("a", 213), at: start.later(1))
        let found = try VersionChecks.violations(from: start.playlist, to: next.playlist, elapsed: .seconds(2))
        let violation = try #require(found.first)
        let (date, edge) = (LiveVersion.date(213).iso8601, LiveVersion.date(218).iso8601)
        #expect(violation.expected == "ID=\"a\" with the live edge at the latest 4.000 s past \(date)")
        #expect(violation.observed == "first listed with it 5.000 s past that start, and at \(edge) when it was seen")
    }

    @Test func breakExitUpdateWrong() throws {
        // The break ends at 218 seconds.
        let ending = announcing(LiveVersion.range("a", 198), at: start)
        let back = ending.later(1) { $0.shift = -12 }
        let ahead = ending.later(1) { $0.shift = 30 }
        for wrong in [back, ahead] {
            #expect(try codes(watching: [ending, wrong, ending.later(2)]) == ["break_exit_update_wrong"])
            // What stays as it is was a jump, and nothing was taken back.
            let stays = [ending, wrong] + (1..<6).map { wrong.later($0) }
            #expect(try codes(watching: stays) == ["program_date_jump"])
        }
        // Far from any break's end it is a jump.
        let far = [start, start.later(1) { $0.shift = -12 }, start.later(2)]
        #expect(try codes(watching: far) == ["program_date_jump"])
        #expect(try codes(watching: [ending, ending.later(1), ending.later(2)]) == [])
    }
}
