/// Rules of the tags of media playlists.
enum MediaRulePairs {
    static let pairs: [RulePair] =
        [
            RulePair(
                "4.4.3.1",
                "EXT-X-TARGETDURATION is there",
                in: Bodies.live,
                at: "#EXT-X-TARGETDURATION:4\n",
                sound: "#EXT-X-TARGETDURATION:4\n",
                broken: "",
                "tag_missing"
            ),
            live(
                "4.4.3.1",
                "EXT-X-TARGETDURATION is a whole number",
                "TARGETDURATION:4",
                "TARGETDURATION:4.0",
                "tag_malformed"
            ),
            RulePair(
                "4.4.3.1",
                "EXT-X-TARGETDURATION is not 0",
                in: short,
                at: "TARGETDURATION:1",
                sound: "TARGETDURATION:1",
                broken: "TARGETDURATION:0",
                "tag_malformed"
            ),
            live(
                "4.4.3.1",
                "no segment rounds to more than the target duration",
                "#EXTINF:4.000,\n14.m4s",
                "#EXTINF:4.600,\n14.m4s",
                "target_duration_exceeded"
            ),
            live(
                "4.4.3.1",
                "exactly a half rounds up",
                "#EXTINF:4.000,\n14.m4s",
                "#EXTINF:4.500,\n14.m4s",
                "playlist_form_loose"
            ),
            live(
                "4.4.3",
                "each tag of a media playlist once",
                "TARGETDURATION:4",
                "TARGETDURATION:4\n#EXT-X-TARGETDURATION:4",
                "tag_repeated"
            ),
            live(
                "4.4.3.2",
                "EXT-X-MEDIA-SEQUENCE before the first segment",
                "14.m4s",
                "14.m4s\n#EXT-X-MEDIA-SEQUENCE:10",
                "tag_misplaced",
                removing: "#EXT-X-MEDIA-SEQUENCE:10\n"
            ),
            live(
                "4.4.3.3",
                "EXT-X-DISCONTINUITY-SEQUENCE before the first segment",
                "14.m4s",
                "14.m4s\n#EXT-X-DISCONTINUITY-SEQUENCE:1",
                "tag_misplaced",
                removing: "#EXT-X-DISCONTINUITY-SEQUENCE:1\n"
            ),
            .line(
                "4.4.3.5",
                "EXT-X-PLAYLIST-TYPE is VOD or EVENT",
                "#EXT-X-INDEPENDENT-SEGMENTS",
                "#EXT-X-PLAYLIST-TYPE:LIVE",
                "tag_malformed"
            ),
            low("4.4.3.7", "EXT-X-PART-INF has PART-TARGET", "PART-TARGET=1", "X-A=1", "tag_malformed"),
            low(
                "4.4.3.7",
                "EXT-X-PART-INF beside EXT-X-PART",
                "#EXT-X-PART-INF:PART-TARGET=1\n",
                "",
                "partial_segment_invalid"
            ),
            low(
                "4.4.3.8",
                "HOLD-BACK of three target durations",
                "HOLD-BACK=12",
                "HOLD-BACK=11",
                "server_control_invalid"
            ),
            low(
                "4.4.3.8",
                "PART-HOLD-BACK of two part targets",
                "PART-HOLD-BACK=3",
                "PART-HOLD-BACK=1.5",
                "server_control_invalid"
            ),
            low("4.4.3.8", "PART-HOLD-BACK beside parts", ",PART-HOLD-BACK=3", "", "partial_segment_invalid"),
            low(
                "4.4.3.8",
                "CAN-SKIP-UNTIL of six target durations",
                "CAN-SKIP-UNTIL=24",
                "CAN-SKIP-UNTIL=23",
                "server_control_invalid"
            ),
            low(
                "4.4.3.8",
                "CAN-SKIP-UNTIL beside CAN-SKIP-DATERANGES",
                "CAN-SKIP-UNTIL=24",
                "CAN-SKIP-DATERANGES=YES",
                "server_control_invalid"
            ),
            live("4.4.4.1", "EXTINF before each URI", "#EXTINF:4.000,\n14.m4s", "14.m4s", "tag_missing"),
            live("4.4.4.1", "EXTINF is a number", "#EXTINF:4.000,\n14.m4s", "#EXTINF:four,\n14.m4s", "tag_malformed"),
            live(
                "4.4.4.1",
                "a comma after EXTINF's duration",
                "#EXTINF:4.000,\n14.m4s",
                "#EXTINF:4.000\n14.m4s",
                "playlist_form_loose"
            ),
            live("4.4.4.1", "a URI after EXTINF", "14.m4s", "14.m4s\n#EXTINF:4.000,", "tag_misplaced"),
            live(
                "4.4.4.2",
                "EXT-X-BYTERANGE is n or n@o",
                "#EXTINF:4.000,\n14",
                "#EXT-X-BYTERANGE:x\n#EXTINF:4.000,\n14",
                "tag_malformed"
            ),
            live(
                "4.4.4.2",
                "a first range has an offset",
                "#EXT-X-BYTERANGE:9@0\n#EXTINF:4.000,\n14",
                "#EXT-X-BYTERANGE:9\n#EXTINF:4.000,\n14",
                "tag_malformed",
                at: "#EXTINF:4.000,\n14"
            ),
            live(
                "4.4.4.6",
                "EXT-X-PROGRAM-DATE-TIME is an ISO 8601 date",
                "20:00:08.000Z",
                "20 o'clock",
                "tag_malformed"
            ),
            .line(
                "4.4.4.8",
                "EXT-X-BITRATE is a whole number",
                "#EXT-X-BITRATE:900",
                "#EXT-X-BITRATE:fast",
                "tag_malformed"
            ),
            low("4.4.4.9", "EXT-X-PART has URI", "DURATION=1,URI=\"13.0.ts\"", "DURATION=1", "tag_malformed"),
            low("4.4.4.9", "EXT-X-PART has DURATION", "DURATION=1,URI=\"13.0.ts\"", "URI=\"13.0.ts\"", "tag_malformed"),
            low(
                "4.4.4.9",
                "no part is longer than PART-TARGET",
                "DURATION=1,URI=\"13.0.ts\"",
                "DURATION=1.1,URI=\"13.0.ts\"",
                "partial_segment_invalid"
            ),
            low(
                "4.4.4.9",
                "parts of 85 % of PART-TARGET, the last excepted",
                "DURATION=0.9,URI=\"12.1.ts\"",
                "DURATION=0.8,URI=\"12.1.ts\"",
                "partial_segment_invalid"
            ),
            low(
                "4.4.4.9",
                "a first range of parts has an offset",
                "URI=\"13.0.ts\",BYTERANGE=\"10@0\"",
                "URI=\"13.0.ts\",BYTERANGE=\"10\"",
                "tag_malformed",
                at: "URI=\"13.0.ts\""
            ),
            order("#EXT-X-DISCONTINUITY"), order("#EXT-X-KEY:METHOD=NONE"),
            order("#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:12.000Z"),
            low("4.4.5.3", "EXT-X-PRELOAD-HINT has URI", "TYPE=PART,URI=\"13.1.ts\"", "TYPE=PART", "tag_malformed"),
            low(
                "4.4.5.3",
                "EXT-X-PRELOAD-HINT has TYPE",
                "TYPE=PART,URI=\"13.1.ts\"",
                "URI=\"13.1.ts\"",
                "tag_malformed"
            ),
            low(
                "6.3.1",
                "TYPE of EXT-X-PRELOAD-HINT is known",
                "TYPE=PART,URI",
                "TYPE=FUTURE,URI",
                "playlist_form_loose"
            ),
            low(
                "6.2.6",
                "one EXT-X-PRELOAD-HINT of a TYPE (should)",
                "#EXT-X-PRELOAD-HINT:TYPE=MAP,URI=\"m\"\n#EXT-X-RENDITION",
                "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"m\"\n#EXT-X-RENDITION",
                "playlist_form_loose",
                at: "#EXT-X-RENDITION"
            ),
            low(
                "4.4.4.9",
                "no parts in a playlist of key frames (should)",
                "#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-PART-INF",
                "#EXT-X-I-FRAMES-ONLY\n#EXT-X-PART-INF",
                "playlist_form_loose",
                at: "#EXT-X-PART-INF"
            ),
            ended("4.4.5.3", "no EXT-X-PRELOAD-HINT once the playlist has ended"),
            low(
                "4.4.5.4",
                "URI of EXT-X-RENDITION-REPORT is relative",
                "URI=\"../b.m3u8\"",
                "URI=\"http://h/b.m3u8\"",
                "tag_malformed"
            ),
            .line(
                "4.4.5.1",
                "EXT-X-DATERANGE has ID",
                "\(range)ID=\"a\",\(start)",
                "\(range)\(start)",
                "date_range_invalid"
            ),
            .line(
                "4.4.5.1",
                "DURATION is not negative",
                "\(range)ID=\"a\",\(start),DURATION=1",
                "\(range)ID=\"a\",\(start),DURATION=-1",
                "date_range_invalid"
            ),
            .line(
                "4.4.5.1",
                "END-DATE is not before START-DATE",
                "\(range)ID=\"a\",\(start),END-DATE=\"2026-11-21T20:00:09Z\"",
                "\(range)ID=\"a\",\(start),END-DATE=\"2026-11-21T20:00:07Z\"",
                "date_range_invalid"
            ),
            .line(
                "4.4.5.1",
                "CLASS beside END-ON-NEXT",
                "\(range)ID=\"a\",CLASS=\"c\",\(start),END-ON-NEXT=YES",
                "\(range)ID=\"a\",\(start),END-ON-NEXT=YES",
                "date_range_invalid"
            ),
            .line(
                "4.4.5.1",
                "no DURATION beside END-ON-NEXT",
                "\(range)ID=\"a\",CLASS=\"c\",\(start),END-ON-NEXT=YES",
                "\(range)ID=\"a\",CLASS=\"c\",\(start),END-ON-NEXT=YES,DURATION=1",
                "date_range_invalid"
            ),
            .line(
                "4.4.5.1",
                "attributes of one ID do not contradict each other",
                "\(range)ID=\"a\",\(start)\n\(range)ID=\"a\",\(start),DURATION=1",
                "\(range)ID=\"a\",\(start),DURATION=2\n\(range)ID=\"a\",\(start),DURATION=1",
                "date_range_conflict"
            ),
        ] + keys

