extension FindingCode {
    package static let notAPlaylist = FindingCode(
        ("not_a_playlist", .playlist, .broken),
        meaning: "An answer that was to be a playlist is something else, so players have nothing to play.",
        rule: .hls("4.4.1.1", "EXTM3U is the first line of every playlist"),
        likelyCauses: "An error page with status 200, from a gateway or the CDN.",
        "The body was cut off or is empty.",
        "A content encoding that was not asked for.",
        whereToLook: "The body that the URL answers with, and who sent it: Server, Via and X-Cache fields."
    )

    package static let tagMalformed = FindingCode(
        ("tag_malformed", .playlist, .wrong),
        meaning: "A tag's value cannot be read, so players ignore the tag or refuse the playlist.",
        rule: .hls("4.1", "lines are UTF-8 without control characters or stray white space"),
        .hls("4.2", "attribute lists and the values of attributes have a fixed form"),
        likelyCauses: "The writer of the tag prints a value of another form than the tag has, such as an empty one.",
        "Two writers interleaved their lines.",
        "A proxy rewrote the body as text and broke a line.",
        whereToLook: "The line shown, and what wrote it: packager, manifest manipulator or edge function."
    )

    package static let playlistFormLoose = FindingCode(
        ("playlist_form_loose", .playlist, .advice),
        meaning: """
            A form is loose or rare: players are known to read over it, or ignore the line; what was expected names those \
            that refuse the playlist.
            """,
        rule: .hls("4.1", "lines are UTF-8 without control characters or stray white space"),
        .hls("4.2", "attribute lists and the values of attributes have a fixed form"),
        .hls("4.4.4.1", "a comma stands after EXTINF's duration"),
        .hls("6.3.1", "clients ignore a tag with an enumerated value that they do not know"),
        .hls("6.2.6", "a playlist should not have two hints of one TYPE"),
        .hls("4.4.4.9", "a playlist of key frames should have no parts"),
        .hls("6.2.2", "a playlist with discontinuities that loses segments counts those that left"),
        .hls("6.2.5.1", "a delta update skips what is older than the skip boundary, to the segment"),
        .hls("4.4.4.6", "a date is of any form of ISO 8601 and should have a zone, which is UTC without one"),
        .hls("4.4.5.3", "a hint is of a resource that the playlist does not list yet"),
        .hls(
            "6.2.1",
            "a VOD playlist does not change, and a playlist with the final segment of a presentation has EXT-X-ENDLIST"
        ),
        .hls("6.2.1", "dates must not become ambiguous, which a gap between two dates does not make them"),
        .hls("D.2", "a relative X-ASSET-LIST resolves from every playlist that has it"),
        .hls("B.1", "a low-latency playlist has an EXT-X-RENDITION-REPORT for each other one of the channel"),
        likelyCauses: "The writer of the line follows another edition of the rules, or none.",
        "A template with spaces beside its lines or its commas.",
        "A packager that leaves out the comma after a duration, or prints hexadecimal digits in lower case.",
        whereToLook: "The line shown, and what wrote it. Players of other makers may be stricter."
    )

    package static let tagRepeated = FindingCode(
        ("tag_repeated", .playlist, .wrong),
        meaning: "A tag that may stand once stands several times, so players disagree which one counts.",
        rule: .hls("4.4.3", "there is at most one media playlist tag of each type"),
        .hls("4.4.2", "a tag that either playlist may have stands once, EXT-X-DEFINE alone excepted"),
        .hls("4.4.1.2", "a playlist has at most one EXT-X-VERSION"),
        .hls("4.4.4.1", "EXTINF applies to the next segment only"),
        likelyCauses: "Two playlists were joined without dropping the second header.",
        "A manifest manipulator adds a tag that the packager had written already.",
        whereToLook: "The line shown beside the first occurrence of the same tag."
    )

    package static let tagMissing = FindingCode(
        ("tag_missing", .playlist, .wrong),
        meaning: "A tag that the playlist cannot do without is missing, so players refuse it or misread a segment.",
        rule: .hls("4.4.3.1", "EXT-X-TARGETDURATION is required"),
        .hls("4.4.4.1", "EXTINF is required for each segment"),
        likelyCauses: "A filter removed more lines than it should.",
        "The playlist was cut off at its beginning.",
        "A URI line is the rest of a broken comment or tag.",
        whereToLook: "What stands above the line shown, in the packager's own output and at the edge."
    )

    package static let tagMisplaced = FindingCode(
        ("tag_misplaced", .playlist, .wrong),
        meaning: "A tag stands where it cannot apply, so players ignore it or number segments wrongly.",
        rule: .hls("4.4.3.2", "EXT-X-MEDIA-SEQUENCE stands before the first segment"),
        .hls("4.4.3.3", "EXT-X-DISCONTINUITY-SEQUENCE stands before the first segment and any discontinuity"),
        .hls("4.1", "a playlist is media or multivariant, never both"),
        likelyCauses: "A manifest manipulator puts its segments in front of the header.",
        "Segment tags were left behind when the segment was removed.",
        "Tags of two kinds of playlist were mixed.",
        whereToLook: "The order of the tags around the line shown, and which step put them there."
    )

