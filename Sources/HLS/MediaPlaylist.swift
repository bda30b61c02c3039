/// Texts are not copied: segments refer to byte ranges of ``text``, the whole body.
package struct MediaPlaylist: Sendable {
    package enum PlaylistType: String, Hashable, Sendable {
        case vod = "VOD"
        case event = "EVENT"
    }

    package var head = PlaylistHead()
    /// At most a year.
    package var targetDurationSeconds: Int
    /// Counts the segments that EXT-X-SKIP stands for.
    package var mediaSequence: UInt64 = 0
    package var discontinuitySequence: UInt64 = 0
    package var segments: [Segment] = []
    /// In the order of their first tags, one for each ID.
    package var dateRanges: [DateRange] = []
    /// Ends of ranges whose start has left the window.
    ///
    /// Such a tag is illegal by the letter of bis-22 section 4.4.5.1, so that clients ignore it; AWS Elemental writes it.
    package var dateRangeEndings: [DateRange] = []
    package var hasEndList: Bool = false
    package var playlistType: PlaylistType?
    package var serverControl: ServerControl?
    package var isIFramesOnly: Bool = false
    /// EXT-X-PART-INF.
    package var partTargetMicroseconds: Int64?
    package var parts: [PartialSegment] = []
    package var preloadHints: [PreloadHint] = []
    package var renditionReports: [RenditionReport] = []
    /// Segments that a delta update leaves out (EXT-X-SKIP).
    package var skippedSegments: UInt64 = 0
    /// Nil unless a delta update leaves out date ranges too.
    package var recentlyRemovedDateRanges: [String]?
    /// Tags that the model does not read (keys, bit rates, cue tags, unknown ones), in order.
    package var otherTags: [OtherTag] = []
    package var text: [UInt8] = []

    /// As ``text`` has it: relative to the playlist.
    package func uri(of segment: Segment) -> String { string(in: segment.uri) }

    /// Empty for a range outside of the body.
    package func string(in range: Range<Int>) -> String {
        guard range.lowerBound >= 0, range.upperBound <= text.count else { return "" }
        return String(decoding: text[range], as: UTF8.self)
    }

    package var durationMicroseconds: Int64 {
        guard let last = segments.last else { return 0 }
        return last.startOffsetMicroseconds.addingClamped(last.durationMicroseconds)
    }

    package var targetDurationNanoseconds: Int64 { Int64(targetDurationSeconds).multipliedClamped(by: 1_000_000_000) }

    package var endMediaSequence: UInt64 {
        mediaSequence.addingClamped(skippedSegments).addingClamped(UInt64(segments.count))
    }

    package func mediaSequence(at index: Int) -> UInt64 {
        mediaSequence.addingClamped(skippedSegments).addingClamped(UInt64(clamping: index))
    }

    /// Explicit, or extrapolated over EXTINF: forward from the last tag, backward before the first (bis-22 section 4.4.4.6).
    package func programDate(at index: Int) -> WallTime? {
        guard segments.indices.contains(index) else { return nil }
        let segment = segments[index]
        guard segments.indices.contains(segment.dateAnchor) else { return nil }
        let anchor = segments[segment.dateAnchor]
        let distance = segment.startOffsetMicroseconds.subtractingClamped(anchor.startOffsetMicroseconds)
        return anchor.programDate.map { WallTime(microseconds: $0.microseconds.addingClamped(distance)) }
    }

    /// Nil unless the date stands on the segment's side of each discontinuity.
    ///
    /// A date behind a discontinuity need not follow from those before it (bis-22 section 6.2.1), so only such dates are
    /// compared.
    package func ownProgramDate(at index: Int) -> WallTime? {
        guard segments.indices.contains(index), segments.indices.contains(segments[index].dateAnchor),
            segments[segments[index].dateAnchor].discontinuitySequence == segments[index].discontinuitySequence
        else { return nil }
        return programDate(at: index)
    }

    package var ownEndProgramDate: WallTime? { ownProgramDate(at: segments.count - 1).flatMap { _ in endProgramDate } }

    /// End of the last segment: the live edge.
    package var endProgramDate: WallTime? {
        guard let last = segments.last, let start = programDate(at: segments.count - 1) else { return nil }
        return WallTime(microseconds: start.microseconds.addingClamped(last.durationMicroseconds))
    }

    /// Differs in a way that matters to the reload interval (bis-22 section 6.3.4).
    package func isUpdate(of previous: MediaPlaylist) -> Bool {
        endMediaSequence != previous.endMediaSequence
            || segments.count != previous.segments.count
            || parts.count != previous.parts.count
            || hasEndList != previous.hasEndList
            || dateRanges != previous.dateRanges
    }

    /// Whether both begin and end with the same segments and parts.
    package func isOfSameMoment(as other: MediaPlaylist) -> Bool {
        mediaSequence == other.mediaSequence && endMediaSequence == other.endMediaSequence
            && trailingPartCount == other.trailingPartCount && hasEndList == other.hasEndList
    }

    package struct Segment: Hashable, Sendable {
        /// Range in ``MediaPlaylist/text``.
        package var uri: Range<Int>
        package var durationMicroseconds: Int64
        package var startOffsetMicroseconds: Int64
        /// Explicit only; see ``MediaPlaylist/programDate(at:)``.
        package var programDate: WallTime?
        /// Index of the segment whose date this one's is derived from; -1 without dates.
        var dateAnchor: Int
        package var discontinuitySequence: UInt64
        package var isDiscontinuity: Bool
        package var isGap: Bool
        package var mapURI: Range<Int>?
        package var mapByteRange: ByteRange?
        package var byteRange: ByteRange?
        package var title: Range<Int>?
    }

    /// An unread tag with its place.
    package struct OtherTag: Hashable, Sendable {
        /// Segments listed before it.
        package var segmentIndex: Int
        /// Without the line end.
        package var line: Range<Int>
    }

    /// EXT-X-PART (bis-22 section 4.4.4.9).
    package struct PartialSegment: Hashable, Sendable {
        /// Complete segments listed before it.
        package var segmentIndex: Int
        package var uri: Range<Int>
        package var durationMicroseconds: Int64
        package var isIndependent: Bool
        package var isGap: Bool
        package var byteRange: ByteRange?
    }

    /// EXT-X-PRELOAD-HINT (bis-22 section 4.4.5.3).
    package struct PreloadHint: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable {
            case part = "PART"
            case map = "MAP"
        }

        package var kind: Kind
        package var uri: Range<Int>
        package var byteRangeStart: UInt64
        package var byteRangeLength: UInt64?
    }

    /// EXT-X-RENDITION-REPORT (bis-22 section 4.4.5.4).
    package struct RenditionReport: Hashable, Sendable {
        package var uri: Range<Int>
        package var lastMediaSequence: UInt64?
        package var lastPart: UInt64?
    }

    /// EXT-X-SERVER-CONTROL (bis-22 section 4.4.3.8).
    package struct ServerControl: Hashable, Sendable {
        package var holdBackSeconds: Double?
        package var partHoldBackSeconds: Double?
        package var canBlockReload = false
        package var canSkipUntilSeconds: Double?
        package var canSkipDateRanges = false
    }
}

extension MediaPlaylist.ServerControl {
    package init(canBlockReload: Bool) { self.init(holdBackSeconds: nil, canBlockReload: canBlockReload) }
}

/// RFC 8216 section 4.3.2.2.
package struct ByteRange: Hashable, Sendable {
    package var length: UInt64
    /// Nil: begins where the previous range of the same resource ended.
    package var offset: UInt64?
}

/// EXT-X-START (RFC 8216 section 4.3.5.2).
package struct StartPoint: Hashable, Sendable {
    /// Negative: from the end of the playlist.
    package var offsetMicroseconds: Int64
    package var isPrecise: Bool = false
}

/// EXT-X-DEFINE (bis-22 section 4.4.2.3).
package enum VariableDefinition: Hashable, Sendable {
    case value(name: String, value: String)
    /// From the multivariant playlist.
    case imported(name: String)
    /// From the query of the playlist's own URI.
    case queryParameter(name: String)
}
