import HLS

/// Attributes of playlists whose values may be shown (bis-22 section 4.4 and appendix D; cue tags, which no standard
/// defines).
enum HarmlessNames {
    /// Attributes; not among them: VALUE, which holds whatever a publisher puts there, and X-AD-CREATIVE-SIGNALING,
    /// which holds tracking URLs.
    static let attributes: Set<String> = Set(
        Interstitial.Attribute.allCases.filter { $0 != .creativeSignaling }.map(\.rawValue)
    )
    .union([
        "X-URI", "X-TARGET-ID", "X-TARGET-CLASS", "X-SCHEDULE-OFFSET", "X-DURATION-AT-JOIN",
        "TYPE", "URI", "GROUP-ID", "NAME", "LANGUAGE", "ASSOC-LANGUAGE", "DEFAULT", "AUTOSELECT", "FORCED",
        "INSTREAM-ID", "BIT-DEPTH", "SAMPLE-RATE", "CHARACTERISTICS", "CHANNELS", "STABLE-RENDITION-ID", "BANDWIDTH",
        "AVERAGE-BANDWIDTH", "SCORE", "CODECS", "SUPPLEMENTAL-CODECS", "RESOLUTION", "FRAME-RATE", "HDCP-LEVEL",
        "ALLOWED-CPC", "VIDEO-RANGE", "REQ-VIDEO-LAYOUT", "STABLE-VARIANT-ID", "AUDIO", "VIDEO", "SUBTITLES",
        "CLOSED-CAPTIONS", "PATHWAY-ID", "SERVER-URI", "DATA-ID", "FORMAT", "METHOD", "IV", "KEYFORMAT",
        "KEYFORMATVERSIONS", "BYTERANGE", "BYTERANGE-START", "BYTERANGE-LENGTH", "TIME-OFFSET", "PRECISE", "IMPORT",
        "QUERYPARAM", "PART-TARGET", "CAN-SKIP-UNTIL", "CAN-SKIP-DATERANGES", "HOLD-BACK", "PART-HOLD-BACK",
        "CAN-BLOCK-RELOAD", "INDEPENDENT", "GAP", "SKIPPED-SEGMENTS", "RECENTLY-REMOVED-DATERANGES", "LAST-MSN",
        "LAST-PART", "ID", "CLASS", "START-DATE", "END-DATE", "DURATION", "PLANNED-DURATION", "END-ON-NEXT", "CUE",
        "SCTE35-CMD", "SCTE35-OUT", "SCTE35-IN",
        "SCTE35", "CUE-OUT", "CUE-IN", "ELAPSED", "ELAPSEDTIME", "TIME", "UPID", "EVENTID", "BREAKID",
    ])

    /// Tags whose values are no secrets where they are no attributes.
    static let tags: Set<String> = [
        "EXTM3U", "EXTINF", "EXT-X-VERSION", "EXT-X-TARGETDURATION", "EXT-X-MEDIA-SEQUENCE",
        "EXT-X-DISCONTINUITY-SEQUENCE", "EXT-X-DISCONTINUITY", "EXT-X-ENDLIST", "EXT-X-PLAYLIST-TYPE",
        "EXT-X-I-FRAMES-ONLY", "EXT-X-INDEPENDENT-SEGMENTS", "EXT-X-START", "EXT-X-DEFINE", "EXT-X-MAP", "EXT-X-PART",
        "EXT-X-PART-INF", "EXT-X-SERVER-CONTROL", "EXT-X-SKIP", "EXT-X-PRELOAD-HINT", "EXT-X-RENDITION-REPORT",
        "EXT-X-KEY", "EXT-X-SESSION-KEY", "EXT-X-SESSION-DATA", "EXT-X-DATERANGE", "EXT-X-MEDIA", "EXT-X-STREAM-INF",
        "EXT-X-I-FRAME-STREAM-INF", "EXT-X-CONTENT-STEERING", "EXT-X-BYTERANGE", "EXT-X-BITRATE", "EXT-X-GAP",
        "EXT-X-PROGRAM-DATE-TIME", "EXT-X-ALLOW-CACHE", "EXT-X-CUE-OUT", "EXT-X-CUE-OUT-CONT", "EXT-X-CUE-IN",
        "EXT-X-CUE-SPAN", "EXT-X-SCTE35", "EXT-OATCLS-SCTE35",
    ]
}
