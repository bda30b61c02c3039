extension FindingCode {
    package static let renditionCueDiffers = FindingCode(
        ("rendition_cue_differs", .renditions, .wrong),
        meaning: "Cue tags mark another break, or none, in one playlist of a channel: ads depend on the rendition.",
        rule: .assumed(
            """
            no specification defines cue tags; as date ranges do, they mark the same breaks in all playlists that have any, \
            within a second, or within a segment where audio is not cut
            """,
            .allowance
        ),
        likelyCauses: "The packager inserts the markers for each rendition on its own and missed one.",
        "Audio and video are cut at other places, and the cue stands at the cut.",
        "A manifest manipulator rewrites the variants that it knows and leaves the others.",
        whereToLook: "The cue tags around that time in both playlists, fetched at the same instant."
    )

    package static let renditionDateRangeDiffers = FindingCode(
        ("rendition_date_range_differs", .renditions, .wrong),
        meaning: "Playlists of one channel announce different date ranges, so a break depends on the rendition played.",
        rule: .hls("6.2.4", "playlists with date ranges have the same ones, with the same attributes"),
        .hls("D.2", "interstitials of one time have one order in every playlist"),
        .assumed("times that are at most a frame apart are the same", .announcementTolerance),
        likelyCauses: "The packager inserts the markers for each rendition on its own and missed one.",
        "One rendition comes from another packager, or from a cache that holds an older version.",
        "A manifest manipulator rewrites the variants that it knows and leaves the others.",
        whereToLook: "The EXT-X-DATERANGE lines of that ID in both playlists, fetched at the same instant."
    )

    package static let renditionDiscontinuityDiffers = FindingCode(
        ("rendition_discontinuity_differs", .renditions, .wrong),
        meaning: "Playlists of one channel number the discontinuity at the same program time differently, so a player "
            + "that switches between them loses its place.",
        rule: .hls("6.2.4", "matching content has matching discontinuity sequence numbers"),
        likelyCauses: "A packager restarted one rendition and began to count anew.",
        "EXT-X-DISCONTINUITY-SEQUENCE is left out or not raised when a discontinuity slides out of the window.",
        "Ads were stitched into some renditions only.",
        whereToLook: "EXT-X-DISCONTINUITY-SEQUENCE and the discontinuities up to that time in both playlists."
    )

    package static let renditionEdgeLags = FindingCode(
        ("rendition_edge_lags", .renditions, .suspect),
        meaning: "One playlist of the channel ends more than three target durations before another one, so a player "
            + "that switches to it stalls.",
        rule: .hls("6.2.4", "content in one variant only is no longer than the smallest target duration"),
        .assumed(
            "two playlists may be three target durations apart, for they are not loaded at one instant",
            .allowance
        ),
        likelyCauses: "The encoder or packager of that rendition falls behind.",
        "A cache keeps that playlist longer than the others.",
        "The clocks that stamp the program dates of the two renditions disagree.",
        whereToLook: "The last program date of both playlists, their Age fields, and the encoder of the one behind."
    )

    package static let renditionEncryptionDiffers = FindingCode(
        ("rendition_encryption_differs", .renditions, .suspect),
        meaning: "One playlist of the channel lists encrypted segments where another of its kind lists clear ones.",
        rule: .hls("6.2.3", "every encrypted segment has an EXT-X-KEY that applies to it"),
        .assumed("renditions of one kind are all encrypted or all clear", .allowance),
        likelyCauses: "EXT-X-KEY was lost on the way, so players take encrypted segments for clear ones.",
        "Protection is switched on for some renditions only.",
        "After a break the key of the channel was not set again in one of them.",
        whereToLook: "The EXT-X-KEY lines before the segments of that time in both playlists."
    )

    package static let renditionProgramDateDiffers = FindingCode(
        ("rendition_program_date_differs", .renditions, .suspect),
        meaning: "Segments of equal length begin at other program dates in one playlist of the channel than in "
            + "another, so a break falls on different content.",
        rule: .hls("6.2.4", "the program dates of all playlists map consistently to media time"),
        .assumed("segments of equal length that never begin within 500 ms of each other differ", .allowance),
        likelyCauses: "Encoders without a common clock stamp their renditions apart.",
        "One rendition has the time of packaging, the other that of capture.",
        "Rounding of durations adds up in one playlist, because program dates are not written anew.",
        whereToLook: "EXT-X-PROGRAM-DATE-TIME before both segments, and the clock of the encoder that wrote each."
    )

    package static let renditionProgramDateMissing = FindingCode(
        ("rendition_program_date_missing", .renditions, .wrong),
        meaning: "Of two playlists of one channel only one has program dates: no break can be placed in the other.",
        rule: .hls("6.2.4", "if one playlist has EXT-X-PROGRAM-DATE-TIME, all have"),
        likelyCauses: "Program dates are an option for each output of the packager, and one was left out.",
        "A manifest manipulator drops tags that it does not know.",
        whereToLook: "The packager's settings of the rendition without dates.",
        fault: "program_date_missing"
    )

    package static let renditionServerControlDiffers = FindingCode(
        ("rendition_server_control_differs", .renditions, .wrong),
        meaning: "Playlists of one channel promise different server behaviour: hold-back, delta updates or blocking.",
        rule: .hls("6.2.4", "if one playlist has EXT-X-SERVER-CONTROL, all have the same attributes and values"),
        likelyCauses: "Low latency was switched on for some renditions only.",
        "Renditions come from packagers of different configuration or version.",
        whereToLook: "The EXT-X-SERVER-CONTROL lines of both playlists.",
        fault: "header_changed"
    )

    package static let renditionTargetDurationDiffers = FindingCode(
        ("rendition_target_duration_differs", .renditions, .wrong),
        meaning: "Playlists of one channel have different target durations, so players reload them at different paces.",
        rule: .hls("6.2.4", "every playlist of the presentation has the same target duration"),
        likelyCauses: "The target duration is computed from the longest segment of each rendition.",
        "One rendition is packaged with another segment length.",
        whereToLook: "EXT-X-TARGETDURATION of both playlists, and the segment length set for each."
    )

    package static let renditionTypeDiffers = FindingCode(
        ("rendition_type_differs", .renditions, .wrong),
        meaning: "Playlists of one channel disagree on EXT-X-PLAYLIST-TYPE or on whether the channel has ended.",
        rule: .hls("6.2.4", "if one playlist has EXT-X-PLAYLIST-TYPE, all have the same"),
        .assumed("if one has EXT-X-ENDLIST, the others end as well", .allowance),
        likelyCauses: "One rendition's encoder stopped and the packager closed its playlist.",
        "A recording setting is on for some outputs only.",
        whereToLook: "EXT-X-PLAYLIST-TYPE and EXT-X-ENDLIST in both playlists.",
        fault: "live_playlist_typed"
    )
}
