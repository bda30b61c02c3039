import Conformance
import Measurement
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
        #expect(Bodies.codes(text("4.5")) == [])
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
    }

    @Test func liveWindowShort() {
        let cut = Bodies.live.replacing("#EXTINF:4.000,\n13.m4s\n#EXTINF:4.000,\n14.m4s", with: "")
        #expect(Bodies.codes(cut) == [])
        let short = cut.replacing("#EXTINF:4.000,\n11.m4s\n", with: "").replacing("20:00:08", with: "20:00:04")
        #expect(Bodies.codes(short) == ["live_window_short"])
        // Nothing was removed yet; numbers of a clock say nothing of it; and what has ended may be short.
        #expect(Bodies.codes(short.replacing("SEQUENCE:10", with: "SEQUENCE:0")) == [])
        #expect(Bodies.codes(short.replacing("SEQUENCE:10", with: "SEQUENCE:1795291200")) == [])
        #expect(Bodies.codes(short + "\n#EXT-X-ENDLIST") == [])
    }

    @Test func livePlaylistTyped() {
        let event = Bodies.live(with: "#EXT-X-PLAYLIST-TYPE:EVENT")
        #expect(Bodies.codes(event) == ["live_playlist_typed"])
        #expect(Bodies.codes(event.replacing("MEDIA-SEQUENCE:10", with: "MEDIA-SEQUENCE:0")) == [])
        let recorded = Bodies.live(with: "#EXT-X-PLAYLIST-TYPE:VOD").replacing("SEQUENCE:10", with: "SEQUENCE:0")
        #expect(Bodies.codes(recorded) == ["live_playlist_typed"])
        #expect(Bodies.codes(recorded + "\n#EXT-X-ENDLIST") == [])
    }

    @Test(arguments: [
        ("HOLD-BACK=12,", "HOLD-BACK=11.9,"), ("PART-HOLD-BACK=3", "PART-HOLD-BACK=1.9"),
        ("CAN-SKIP-UNTIL=24", "CAN-SKIP-UNTIL=23"), ("CAN-SKIP-UNTIL=24", "CAN-SKIP-DATERANGES=YES"),
    ])
    func serverControlInvalid(_ legal: String, _ broken: String) {
        #expect(Bodies.codes(Bodies.lowLatency.replacing(legal, with: broken)) == ["server_control_invalid"])
        #expect(Bodies.codes(Bodies.lowLatency.replacing("PART-HOLD-BACK=3", with: "PART-HOLD-BACK=2")) == [])
        #expect(Bodies.codes(Bodies.lowLatency.replacing("HOLD-BACK=12,", with: "")) == [])
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
