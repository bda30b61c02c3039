/// Dates that change between successive versions of a playlist.
enum VersionDateFindings {
    static let rows: [FindingCode] = [
        breakAnnouncedLate,
        breakExitUpdateWrong,
        dateRangeChanged,
        dateRangeReused,
        dateRangeVanished,
        programDateJump,
        spliceOrphaned,
    ]

    static let breakAnnouncedLate = FindingCode(
        "break_announced_late",
        .versions,
        .suspect,
        meaning: "The break was first announced so late that playheads may be at its start before players know of it.",
        rule: .hls(
            "4.4.5.1.1",
            "a splice should be announced together with the last segment before it, or earlier if possible"
        )
        .and(.hls("4.4.3.8", "players stay HOLD-BACK behind the live edge, three target durations without one"))
        .and(.hls("6.3.4", "and load the playlist again after the duration of its last segment"))
        .and(.assumed("the player that is nearest to the edge decides what is late", .startDistance)),
        likelyCauses: [
            "The splice message reaches the packager with too little pre-roll.",
            "The announcement waits for the ad decision.",
            "A cache delays the version that announces the break.",
        ],
        whereToLook: "When the date range or cue tag first appeared beside its start."
    )

    static let breakExitUpdateWrong = FindingCode(
        "break_exit_update_wrong",
        .versions,
        .wrong,
        meaning: "An update at the end of a break moved the live edge back or far ahead and the next one took it back.",
        rule: .hls("6.2.1", "an update only appends, and removes at the front")
            .and(
                .assumed(
                    "a live edge that one update moves and the next one takes back, near a break's end, is the splicer's",
                    .allowance
                )
            ),
        likelyCauses: [
            "The splicer publishes once from the state before the break, or from another input, when it returns.",
            "Dates at the return are computed from the planned length and corrected one update later.",
        ],
        whereToLook: "The live edge by program date in the three versions around the break's end."
    )

    static let dateRangeChanged = FindingCode(
        "date_range_changed",
        .versions,
        .wrong,
        meaning: "An attribute of a known date range was changed or lost, so viewers disagree about one break.",
        rule: .hls("4.4.5.1", "a later tag of an ID gives the same value to each attribute that was given before")
            .and(.hls("4.4.5.1.1", "and loses none"))
            .and(.assumed("times that are at most a frame apart are the same", .announcementTolerance)),
        likelyCauses: [
            "An address in it is signed, or carries a session, anew for each request.",
            "The break was rescheduled under its old ID.",
            "Each version of the playlist is made anew from a cue that was updated.",
            "Packagers behind one address format values differently.",
        ],
        whereToLook: "The tag in both versions, attribute by attribute."
    )

    static let dateRangeReused = FindingCode(
        "date_range_reused",
        .versions,
        .wrong,
        meaning: "The ID of an earlier date range stands for a new one, so players take the new break for the old.",
        rule: .hls("6.2.1", "the ID of a date range is not used again for a new one in the same playlist")
            .and(.assumed("starts that are at most a frame apart are the same", .announcementTolerance)),
        likelyCauses: [
            "SCTE-35 event ids wrap around or start anew with each event.",
            "The ID is made from something that repeats, such as the minute.",
        ],
        whereToLook: "START-DATE of both ranges and where their ID comes from."
    )

    static let dateRangeVanished = FindingCode(
        "date_range_vanished",
        .versions,
        .wrong,
        meaning:
            "A date range left the playlist while segments of it are still listed, so late viewers miss the break.",
        rule: .hls("6.2.1", "a date range stays while a date in it maps to a listed segment"),
        likelyCauses: [
            "The packager repeats the tag only for a few updates.",
            "The tag is bound to one segment and left with it.",
            "The break was cancelled after it had been announced.",
        ],
        whereToLook: "The range's dates beside those of the first and last listed segment."
    )

    static let programDateJump = FindingCode(
        "program_date_jump",
        .versions,
        .wrong,
        meaning: "The date of a segment moved, or does not follow from the segment before it, without a discontinuity.",
        rule: .hls(
            "6.2.1",
            "dates must not become ambiguous, and changes of timing are signalled by EXT-X-DISCONTINUITY"
        )
        .and(.assumed("a second more or less is no jump", .allowance)),
        likelyCauses: [
            "The encoder's clock was stepped.",
            "Dates are taken when segments are written, not from the media.",
            "The splice back from a break does not account for its true length.",
        ],
        whereToLook: "EXT-X-PROGRAM-DATE-TIME of the two segments beside the EXTINF between them."
    )

    static let spliceOrphaned = FindingCode(
        "splice_orphaned",
        .versions,
        .wrong,
        meaning:
            "A splice out has no splice in, or the other way round, so viewers stay in the break or return at a guess.",
        rule: .hls("4.4.5.1.1", "the range of an SCTE35-OUT is given its duration or end by a later tag")
            .and(.assumed("EXT-X-CUE-OUT and EXT-X-CUE-IN, which no specification has, come in pairs too", .allowance)),
        likelyCauses: [
            "The cue-in was lost between encoder and packager.",
            "The cue-out was cancelled without a word.",
            "A restart in the middle of the break forgot that it was open.",
        ],
        whereToLook: "The cue tags and date ranges of both versions around the break's edges."
    )
}
