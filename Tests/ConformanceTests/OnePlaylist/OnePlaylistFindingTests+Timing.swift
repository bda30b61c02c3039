import Conformance
import Rulebook
import Testing

extension OnePlaylistFindingTests {
    @Test func targetDurationExceeded() {
        func text(_ duration: String) -> String {
            Bodies.live.replacing("#EXTINF:4.000,\n14", with: "#EXTINF:\(duration),\n14")
        }
        #expect(Bodies.codes(text("4.6")) == ["target_duration_exceeded"])
        #expect(Bodies.violations(text("4.6")).first?.observed == "#EXTINF:4.6,")
        #expect(Bodies.codes(text("4.4")) == [])
        // Half a second rounds to even in some muxers.
        #expect(Bodies.codes(text("4.5")) == ["playlist_form_loose"])
        let late = "#EXTM3U\n#EXTINF:9,\na.ts\n#EXT-X-TARGETDURATION:4\n#EXT-X-ENDLIST"
        #expect(Bodies.codes(late) == ["target_duration_exceeded"])
    }

    @Test func targetDurationLoose() {
        let live = Bodies.live.replacing("#EXT-X-MEDIA-SEQUENCE:10\n", with: "")
        #expect(Bodies.codes(live.replacing("DURATION:4", with: "DURATION:6")) == ["target_duration_loose"])
        #expect(Bodies.codes(live.replacing("DURATION:4", with: "DURATION:5")) == [])
    }

    @Test func segmentDurationShort() {
        let short = Bodies.live.replacing("#EXTINF:4.000,\n13", with: "#EXTINF:1.900,\n13")
        #expect(Bodies.codes(short) == ["segment_duration_short"])
        #expect(Bodies.codes(short.replacing("1.900", with: "2.000")) == [])
        // The last segment before a break, and the last one of all, may be short.
        let next = "#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:13.900Z\n#EXTINF:4.000,\n14"
        #expect(Bodies.codes(short.replacing("#EXTINF:4.000,\n14", with: next)) == [])
        #expect(Bodies.codes(Bodies.live.replacing("#EXTINF:4.000,\n14", with: "#EXTINF:1.000,\n14")) == [])
        // What is not loaded again, and key frames alone, may be short.
        #expect(Bodies.codes(short + "\n#EXT-X-ENDLIST") == [])
        let frames = short.replacing("#EXT-X-MAP", with: "#EXT-X-I-FRAMES-ONLY\n#EXT-X-MAP")
        #expect(Bodies.codes(frames) == [])
    }

    /// Only versions tell that segments were removed: a channel begins at whatever number it likes.
    @Test func liveWindowShort() throws {
        let start = LiveVersion()
        let left = start.later(6) { $0.count = 2 }
        #expect(try codes(start, left) == ["live_window_short"])
        #expect(try codes(start, start.later(6) { $0.count = 3 }) == [])
        // The target duration is rounded, three times half a second at the most, however many segments there are.
        let rounded = start.later(8) { version in
            version.count = 3
            for number in 108..<111 { version.durations[number] = "1.500" }
        }
        #expect(try codes(start, rounded) == [])
        let many = start.later(8) { version in
            for number in 108..<116 { version.durations[number] = "0.550" }
        }
        #expect(try codes(start, many) == ["live_window_short"])
        // Nothing was removed, and what has ended may be short.
        #expect(try codes(start.changed { $0.count = 1 }, start.changed { $0.count = 2 }) == [])
        #expect(try !codes(start, left.changed { $0.end = ["#EXT-X-ENDLIST"] }).contains("live_window_short"))
        // The whole window went: a packager that began anew.
        let anew = start.later(9) { $0.count = 1 }
        #expect(try codes(start, anew, elapsed: .seconds(4)) == ["live_window_short"])
        for first in [0, 1, 10, 1_795_291_200] {
            #expect(Bodies.codes(start.changed { ($0.first, $0.count) = (first, 1) }.text) == [])
        }
    }

    @Test func livePlaylistTyped() throws {
        let start = LiveVersion().changed { $0.header = ["#EXT-X-PLAYLIST-TYPE:EVENT"] }
        let slid = start.later(1)
        #expect(try codes(start, slid) == ["live_playlist_typed"])
        #expect(try codes(LiveVersion(), slid) == ["live_playlist_typed"])
        #expect(try codes(start, start.changed { $0.count += 1 }) == [])
        #expect(try codes(watching: [start, slid, slid.changed { $0.count += 1 }]).first == "live_playlist_typed")
        // An event may begin at any number.
        let event = Bodies.live(with: "#EXT-X-PLAYLIST-TYPE:EVENT")
        for first in ["0", "1", "10"] {
            #expect(Bodies.codes(event.replacing("MEDIA-SEQUENCE:10", with: "MEDIA-SEQUENCE:\(first)")) == [])
        }
        let recorded = Bodies.live(with: "#EXT-X-PLAYLIST-TYPE:VOD")
        #expect(Bodies.codes(recorded) == ["live_playlist_typed"])
        #expect(Bodies.codes(recorded + "\n#EXT-X-ENDLIST") == [])
    }

