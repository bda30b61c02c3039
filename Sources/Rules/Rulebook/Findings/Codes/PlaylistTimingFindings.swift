extension FindingCode {
    package static let targetDurationExceeded = FindingCode(
        ("target_duration_exceeded", .playlist, .wrong),
        meaning: "A segment is longer than the target duration, so buffers and reload waits are too short for it.",
        rule: .hls("4.4.3.1", "EXTINF, rounded to the nearest integer, must not exceed EXT-X-TARGETDURATION"),
        likelyCauses: "The encoder missed a key frame.",
        "The segment before a break or an ad's last segment was joined with the next.",
        "The target duration was taken from the encoder's settings and not from the longest segment.",
        whereToLook: "The EXTINF shown, and the key frames of its segment."
    )

    package static let targetDurationLoose = FindingCode(
        ("target_duration_loose", .playlist, .advice),
        meaning: """
            The target duration is more than a second longer than any segment, so players poll later and start \
            farther from the live edge.
            """,
        rule: .hls("4.4.3.1", "the target duration is an upper bound on the durations of segments"),
        .hls("6.3.4", "a client that found nothing new waits half of it"),
        .assumed("more than a second above the longest segment is loose", .allowance),
        likelyCauses: "The target duration is a constant of the packager.",
        "A long segment at the start of the channel raised it for good.",
        whereToLook: "EXT-X-TARGETDURATION beside the longest EXTINF."
    )

    package static let segmentDurationShort = FindingCode(
        ("segment_duration_short", .playlist, .advice),
        meaning: """
            A segment is shorter than half the target duration without a reason, so players reload and request more \
            often.
            """,
        rule: .hls("6.3.4", "a client waits for the duration of the last segment before it loads again"),
        .assumed(
            "a segment of less than half the target duration is short, where no discontinuity follows it",
            .allowance
        ),
        likelyCauses: "The encoder cut at an unplanned key frame.",
        "A splice point was conditioned although no discontinuity follows.",
        "Time stamps jumped at the encoder's input.",
        whereToLook: "The EXTINF shown, and what the encoder received at that time."
    )

    package static let liveWindowShort = FindingCode(
        ("live_window_short", .playlist, .wrong),
        meaning: """
            Segments were removed although less than three target durations remain, so players at the hold-back fall \
            out of the window.
            """,
        rule: .hls(
            "6.2.2",
            "a segment must not be removed if that leaves less than three target durations in a live playlist"
        ),
        likelyCauses: "The window is configured as a number of segments, and short ones follow each other in a break.",
        "The packager restarted and forgot its window.",
        whereToLook: "The window's length in the packager's settings, in seconds."
    )

    package static let livePlaylistTyped = FindingCode(
        ("live_playlist_typed", .playlist, .wrong),
        meaning: """
            A playlist that drops segments says EXT-X-PLAYLIST-TYPE, so players may never load it again or keep what \
            is gone.
            """,
        rule: .hls("6.2.2", "a live playlist must not contain EXT-X-PLAYLIST-TYPE, which lets no segment be removed"),
        likelyCauses: "A template for recordings is used for the live channel.",
        "A sliding window was put on top of an EVENT playlist.",
        whereToLook: "EXT-X-PLAYLIST-TYPE and EXT-X-MEDIA-SEQUENCE in the packager's output."
    )

    package static let serverControlInvalid = FindingCode(
        ("server_control_invalid", .playlist, .wrong),
        meaning: """
            EXT-X-SERVER-CONTROL promises what the rules do not allow, so players stall near the edge or ask for \
            delta updates in vain.
            """,
        rule: .hls(
            "4.4.3.8",
            """
            HOLD-BACK at least 3 target durations, PART-HOLD-BACK at least 2 part targets, CAN-SKIP-UNTIL at least 6 \
            target durations, CAN-SKIP-DATERANGES only with CAN-SKIP-UNTIL
            """
        ),
        .hls(
            "6.2.5.1",
            "a delta update leaves out only what is older than the skip boundary; CAN-SKIP-UNTIL offers such updates"
        ),
        likelyCauses: "The values were set for another target duration.",
        "CAN-SKIP-DATERANGES was switched on without CAN-SKIP-UNTIL.",
        whereToLook: "EXT-X-SERVER-CONTROL beside EXT-X-TARGETDURATION and EXT-X-PART-INF."
    )

    package static let partialSegmentInvalid = FindingCode(
        ("partial_segment_invalid", .playlist, .wrong),
        meaning: """
            Partial segments contradict their own header, or playlists do not report each other's state, so low-latency \
            players stall, fall back to whole segments or switch late.
            """,
        rule: .hls("4.4.3.7", "EXT-X-PART-INF is required where there are parts"),
        .hls("4.4.3.8", "PART-HOLD-BACK is required where there is EXT-X-PART-INF"),
        .hls("4.4.4.9", "a part is no longer than the part target, and but for some not shorter than 85 % of it"),
        .hls("B.1", "a low-latency playlist has an EXT-X-RENDITION-REPORT for each other one of the channel"),
        .hls("4.4.5.4", "a report names another playlist of the channel, and LAST-MSN its last segment"),
        .assumed("a report may be three target durations off, as playlists are not loaded at once", .allowance),
        likelyCauses: "The encoder's fragments do not fit the part target.",
        "EXT-X-PART-INF or PART-HOLD-BACK was lost on the way.",
        "Rendition reports are written by a packager that knows one rendition only, or kept by a cache.",
        whereToLook: """
            The EXT-X-PART line shown beside PART-TARGET, or the EXT-X-RENDITION-REPORT lines beside the other playlist.
            """
    )

    package static let partHoldBackShort = FindingCode(
        ("part_hold_back_short", .playlist, .advice),
        meaning:
            "Low-latency players are told to stay less than three part targets from the edge, where they stall easily.",
        rule: .hls("4.4.3.8", "PART-HOLD-BACK should be at least three times the part target"),
        likelyCauses: "Latency was bought with the players' buffers.",
        "The value was set for a shorter part target.",
        whereToLook: "PART-HOLD-BACK in EXT-X-SERVER-CONTROL beside PART-TARGET in EXT-X-PART-INF."
    )

    package static let programDateMissing = FindingCode(
        ("program_date_missing", .playlist, .advice),
        meaning: """
            Segments have no date, so breaks that are scheduled by date cannot be placed and viewers cannot be \
            aligned.
            """,
        rule: .hls("6.2.1", "a server that gives program dates should give one to each segment after a discontinuity"),
        .hls("B.1", "in low latency every media playlist has program dates"),
        .assumed("a live playlist that may have breaks is better off with dates", .allowance),
        likelyCauses: "The packager does not write program dates, or only where a segment begins a period.",
        "Stitched ads carry no date.",
        whereToLook: "The first segment shown that has no date, and what the packager knows about its time."
    )

    package static let programDateInconsistent = FindingCode(
        ("program_date_inconsistent", .playlist, .wrong),
        meaning: """
            Program dates do not fit the durations between them, so a break that is scheduled by date starts at the \
            wrong place.
            """,
        rule: .hls("6.2.1", "program dates must not make it ambiguous which segment a date means"),
        .assumed("dates and durations may be a second apart, and a gap between dates is advice", .allowance),
        likelyCauses: "The encoder's clock was corrected.",
        "EXTINF was rounded.",
        "Frames were lost without a discontinuity.",
        whereToLook: "The two dates beside the EXTINF between them."
    )

    package static let segmentUnreachable = FindingCode(
        ("segment_unreachable", .playlist, .wrong),
        meaning: """
            A segment that the live playlist lists was answered with an error, or not at all, while it was listed: \
            viewers stall or jump.
            """,
        rule: .hls("6.2.1", "a segment can be downloaded at once when it is added to a playlist"),
        .hls("6.2.2", "and until it has been there for its duration and that of the longest playlist which listed it"),
        likelyCauses: "The playlist is published before its last segment has reached every edge or storage location.",
        "A CDN kept a 404 from the moment before the segment was there.",
        "Segments are deleted by age or number, without regard to the playlists that still list them.",
        "The host of the segments is overloaded, or refuses what carries no token.",
        whereToLook:
            "The URL shown, asked for again, at the edge and at the origin; the segment's time of upload beside the playlist's."
    )
}