    private static let keys: [RulePair] = [
        key("EXT-X-KEY has METHOD", "METHOD=AES-128,URI=\"k\",\(vector)", "URI=\"k\""),
        key("METHOD is known", "METHOD=AES-256-GCM,URI=\"k\"", "METHOD=AES-512,URI=\"k\""),
        key("URI unless METHOD is NONE", "METHOD=NONE", "METHOD=AES-128"),
        key("nothing beside METHOD=NONE", "METHOD=NONE", "METHOD=NONE,URI=\"k\""),
        key("IV of 128 bits", "METHOD=AES-128,URI=\"k\",\(vector)", "METHOD=AES-128,URI=\"k\",\(vector)0"),
        key("no IV beside SAMPLE-AES-CTR", "METHOD=SAMPLE-AES-CTR,URI=\"k\"", "METHOD=SAMPLE-AES-CTR,URI=\"k\",IV=0x1"),
        key("no IV beside AES-256-GCM", "METHOD=AES-256-GCM,URI=\"k\"", "METHOD=AES-256-GCM,URI=\"k\",IV=0x1"),
        key(
            "KEYFORMATVERSIONS are positive whole numbers",
            "METHOD=SAMPLE-AES,URI=\"k\",KEYFORMATVERSIONS=\"1/2\"",
            "METHOD=SAMPLE-AES,URI=\"k\",KEYFORMATVERSIONS=\"0\""
        ),
        RulePair(
            "4.4.4.5",
            "IV in the key of an initialization section",
            in: Bodies.live,
            at: "#EXT-X-MAP",
            sound: "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1\n#EXT-X-MAP",
            broken: "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXT-X-MAP",
            "encryption_invalid"
        ),
        live(
            "4.4.4.5",
            "EXT-X-MAP has URI",
            "#EXT-X-MAP:URI=\"init.mp4\"",
            "#EXT-X-MAP:BYTERANGE=\"1@0\"",
            "tag_malformed"
        ),
        live(
            "4.4.4.5",
            "BYTERANGE of EXT-X-MAP has an offset",
            "#EXT-X-MAP:URI=\"init.mp4\",BYTERANGE=\"10@0\"",
            "#EXT-X-MAP:URI=\"init.mp4\",BYTERANGE=\"10\"",
            "tag_malformed",
            at: "#EXT-X-MAP:URI=\"init.mp4\""
        ),
    ]

