extension FindingCode {
    package static let dateRangeInvalid = FindingCode(
        ("date_range_invalid", .playlist, .wrong),
        meaning: "A date range cannot be read as one, so players ignore it and the break may not happen.",
        rule: .hls(
            "4.4.5.1",
            """
            ID in each tag, START-DATE in the first of an ID, END-DATE not before it, durations not negative, \
            END-ON-NEXT only with CLASS
            """
        ),
        .page(
            .dateRangeMarkers,
            "a tag that only ends its range is let pass, and may outlive the one that began it",
            quotation: "The second EXT-X-DATERANGE includes an END-DATE and a time that is 30.03 seconds later."
        ),
        likelyCauses: "A template leaves out an attribute or quotation marks, or prints an empty value.",
        "The packager turned a splice without a duration into a negative value.",
        "Clocks of encoder and packager disagree.",
        "A splice in was written without the splice out that it ends.",
        whereToLook: "The EXT-X-DATERANGE line shown, and the signal that it was made from."
    )

    package static let dateRangeConflict = FindingCode(
        ("date_range_conflict", .playlist, .wrong),
        meaning: "Two tags with one ID disagree, so some viewers take the one break and others the other.",
        rule: .hls("4.4.5.1", "tags with one ID give the same value to each attribute that both have"),
        likelyCauses: "An identifier is used again for the next break.",
        "Two signals of one break were converted separately.",
        "An update replaced a value where it may only add attributes.",
        whereToLook: "The two values shown, and the signals behind them."
    )

    package static let dateRangeWithoutProgramDate = FindingCode(
        ("date_range_without_program_date", .playlist, .wrong),
        meaning: "There are date ranges, but no segment has a date: no player can place the break.",
        rule: .hls(
            "4.4.5.1",
            "a playlist with EXT-X-DATERANGE must have at least one EXT-X-PROGRAM-DATE-TIME"
        ),
        likelyCauses: "Program dates are switched off for this rendition.",
        "The only dated segment has left the window.",
        whereToLook: "The packager's setting for EXT-X-PROGRAM-DATE-TIME."
    )

    package static let dateRangeOverlap = FindingCode(
        ("date_range_overlap", .playlist, .wrong),
        meaning: "Date ranges of a class overlap although one of them ends where the next begins.",
        rule: .hls("4.4.5.1", "ranges of a CLASS that uses END-ON-NEXT must not overlap"),
        likelyCauses: "The duration of a range was given beside others that end on the next.",
        "A range was inserted between two that were published already.",
        whereToLook: "All EXT-X-DATERANGE lines of the class shown, by START-DATE."
    )

    package static let interstitialInvalid = FindingCode(
        ("interstitial_invalid", .playlist, .wrong),
        meaning: """
            An interstitial's attributes contradict the rules, so players leave the break out or play it otherwise \
            than meant.
            """,
        rule: .hls("D.2", "exactly one of X-ASSET-URI and X-ASSET-LIST, and values from the lists given there"),
        .hls("D.3", "the attributes of the skip button are integers and a label id"),
        likelyCauses: "A value is misspelt, not quoted or of another form.",
        "The manifest manipulator fills both addresses, or none.",
        "Attributes of another vendor's dialect were copied.",
        whereToLook: "The EXT-X-DATERANGE line shown."
    )

    package static let dateRangeIneffective = FindingCode(
        ("date_range_ineffective", .playlist, .advice),
        meaning: """
            Players ignore a part of a date range: a name that is nearly a defined one, a preload range that does not fit; \
            a splice in under another ID than its splice out, or an opportunity in SCTE35-CMD.
            """,
        rule: .hls("F", "what a preload range loaded is discarded where its URI or class is not that of its target"),
        .hls("4.4.5.1.1", "an SCTE35-IN has the ID of the SCTE35-OUT that it ends"),
        .hls("4.4.5.1.1", "a time_signal other than splice out or in should be in SCTE35-CMD, and only such"),
        .assumed("a name that is one typing mistake from a defined one was meant to be that one", .allowance),
        likelyCauses: "A letter, a hyphen or the case of a name differs: X-CUE for CUE, X-ASSETLIST for X-ASSET-LIST.",
        "An attribute of a player's programming interface was taken for one of the playlist, as resumptionOffset.",
        "The address in the preload range is signed, or written, in another way than that of its target.",
        "The packager counts IDs by tags instead of by breaks.",
        whereToLook: "The EXT-X-DATERANGE line shown, letter by letter."
    )