    package static let versionTooLow = FindingCode(
        ("version_too_low", .playlist, .wrong),
        meaning: "The playlist uses what its EXT-X-VERSION does not allow, so a player may read it by older rules.",
        rule: .hls("8", "each tag and attribute that came later asks for an EXT-X-VERSION of at least its own"),
        likelyCauses: "Low latency, variables or interstitials were added without raising the version.",
        "The version is fixed in a template.",
        "EXT-X-VERSION was lost on the way.",
        whereToLook: "EXT-X-VERSION beside the line shown that asks for more."
    )

    package static let variableUndefined = FindingCode(
        ("variable_undefined", .playlist, .wrong),
        meaning: "A variable is not defined, defined twice or defined without a value: the playlist cannot be read.",
        rule: .hls("6.3.1", "a reference to a variable that no EXT-X-DEFINE before it provides is a parsing error"),
        .hls("4.4.2.3", "a name is defined once, with the value, import or parameter that gives it"),
        likelyCauses: "The multivariant playlist does not define what a media playlist imports.",
        "The query parameter is missing from the URL, or got lost in a redirect.",
        "A reference was misspelt.",
        whereToLook: "EXT-X-DEFINE in both playlists, and the query of the URL after redirects."
    )

    package static let encryptionInvalid = FindingCode(
        ("encryption_invalid", .playlist, .wrong),
        meaning: "EXT-X-KEY contradicts itself, so players cannot find out how segments are encrypted.",
        rule: .hls("4.4.4.4", "METHOD is required; URI unless METHOD is NONE, and nothing else when it is"),
        likelyCauses: "Attributes of two keys, or of two systems of encryption, were mixed.",
        "Key rotation wrote a key without its URI.",
        "The clear ads of a break carry METHOD=NONE with the attributes of the content's key.",
        "An initialisation vector is not 128 bits long.",
        whereToLook: "The EXT-X-KEY line shown, and the key service's answer behind it."
    )

    package static let initializationSectionForeign = FindingCode(
        ("initialization_section_foreign", .playlist, .suspect),
        meaning: """
            An EXT-X-MAP of fragmented MP4 still applies to transport streams behind a discontinuity, so players that load \
            it first read the streams as MP4 and stop there.
            """,
        rule: .hls("4.4.4.5", "EXT-X-MAP applies to all segments up to the next EXT-X-MAP"),
        likelyCauses: "Ads that are transport streams were stitched into a channel of fragmented MP4.",
        "The ad was never transcoded to the channel's format.",
        whereToLook: "EXT-X-MAP and the names of segments on both sides of the EXT-X-DISCONTINUITY."
    )

    package static let startOffsetNearEdge = FindingCode(
        ("start_offset_near_edge", .playlist, .suspect),
        meaning: "EXT-X-START puts players closer to the live edge than is safe, so they stall soon after joining.",
        rule: .hls(
            "4.4.2.2",
            "TIME-OFFSET should not be within three target durations of the end of a live playlist"
        ),
        likelyCauses: "An offset that was meant for a recording stayed in the live playlist.",
        "The offset was chosen for a shorter target duration.",
        whereToLook: "TIME-OFFSET beside three times EXT-X-TARGETDURATION."
    )

    package static let contentTypeWrong = FindingCode(
        ("content_type_wrong", .playlist, .suspect),
        meaning: "The playlist's content type is not one of a playlist, so some players refuse it.",
        rule: .hls(
            "4",
            "a playlist is known by a path that ends with .m3u8 or .m3u, or by application/vnd.apple.mpegurl or audio/mpegurl"
        ),
        .assumed("a playlist with another content type has it by mistake", .allowance),
        likelyCauses: "The server does not know the extension .m3u8.",
        "A cache or function answers with a default type.",
        "The origin sets no type at all.",
        whereToLook: "Content-Type at the origin and at the edge."
    )

    package static let compressionMissing = FindingCode(
        ("compression_missing", .playlist, .advice),
        meaning: """
            The playlist came uncompressed to a client that accepts gzip, which costs every poll of every viewer its \
            transfer time.
            """,
        rule: .hls("6.2.1", "playlists should be sent with Content-Encoding gzip to a client that accepts it"),
        likelyCauses:
            "The server compresses only types that it knows, and application/vnd.apple.mpegurl is not among them.",
        "The edge strips Accept-Encoding before it asks the origin.",
        whereToLook: "The compression settings of origin and edge, for the playlist's content type."
    )
}
