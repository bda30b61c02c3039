/// Rules of the tags of multivariant playlists.
enum MultivariantRulePairs {
    static let pairs: [RulePair] = [
        media("EXT-X-MEDIA has TYPE", "TYPE=AUDIO,\(rest)", rest, "tag_malformed"),
        media(
            "EXT-X-MEDIA has GROUP-ID",
            "TYPE=AUDIO,\(rest)",
            "TYPE=AUDIO,NAME=\"a\",CHANNELS=\"2\"",
            "tag_malformed"
        ),
        media(
            "EXT-X-MEDIA has NAME",
            "TYPE=AUDIO,\(rest)",
            "TYPE=AUDIO,GROUP-ID=\"a\",CHANNELS=\"2\"",
            "tag_malformed"
        ),
        media(
            "TYPE is known (6.3.1: clients ignore the tag)",
            "TYPE=VIDEO,GROUP-ID=\"a\",NAME=\"a\"",
            "TYPE=FUTURE,GROUP-ID=\"a\",NAME=\"a\"",
            "playlist_form_loose"
        ),
        media("no URI of closed captions", captions, "\(captions),URI=\"a\"", "rendition_group_invalid"),
        media(
            "INSTREAM-ID of closed captions",
            captions,
            "TYPE=CLOSED-CAPTIONS,GROUP-ID=\"a\",NAME=\"a\"",
            "rendition_group_invalid"
        ),
        media(
            "INSTREAM-ID names a channel",
            captions,
            captions.replacing("CC1", with: "CC5"),
            "rendition_group_invalid"
        ),
        media("URI of subtitles", "\(subtitles),URI=\"a\"", subtitles, "rendition_group_invalid"),
        media(
            "FORCED of subtitles only",
            "\(subtitles),URI=\"a\",FORCED=YES",
            "TYPE=AUDIO,\(rest),FORCED=YES",
            "rendition_group_invalid"
        ),
        media(
            "AUTOSELECT=YES beside DEFAULT=YES",
            "\(subtitles),URI=\"a\",DEFAULT=YES",
            "\(subtitles),URI=\"a\",DEFAULT=YES,AUTOSELECT=NO",
            "rendition_group_invalid"
        ),
        media(
            "CHANNELS of audio only",
            "\(subtitles),URI=\"a\"",
            "\(subtitles),URI=\"a\",CHANNELS=\"2\"",
            "rendition_group_invalid"
        ),
        media(
            "BIT-DEPTH of audio only",
            "\(subtitles),URI=\"a\"",
            "\(subtitles),URI=\"a\",BIT-DEPTH=16",
            "rendition_group_invalid"
        ),
        media(
            "SAMPLE-RATE of audio only",
            "\(subtitles),URI=\"a\"",
            "\(subtitles),URI=\"a\",SAMPLE-RATE=48000",
            "rendition_group_invalid"
        ),
        media(
            "STABLE-RENDITION-ID of letters, digits and + / = . - _",
            "\(subtitles),URI=\"a\",STABLE-RENDITION-ID=\"a+\"",
            "\(subtitles),URI=\"a\",STABLE-RENDITION-ID=\"a b\"",
            "tag_malformed"
        ),
        text(
            "4.4.6.1",
            "CHANNELS of audio (should)",
            "NAME=\"English\",CHANNELS=\"2\"",
            "NAME=\"English\"",
            "variant_incomplete",
            at: "NAME=\"English\",CHANNELS=\"2\""
        ),
        .ofVariants(
            "4.4.6.1.1",
            "another NAME than the rest of the group has",
            "\(subtitled)NAME=\"a\"\n\(subtitled)NAME=\"b\"",
            "\(subtitled)NAME=\"a\"\n\(subtitled)NAME=\"a\"",
            "rendition_group_invalid"
        ),
        .ofVariants(
            "4.4.6.1.1",
            "one DEFAULT=YES in a group",
            "\(subtitled)NAME=\"a\",DEFAULT=YES\n\(subtitled)NAME=\"b\"",
            "\(subtitled)NAME=\"a\",DEFAULT=YES\n\(subtitled)NAME=\"b\",DEFAULT=YES",
            "rendition_group_invalid"
        ),
        text(
            "4.4.6.1.1",
            "groups of one type have the same members",
            "GROUP-ID=\"high\",NAME=\"Deutsch\"",
            "GROUP-ID=\"high\",NAME=\"Suomi\"",
            "rendition_group_invalid"
        ),
        text(
            "4.4.6.1.1",
            "corresponding members have the same attributes",
            "GROUP-ID=\"high\",NAME=\"Deutsch\"",
            "GROUP-ID=\"high\",NAME=\"Deutsch\",LANGUAGE=\"de\"",
            "rendition_group_invalid"
        ),
        text("4.4.6.2", "EXT-X-STREAM-INF has BANDWIDTH", "BANDWIDTH=90000,AVERAGE", "AVERAGE", "tag_malformed"),
        text("4.4.6.2", "a URI line after EXT-X-STREAM-INF", "\naudio.m3u8", "", "tag_misplaced"),
        text(
            "4.4.6.2",
            "the groups that a variant names are there",
            "CODECS=\"mp4a.40.2\",AUDIO=\"high\"",
            "CODECS=\"mp4a.40.2\",AUDIO=\"best\"",
            "rendition_group_invalid"
        ),
        text(
            "4.4.6.2",
            "CLOSED-CAPTIONS=NONE in all variants or in none",
            "CODECS=\"mp4a.40.2\",",
            "CODECS=\"mp4a.40.2\",CLOSED-CAPTIONS=NONE,",
            "rendition_group_invalid"
        ),
        text(
            "4.4.6.2",
            "SCORE is not negative",
            "FRAME-RATE=25.000,AUDIO",
            "FRAME-RATE=25.000,SCORE=-1,AUDIO",
            "tag_malformed"
        ),
        text(
            "4.4.6.2",
            "SCORE in all variants or in none (should)",
            "FRAME-RATE=25.000,AUDIO",
            "FRAME-RATE=25.000,SCORE=1,AUDIO",
            "variant_incomplete"
        ),
        variant("HDCP-LEVEL is known", "HDCP-LEVEL=TYPE-0", "HDCP-LEVEL=TYPE-9"),
        variant("VIDEO-RANGE is known", "VIDEO-RANGE=PQ", "VIDEO-RANGE=HDR"),
        variant("RESOLUTION is width x height", "X-A=1", "RESOLUTION=640"),
        variant(
            "ALLOWED-CPC is KEYFORMAT:LABEL entries",
            "ALLOWED-CPC=\"com.e.drm:A/B,com.f:\"",
            "ALLOWED-CPC=\"com.e.drm\""
        ),
        variant("REQ-VIDEO-LAYOUT is not empty", "X-A=1", "REQ-VIDEO-LAYOUT=\"\""),
        variant(
            "STABLE-VARIANT-ID of letters, digits and + / = . - _",
            "STABLE-VARIANT-ID=\"a_1\"",
            "STABLE-VARIANT-ID=\"a 1\""
        ),
        .ofVariants(
            "4.4.6.3",
            "EXT-X-I-FRAME-STREAM-INF has URI",
            "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i.m3u8\"",
            "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1",
            "tag_malformed"
        ),
        .ofVariants(
            "4.4.6.3",
            "EXT-X-I-FRAME-STREAM-INF has BANDWIDTH",
            "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i.m3u8\"",
            "#EXT-X-I-FRAME-STREAM-INF:URI=\"i.m3u8\"",
            "tag_malformed"
        ),
        .ofVariants(
            "4.4.6.4",
            "EXT-X-SESSION-DATA has DATA-ID",
            "\(data)DATA-ID=\"a\",VALUE=\"b\"",
            "\(data)VALUE=\"b\"",
            "tag_malformed"
        ),
        .ofVariants(
            "4.4.6.4",
            "one of VALUE and URI",
            "\(data)DATA-ID=\"a\",VALUE=\"b\"",
            "\(data)DATA-ID=\"a\",VALUE=\"b\",URI=\"c\"",
            "tag_malformed"
        ),
        .ofVariants(
            "4.4.6.4",
            "each DATA-ID and LANGUAGE once",
            "\(data)DATA-ID=\"a\",VALUE=\"b\"",
            "\(data)DATA-ID=\"a\",VALUE=\"b\"\n\(data)DATA-ID=\"a\",VALUE=\"c\"",
            "tag_repeated"
        ),
        .ofVariants(
            "4.4.6.5",
            "no session key with METHOD=NONE",
            "\(key)METHOD=SAMPLE-AES,URI=\"k\"",
            "\(key)METHOD=NONE",
            "encryption_invalid"
        ),
        .ofVariants(
            "4.4.6.5",
            "no two equal session keys",
            "\(key)METHOD=SAMPLE-AES,URI=\"k\"",
            "\(key)METHOD=SAMPLE-AES,URI=\"k\"\n\(key)METHOD=SAMPLE-AES,URI=\"k\"",
            "tag_repeated"
        ),
        .ofVariants(
            "4.4.6.6",
            "EXT-X-CONTENT-STEERING has SERVER-URI",
            "\(steering)SERVER-URI=\"s\"",
            "\(steering)PATHWAY-ID=\".\"",
            "tag_malformed"
        ),
        .ofVariants(
            "4.4.6.6",
            "PATHWAY-ID of a variant",
            "\(steering)SERVER-URI=\"s\",PATHWAY-ID=\".\"",
            "\(steering)SERVER-URI=\"s\",PATHWAY-ID=\"cdn\"",
            "tag_malformed"
        ),
        .ofVariants(
            "4.4.6.6",
            "EXT-X-CONTENT-STEERING once",
            "\(steering)SERVER-URI=\"s\"",
            "\(steering)SERVER-URI=\"s\"\n\(steering)SERVER-URI=\"s\"",
            "tag_repeated"
        ),
    ]