    package static let spliceInvalid = FindingCode(
        ("splice_invalid", .playlist, .wrong),
        meaning: """
            A splice signal in the playlist cannot be decoded, contradicts the tag that carries it, or its end does not say \
            when it was.
            """,
        rule: .hls(
            "4.4.5.1.1",
            """
            SCTE35-CMD, -OUT and -IN hold a splice_info_section in hexadecimal; one out of the network is in -OUT, one back \
            in -IN, and any other in -CMD; an end says when it was
            """
        ),
        .written(in: .scte35(section: "9.6"), "a splice_info_section ends with CRC_32 over all of it"),
        .assumed(
            """
            no specification defines cue tags; a section in one, or beside it, goes where the tag goes, and a splice_insert is \
            as long
            """,
            .allowance
        ),
        likelyCauses: "The section was written in base64, or cut off.",
        "The attributes for the beginning and the end of a break are mixed up.",
        "The encoder's message was changed without computing CRC_32 again.",
        "The end of a break was published without its duration.",
        whereToLook: "The section shown, decoded, beside the encoder's splice log."
    )

    package static let cueUnclear = FindingCode(
        ("cue_unclear", .playlist, .advice),
        meaning: """
            A cue tag can be read in several ways or not at all, so ad inserters and players take other lengths for the \
            break.
            """,
        rule: .assumed(
            """
            no specification defines EXT-X-CUE-OUT, -CONT, -IN or EXT-X-CUE, and SCTE 35 (2017) no more than EXT-X-SCTE35; \
            readers know lengths as numbers of seconds, equal in all tags of a break and its segmentation, sections in base64, \
            and begins and ends in pairs
            """,
            .allowance
        ),
        likelyCauses: "The packager writes another form of duration, such as ISO 8601 or milliseconds, or -1 for none.",
        "A space or quotation marks stand beside the number.",
        "Two parts of the chain write a cue tag each, and compute its length apart.",
        whereToLook: "The cue tag shown, and the ad marker settings of the packager."
    )

    package static let variantIncomplete = FindingCode(
        ("variant_incomplete", .playlist, .advice),
        meaning: "A variant leaves out what players choose by, so they try out or refuse variants.",
        rule: .hls(
            "4.4.6.2",
            "every variant should say CODECS; RESOLUTION and FRAME-RATE are recommended where there is video"
        ),
        .assumed("AVERAGE-BANDWIDTH, which is optional there, is wanted too", .allowance),
        likelyCauses: "The packager writes only BANDWIDTH.",
        "A manifest manipulator rewrote the line and dropped attributes that it does not know.",
        whereToLook: "The EXT-X-STREAM-INF line shown."
    )

    package static let renditionGroupInvalid = FindingCode(
        ("rendition_group_invalid", .playlist, .wrong),
        meaning: """
            Renditions and variants do not fit together, so players have no audio or subtitles, or refuse the \
            variant.
            """,
        rule: .hls("4.4.6.1.1", "groups of one type have the same members, whose names differ within a group"),
        .hls("4.4.6.2", "a group that a variant names exists, and CLOSED-CAPTIONS=NONE is for all variants or none"),
        likelyCauses: "A filter removed EXT-X-MEDIA lines and not what names them, or the other way round.",
        "Groups for different bit rates were configured by hand.",
        whereToLook: "GROUP-ID and NAME of all EXT-X-MEDIA lines beside AUDIO, VIDEO, SUBTITLES and CLOSED-CAPTIONS."
    )
}
