import Testing

@testable import HLS

@Suite struct DateJumpTests {
    /// Segments of 4 s: `+` begins a discontinuity, a number is the second of the segment's date, and `-` is without a date.
    @Test(arguments: [
        ("0 - 8 +20 24", ["3: 8"]), ("0 4 +8 12", []), ("0 4 +8.9 12", []), ("0 4 +9 13", ["2: 1"]),
        ("20 24 +8 12", ["2: -20"]),
        // Dates are carried on over a discontinuity, and jump where the next tag is.
        ("0 4 +- 22 26", ["3: 10"]),
        ("0 4 +- - +- 30", ["5: 10"]),
        // Before the first tag they are carried back.
        ("- +10 14", []),
        // A tag on the same side of a discontinuity is no jump.
        ("0 30", []),
        ("0 +34 +8", ["1: 30", "2: -30"]),
        ("- +-", []),
    ])
    func datesJumpAtDiscontinuities(segments: String, jumps: [String]) throws {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-DISCONTINUITY-SEQUENCE:3\n"
        for (number, word) in segments.split(separator: " ").enumerated() {
            if word.first == "+" { text += "#EXT-X-DISCONTINUITY\n" }
            let second = word.drop { $0 == "+" }
            if second != "-" {
                let padded = second.contains(".") ? second : second + ".0"
                text += "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:\(padded.count < 4 ? "0" : "")\(padded)00Z\n"
            }
            text += "#EXTINF:4,\n\(number).ts\n"
        }
        let playlist = try Samples.mediaPlaylist(text)
        #expect(playlist.dateJumps.map { "\($0.segmentIndex): \($0.microseconds / 1_000_000)" } == jumps)
        for jump in playlist.dateJumps {
            #expect(jump.mediaSequence == 7 + UInt64(jump.segmentIndex))
            #expect(jump.discontinuitySequence == playlist.segments[jump.segmentIndex].discontinuitySequence)
        }
    }
}
