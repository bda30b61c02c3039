/// The tags of RFC 8216 and draft-pantos-hls-rfc8216bis-22 that the parser distinguishes.
package enum PlaylistTag: UInt8, Sendable {
    case extm3u, version, independentSegments, start, define
    case extinf, byteRange, discontinuity, map, programDateTime, gap, part
    case targetDuration, mediaSequence, discontinuitySequence, endList, playlistType, iFramesOnly, partInf,
        serverControl
    case dateRange, skip, preloadHint, renditionReport
    /// Tags of media playlists that are kept unread.
    case key, bitRate
    case media, streamInf, iFrameStreamInf
    case contentSteering
    /// Tags of multivariant playlists that are kept unread.
    case sessionData, sessionKey
    case unknown

    package var isMedia: Bool {
        (PlaylistTag.extinf.rawValue...PlaylistTag.bitRate.rawValue).contains(rawValue)
    }

    package var isMultivariant: Bool {
        (PlaylistTag.media.rawValue...PlaylistTag.sessionKey.rawValue).contains(rawValue)
    }

    /// The tag's name after `#EXT`.
    var name: StaticString {
        switch self {
        case .extm3u: "M3U"
        case .version: "-X-VERSION"
        case .independentSegments: "-X-INDEPENDENT-SEGMENTS"
        case .start: "-X-START"
        case .define: "-X-DEFINE"
        case .extinf: "INF"
        case .byteRange: "-X-BYTERANGE"
        case .discontinuity: "-X-DISCONTINUITY"
        case .map: "-X-MAP"
        case .programDateTime: "-X-PROGRAM-DATE-TIME"
        case .gap: "-X-GAP"
        case .part: "-X-PART"
        case .targetDuration: "-X-TARGETDURATION"
        case .mediaSequence: "-X-MEDIA-SEQUENCE"
        case .discontinuitySequence: "-X-DISCONTINUITY-SEQUENCE"
        case .endList: "-X-ENDLIST"
        case .playlistType: "-X-PLAYLIST-TYPE"
        case .iFramesOnly: "-X-I-FRAMES-ONLY"
        case .partInf: "-X-PART-INF"
        case .serverControl: "-X-SERVER-CONTROL"
        case .dateRange: "-X-DATERANGE"
        case .skip: "-X-SKIP"
        case .preloadHint: "-X-PRELOAD-HINT"
        case .renditionReport: "-X-RENDITION-REPORT"
        case .key: "-X-KEY"
        case .bitRate: "-X-BITRATE"
        case .media: "-X-MEDIA"
        case .streamInf: "-X-STREAM-INF"
        case .iFrameStreamInf: "-X-I-FRAME-STREAM-INF"
        case .sessionData: "-X-SESSION-DATA"
        case .sessionKey: "-X-SESSION-KEY"
        case .contentSteering: "-X-CONTENT-STEERING"
        case .unknown: ""
        }
    }

    /// The whole name, as in `EXT-X-MAP`.
    package var fullName: String { "EXT\(name)" }

    /// The tags whose names after `#EXT` have this length, the frequent ones first.
    private static func candidates(length: Int) -> (PlaylistTag, PlaylistTag, PlaylistTag) {
        switch length {
        case 3: (.extinf, .extm3u, .unknown)
        case 6: (.map, .gap, .key)
        case 7: (.part, .skip, .unknown)
        case 8: (.media, .start, .unknown)
        case 9: (.define, .unknown, .unknown)
        case 10: (.version, .endList, .bitRate)
        case 11: (.partInf, .unknown, .unknown)
        case 12: (.dateRange, .byteRange, .unknown)
        case 13: (.streamInf, .unknown, .unknown)
        case 14: (.sessionKey, .unknown, .unknown)
        case 15: (.preloadHint, .sessionData, .unknown)
        case 16: (.discontinuity, .playlistType, .iFramesOnly)
        case 17: (.mediaSequence, .targetDuration, .serverControl)
        case 19: (.contentSteering, .renditionReport, .unknown)
        case 20: (.programDateTime, .unknown, .unknown)
        case 21: (.iFrameStreamInf, .unknown, .unknown)
        case 23: (.independentSegments, .unknown, .unknown)
        case 25: (.discontinuitySequence, .unknown, .unknown)
        default: (.unknown, .unknown, .unknown)
        }
    }

    /// The tag with this name (the bytes after `#EXT`), or ``unknown``.
    static func named(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> PlaylistTag {
        let (first, second, third) = candidates(length: range.count)
        if first.isNamed(bytes, range) {
            return first
        }
        if second.isNamed(bytes, range) {
            return second
        }
        return third.isNamed(bytes, range) ? third : .unknown
    }

    private func isNamed(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        self != .unknown && bytes.matches(name, at: range.lowerBound, end: range.upperBound)
    }
}
