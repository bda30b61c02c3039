/// Rules of the text itself, of attribute lists, variables, and tags of either kind of playlist.
enum TextRulePairs {
    static let pairs: [RulePair] =
        [
            RulePair(
                "4.1",
                "UTF-8",
                sound: "`# ü` in UTF-8",
                broken: "`# ü` in Latin-1",
                "tag_malformed",
                (latin("ü"), latin(nil))
            ),
            .line("4.1", "no control characters", "# a", "# \u{1}a", "tag_malformed"),
            RulePair(
                "4.1",
                "no byte order mark",
                in: Bodies.live,
                at: "#EXTM3U",
                sound: "#EXTM3U",
                broken: "\u{FEFF}#EXTM3U",
                "tag_malformed"
            ),
            RulePair(
                "4.1",
                "no white space after a line",
                in: Bodies.live,
                at: "12.m4s",
                sound: "12.m4s",
                broken: "12.m4s ",
                "playlist_form_loose"
            ),
            RulePair(
                "4.1",
                "no white space before a line",
                in: Bodies.live,
                at: "12.m4s",
                sound: "12.m4s",
                broken: " 12.m4s",
                "playlist_form_loose"
            ),
            RulePair(
                "4.1",
                "no white space after the first line",
                in: Bodies.live,
                at: "#EXTM3U",
                sound: "#EXTM3U",
                broken: "#EXTM3U ",
                "playlist_form_loose"
            ),
            .line(
                "4.1",
                "no tags of a multivariant playlist among those of a media playlist",
                "#EXT-X-BITRATE:900",
                "#EXT-X-STREAM-INF:BANDWIDTH=1",
                "tag_misplaced"
            ),
            .ofVariants(
                "4.1",
                "no tags of a media playlist among those of a multivariant playlist",
                "#EXT-X-SESSION-DATA:DATA-ID=\"a\",VALUE=\"b\"",
                "#EXT-X-TARGETDURATION:4",
                "tag_misplaced"
            ),
            .line(
                "4.2",
                "attributes are NAME=value",
                "#EXT-X-START:TIME-OFFSET=0,PRECISE=YES",
                "#EXT-X-START:TIME-OFFSET=0,PRECISE",
                "tag_malformed"
            ),
            .line(
                "4.2",
                "each attribute once",
                "#EXT-X-START:TIME-OFFSET=0",
                "#EXT-X-START:TIME-OFFSET=0,TIME-OFFSET=0",
                "tag_malformed"
            ),
            .line(
                "4.2",
                "no white space between attributes",
                "#EXT-X-START:TIME-OFFSET=0,PRECISE=YES",
                "#EXT-X-START:TIME-OFFSET=0, PRECISE=YES",
                "playlist_form_loose"
            ),
            .line(
                "4.2",
                "no comma after the last attribute",
                "#EXT-X-START:TIME-OFFSET=0",
                "#EXT-X-START:TIME-OFFSET=0,",
                "playlist_form_loose"
            ),
            .line(
                "4.2",
                "names of attributes are of A to Z, 0 to 9 and -",
                "#EXT-X-START:TIME-OFFSET=0,X-A=1",
                "#EXT-X-START:TIME-OFFSET=0,X-a=1",
                "playlist_form_loose"
            ),
            .line(
                "4.2",
                "hexadecimal digits are 0 to 9 and A to F",
                "\(range),X-A=0xAF",
                "\(range),X-A=0xaf",
                "playlist_form_loose"
            ),
            .line("4.2", "quoted strings are closed", "\(range),X-A=\"a\"", "\(range),X-A=\"a", "date_range_invalid"),
            .line(
                "4.2",
                "an enumerated string is not quoted",
                "#EXT-X-START:TIME-OFFSET=0,PRECISE=NO",
                "#EXT-X-START:TIME-OFFSET=0,PRECISE=\"NO\"",
                "tag_malformed"
            ),
            RulePair(
                "4.3",
                "a variable is defined before it is used",
                in: variables,
                at: "{$x}.m4s",
                sound: "{$x}.m4s",
                broken: "{$y}.m4s",
                "variable_undefined"
            ),
            RulePair(
                "4.4.1.1",
                "EXTM3U is the first line",
                in: Bodies.live,
                at: "#EXTM3U\n",
                sound: "#EXTM3U\n",
                broken: "",
                "not_a_playlist"
            ),
            RulePair(
                "4.4.1.2",
                "EXT-X-VERSION once",
                in: Bodies.live,
                at: "#EXT-X-VERSION:7",
                sound: "#EXT-X-VERSION:7",
                broken: "#EXT-X-VERSION:7\n#EXT-X-VERSION:7",
                "tag_repeated"
            ),
            RulePair(
                "4.4.1.2",
                "EXT-X-VERSION is a whole number",
                in: Bodies.live,
                at: "#EXT-X-VERSION:7",
                sound: "#EXT-X-VERSION:7",
                broken: "#EXT-X-VERSION:7.1",
                "tag_malformed"
            ),
            .line(
                "4.4.2.2",
                "EXT-X-START has TIME-OFFSET",
                "#EXT-X-START:TIME-OFFSET=0",
                "#EXT-X-START:PRECISE=NO",
                "tag_malformed"
            ),
            .line(
                "4.4.2.2",
                "EXT-X-START once",
                "#EXT-X-START:TIME-OFFSET=0",
                "#EXT-X-START:TIME-OFFSET=0\n#EXT-X-START:TIME-OFFSET=0",
                "tag_repeated"
            ),
            .line(
                "4.4.2.1",
                "EXT-X-INDEPENDENT-SEGMENTS once",
                "#EXT-X-INDEPENDENT-SEGMENTS",
                "#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-INDEPENDENT-SEGMENTS",
                "tag_repeated"
            ),
            define(
                "one of NAME, IMPORT, QUERYPARAM",
                "NAME=\"a\",VALUE=\"b\"",
                "NAME=\"a\",VALUE=\"b\",QUERYPARAM=\"c\"",
                "tag_malformed"
            ),
            define("VALUE beside NAME", "NAME=\"a\",VALUE=\"\"", "NAME=\"a\"", "tag_malformed"),
            define(
                "VALUE beside the others says nothing",
                "QUERYPARAM=\"a\",VALUE=\"\"",
                "VALUE=\"\"",
                "tag_malformed"
            ),
            define(
                "a name of letters, digits, - and _",
                "NAME=\"a-b_1\",VALUE=\"\"",
                "NAME=\"a b\",VALUE=\"\"",
                "tag_malformed"
            ),
            define(
                "each name once",
                "NAME=\"a\",VALUE=\"\"",
                "NAME=\"a\",VALUE=\"\"\n\(defined)NAME=\"a\",VALUE=\"\"",
                "variable_undefined"
            ),
            RulePair(
                "4.4.2.3",
                "IMPORT in media playlists only",
                in: Bodies.multivariant,
                at: "VERSION:7",
                sound: "VERSION:8\n\(defined)NAME=\"a\",VALUE=\"\"",
                broken: "VERSION:8\n\(defined)IMPORT=\"a\"",
                "tag_misplaced"
            ),
            RulePair(
                "4.4.2.3",
                "IMPORT of what the multivariant playlist defines",
                sound: "IMPORT=\"a\", which it defines",
                broken: "IMPORT=\"a\", which it does not",
                "variable_undefined",
                (imported(["a": "1"]), imported([:]))
            ),
            RulePair(
                "4.4.2.3",
                "QUERYPARAM of what the query has",
                sound: "QUERYPARAM=\"a\" at `?a=1`",
                broken: "QUERYPARAM=\"a\" at `?b=1`",
                "variable_undefined",
                (asked("?a=1"), asked("?b=1"))
            ),
        ] + versions