    private static let vector = "IV=0x0123456789ABCDEF0123456789ABCDEF"
    private static let range = "#EXT-X-DATERANGE:"
    private static let start = "START-DATE=\"2026-11-21T20:00:08Z\""
    private static let short = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:0,\na.ts\n#EXT-X-ENDLIST"

    /// What a live playlist says in a place, and what is wrong there.
    private static func live(
        _ section: String,
        _ rule: String,
        _ sound: String,
        _ broken: String,
        _ finding: String,
        at place: String? = nil,
        removing removed: String = ""
    ) -> RulePair {
        let body = removed.isEmpty ? Bodies.live : Bodies.live.replacing(removed, with: "")
        return RulePair(section, rule, in: body, at: place ?? sound, sound: sound, broken: broken, finding)
    }

    private static func low(
        _ section: String,
        _ rule: String,
        _ sound: String,
        _ broken: String,
        _ finding: String,
        at place: String? = nil
    ) -> RulePair {
        RulePair(section, rule, in: Bodies.lowLatency, at: place ?? sound, sound: sound, broken: broken, finding)
    }

    private static func key(_ rule: String, _ sound: String, _ broken: String) -> RulePair {
        .line("4.4.4.4", rule, "#EXT-X-KEY:\(sound)", "#EXT-X-KEY:\(broken)", "encryption_invalid")
    }

    /// What says something of a segment, before and after the first of its parts.
    private static func order(_ tag: String) -> RulePair {
        let part = "#EXT-X-PART:DURATION=1,URI=\"13.0.ts\""
        let name = tag.prefix { $0 != ":" }.dropFirst()
        return RulePair(
            "4.4.4.9",
            "\(name) before the first part of its segment",
            in: Bodies.lowLatency,
            at: part,
            sound: "\(tag)\n\(part)",
            broken: "\(part)\n\(tag)",
            "tag_misplaced"
        )
    }

    private static func ended(_ section: String, _ rule: String) -> RulePair {
        let hint = "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"13.1.ts\"\n"
        let broken = Bodies.lowLatency + "\n#EXT-X-ENDLIST"
        return RulePair(
            section,
            rule,
            sound: "#EXT-X-ENDLIST",
            broken: "\(hint)#EXT-X-ENDLIST",
            "tag_misplaced",
            (Bodies.codes(broken.replacing(hint, with: "")), Bodies.codes(broken))
        )
    }
}