    private static let rest = "GROUP-ID=\"a\",NAME=\"a\",CHANNELS=\"2\""
    private static let captions = "TYPE=CLOSED-CAPTIONS,GROUP-ID=\"a\",NAME=\"a\",INSTREAM-ID=\"CC1\""
    private static let subtitles = "TYPE=SUBTITLES,GROUP-ID=\"a\",NAME=\"a\""
    private static let subtitled = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"a\",URI=\"u\","
    private static let data = "#EXT-X-SESSION-DATA:"
    private static let key = "#EXT-X-SESSION-KEY:"
    private static let steering = "#EXT-X-CONTENT-STEERING:"

    /// The attributes of a rendition in a playlist without any other one.
    private static func media(_ rule: String, _ sound: String, _ broken: String, _ finding: String) -> RulePair {
        let text = { (attributes: String) in
            Bodies.codes(
                "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-MEDIA:\(attributes)\n"
                    + "#EXT-X-STREAM-INF:BANDWIDTH=2,AVERAGE-BANDWIDTH=1,CODECS=\"mp4a.40.2\"\na.m3u8\n"
            )
        }
        return RulePair("4.4.6.1", rule, sound: sound, broken: broken, finding, (text(sound), text(broken)))
    }

    private static func text(
        _ section: String,
        _ rule: String,
        _ sound: String,
        _ broken: String,
        _ finding: String,
        at place: String? = nil
    ) -> RulePair {
        RulePair(section, rule, in: Bodies.multivariant, at: place ?? sound, sound: sound, broken: broken, finding)
    }

    private static func variant(_ rule: String, _ sound: String, _ broken: String) -> RulePair {
        let place = "CODECS=\"mp4a.40.2\","
        return RulePair(
            "4.4.6.2",
            rule,
            in: Bodies.multivariant.replacing("VERSION:7", with: "VERSION:12"),
            at: place,
            sound: "\(place)\(sound),",
            broken: "\(place)\(broken),",
            "tag_malformed"
        )
    }
}