    /// What needs a version of the protocol (section 8).
    private static let versions: [RulePair] = [
        needs(2, "IV", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1"),
        needs(3, "decimal places in EXTINF", "#EXTINF:4.0,\na.ts"),
        needs(4, "EXT-X-BYTERANGE", "#EXT-X-BYTERANGE:1@0\n#EXTINF:4,\na.ts"),
        needs(4, "EXT-X-I-FRAMES-ONLY", "#EXT-X-I-FRAMES-ONLY"),
        needs(5, "KEYFORMAT", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMAT=\"identity\""),
        needs(5, "SAMPLE-AES", "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\""),
        needs(5, "EXT-X-MAP beside EXT-X-I-FRAMES-ONLY", "#EXT-X-I-FRAMES-ONLY\n#EXT-X-MAP:URI=\"i\""),
        needs(6, "EXT-X-MAP", "#EXT-X-MAP:URI=\"i\""),
        needs(8, "EXT-X-DEFINE", "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\""),
        needs(9, "EXT-X-SKIP", "#EXT-X-SKIP:SKIPPED-SEGMENTS=1"),
        needs(
            10,
            "RECENTLY-REMOVED-DATERANGES",
            "#EXT-X-SKIP:SKIPPED-SEGMENTS=1,RECENTLY-REMOVED-DATERANGES=\"\""
        ),
        needs(11, "QUERYPARAM", "#EXT-X-DEFINE:QUERYPARAM=\"a\""),
    ]

    private static let range = "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-21T20:00:08Z\""
    private static let defined = "#EXT-X-DEFINE:"
    private static let newer = Bodies.live.replacing("VERSION:7", with: "VERSION:11")
    private static let variables = newer.replacing(
        "#EXT-X-MAP",
        with: "#EXT-X-DEFINE:NAME=\"x\",VALUE=\"y\"\n#EXT-X-MAP"
    ).replacing("12.m4s", with: "{$x}.m4s")

    private static func define(_ rule: String, _ sound: String, _ broken: String, _ finding: String) -> RulePair {
        RulePair(
            "4.4.2.3",
            rule,
            in: newer,
            at: "#EXT-X-MAP:URI=\"init.mp4\"",
            sound: defined + sound,
            broken: defined + broken,
            finding
        )
    }

    private static func needs(_ version: Int, _ what: String, _ lines: String) -> RulePair {
        let body = { (version: Int) in
            "#EXTM3U\n#EXT-X-VERSION:\(version)\n#EXT-X-TARGETDURATION:4\n\(lines)\n#EXTINF:4,\nb.ts\n#EXT-X-ENDLIST"
        }
        return RulePair(
            "8",
            "\(what) from version \(version) on",
            sound: "EXT-X-VERSION:\(version)",
            broken: "EXT-X-VERSION:\(version - 1)",
            "version_too_low",
            (Bodies.codes(body(version)), Bodies.codes(body(version - 1)))
        )
    }

    private static func imported(_ values: [String: String]) -> [String] {
        let body = newer.replacing("#EXT-X-MAP", with: "#EXT-X-DEFINE:IMPORT=\"a\"\n#EXT-X-MAP")
        return Bodies.codes(body, url: "http://h/a.m3u8", importing: values)
    }

    private static func asked(_ query: String) -> [String] {
        let body = newer.replacing("#EXT-X-MAP", with: "#EXT-X-DEFINE:QUERYPARAM=\"a\"\n#EXT-X-MAP")
        return Bodies.codes(body, url: "http://h/a.m3u8\(query)")
    }

    private static func latin(_ letter: String?) -> [String] {
        let comment = Array("\n# ".utf8) + (letter.map { Array($0.utf8) } ?? [0xFC])
        return Bodies.codes(bytes: Array(Bodies.live.utf8) + comment)
    }
}