    @Test(arguments: [
        ("HOLD-BACK=12,", "HOLD-BACK=11.9,"), ("PART-HOLD-BACK=3", "PART-HOLD-BACK=1.9"),
        ("CAN-SKIP-UNTIL=24", "CAN-SKIP-UNTIL=23"), ("CAN-SKIP-UNTIL=24", "CAN-SKIP-DATERANGES=YES"),
    ])
    func serverControlInvalid(_ legal: String, _ broken: String) {
        #expect(Bodies.codes(Bodies.lowLatency.replacing(legal, with: broken)) == ["server_control_invalid"])
        #expect(Bodies.codes(Bodies.lowLatency.replacing("HOLD-BACK=12,", with: "")) == [])
    }

    @Test(arguments: [
        // A thousandth of a second may have been rounded away, of the part target too.
        ("1.99", ["server_control_invalid"]), ("1.999", ["part_hold_back_short"]), ("2", ["part_hold_back_short"]),
        ("2.99", ["part_hold_back_short"]), ("2.997", []), ("3", []), ("6", []),
    ])
    func partHoldBackShort(seconds: String, codes: [String]) {
        let text = Bodies.lowLatency.replacing("PART-HOLD-BACK=3", with: "PART-HOLD-BACK=\(seconds)")
        #expect(Bodies.codes(text) == codes)
    }

    @Test(arguments: [
        ("DURATION=1,URI=\"12.2", "DURATION=1.1,URI=\"12.2"),
        ("DURATION=0.9", "DURATION=0.5"),
        ("#EXT-X-PART-INF:PART-TARGET=1\n", ""),
        (",PART-HOLD-BACK=3", ""),
    ])
    func partialSegmentInvalid(_ legal: String, _ broken: String) {
        let text = Bodies.lowLatency.replacing(legal, with: broken)
        #expect(text != Bodies.lowLatency)
        #expect(Bodies.codes(text) == ["partial_segment_invalid"])
        // A gap, and the last part of a segment, may be short.
        let gap = Bodies.lowLatency.replacing("DURATION=0.9", with: "DURATION=0.5,GAP=YES")
        #expect(Bodies.codes(gap) == [])
        // So may a part with a key frame, and one before a gap; but not be too long.
        func part(_ more: String) -> String {
            Bodies.lowLatency.replacing("DURATION=0.9,URI=\"12.1.ts\"", with: "URI=\"12.1.ts\",\(more)")
        }
        #expect(Bodies.codes(part("DURATION=0.5,INDEPENDENT=YES")) == [])
        #expect(Bodies.codes(part("DURATION=0.5,INDEPENDENT=NO")) == ["partial_segment_invalid"])
        #expect(Bodies.codes(part("DURATION=1.5,INDEPENDENT=YES")) == ["partial_segment_invalid"])
        let before = part("DURATION=0.5").replacing("12.2.ts\"", with: "12.2.ts\",GAP=YES")
        #expect(Bodies.codes(before) == [])
    }

    @Test func programDateMissing() {
        let undated = Bodies.live.split(separator: "\n").filter { !$0.contains("DATE-TIME") }.joined(separator: "\n")
        #expect(Bodies.codes(undated) == ["program_date_missing"])
        #expect(Bodies.codes(undated + "\n#EXT-X-ENDLIST") == [])
        let discontinuity = Bodies.live.replacing(
            "#EXTINF:4.000,\n14",
            with: "#EXT-X-DISCONTINUITY\n#EXTINF:4.000,\n14"
        )
        #expect(Bodies.codes(discontinuity) == ["program_date_missing"])
        let dated = "#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2026-11-21T21:00:00Z\n#EXTINF:4.000,\n14"
        #expect(Bodies.codes(Bodies.live.replacing("#EXTINF:4.000,\n14", with: dated)) == [])
    }

    @Test func programDateInconsistent() {
        func text(_ second: String) -> String { Bodies.live.replacing("20:00:08.000Z", with: "20:00:\(second)Z") }
        #expect(Bodies.codes(text("09.100")) == ["program_date_inconsistent"])
        #expect(Bodies.codes(text("06.900")) == ["program_date_inconsistent"])
        #expect(Bodies.codes(text("08.900")) == [])
        // Steps of which none is a second add up.
        let date = "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:"
        let drifting = text("08.700").replacing("#EXTINF:4.000,\n13", with: "\(date)13.400Z\n#EXTINF:4.000,\n13")
        #expect(Bodies.codes(drifting) == ["program_date_inconsistent"])
        #expect(Bodies.codes(drifting.replacing("13.400Z", with: "12.900Z")) == [])
        // A discontinuity may begin another mapping.
        let cut = text("30").replacing(
            "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:30",
            with: "#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:30"
        )
        #expect(Bodies.codes(cut) == [])
        // Whole seconds may each be half a second off.
        let whole = text("09.900").replacing("#EXTINF:4.000", with: "#EXTINF:4")
        #expect(Bodies.codes(whole) == [])
    }
}
