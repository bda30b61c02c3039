/// Attributes that change between successive versions of a playlist.
enum VersionAttributeFindings {
    static let rows: [FindingCode] = [
        discontinuitySequenceMissing,
        headerChanged,
        segmentAttributesChanged,
    ]

    static let discontinuitySequenceMissing = FindingCode(
        "discontinuity_sequence_missing",
        .versions,
        .advice,
        meaning:
            "An EXT-X-DISCONTINUITY left the playlist with its segment, and no EXT-X-DISCONTINUITY-SEQUENCE counts it, "
            + "so whoever joins now numbers segments otherwise than the other renditions and the viewers from before.",
        rule: .hls(
            "6.2.2",
            "a playlist with a discontinuity from which segments are removed must have EXT-X-DISCONTINUITY-SEQUENCE"
        ),
        likelyCauses: [
            "The packager knows no such tag: ffmpeg's muxer drops each discontinuity with its segment.",
            "A manifest manipulator inserts the discontinuities of its breaks and leaves the header as it was.",
        ],
        whereToLook: "The first segments of the version before, and the header of this one."
    )

    static let headerChanged = FindingCode(
        "header_changed",
        .versions,
        .wrong,
        meaning:
            "A value of the header by which players time requests or keep their distance is another one than before: "
            + "PART-TARGET, HOLD-BACK, PART-HOLD-BACK or CAN-SKIP-UNTIL.",
        rule: .hls(
            "6.2.1",
            """
            a server changes a media playlist only by the lines that it appends or removes, by its two counts and by \
            EXT-X-ENDLIST
            """
        ),
        likelyCauses: [
            "The value is computed from the segments or parts that are listed just now.",
            "Packagers or edges behind one address are configured differently.",
            "The packager was configured anew while the channel went on.",
        ],
        whereToLook: "EXT-X-PART-INF and EXT-X-SERVER-CONTROL of both versions, and which packager wrote each."
    )

    static let segmentAttributesChanged = FindingCode(
        "segment_attributes_changed",
        .versions,
        .wrong,
        meaning:
            "What applies to a published segment changed while its URI stayed: its initialization section, its key, "
            + "whether it is a gap, where its bytes begin, or the URI of one of its parts.",
        rule: .hls(
            "6.2.1",
            """
            a server changes a media playlist only by the lines that it appends or removes, by its two counts and by \
            EXT-X-ENDLIST
            """
        ),
        likelyCauses: [
            "EXT-X-MAP or EXT-X-KEY was not written again when the segment that it stood before was removed.",
            "The tags of a break's first segment went to the segment beside it.",
            "A segment that had failed was marked as a gap after it had been published.",
        ],
        whereToLook: "The tags before the segment in both versions, from the last EXT-X-MAP and EXT-X-KEY on."
    )
}
