/// A media playlist: one version of one rendition's segments.
///
/// Texts are not copied: segments refer to byte ranges of ``text``, the whole body.
package struct MediaPlaylist: Sendable {
    package enum PlaylistType: String, Hashable, Sendable {
        case vod = "VOD"
        case event = "EVENT"
    }

    package var version: Int?
    /// At most a year.
    package var targetDurationSeconds: Int
    /// The number of the first segment, counting those that EXT-X-SKIP stands for.
    package var mediaSequence: UInt64 = 0
    package var discontinuitySequence: UInt64 = 0
    package var segments: [Segment] = []
    /// In the order of their first tags, one for each ID.
    package var dateRanges: [DateRange] = []
    /// Tags with the end of a range whose start is missing, because the tag with the start has left the window.
    ///
    /// Such a tag is illegal by the letter of bis-22 section 4.4.5.1, so that clients ignore it; AWS Elemental writes it.
    package var dateRangeEndings: [DateRange] = []
    package var hasEndList: Bool = false
    package var playlistType: PlaylistType?
    package var serverControl: ServerControl?
    package var isIndependentSegments: Bool = false
    package var isIFramesOnly: Bool = false
    package var startPoint: StartPoint?
    package var definitions: [VariableDefinition] = []
    /// EXT-X-PART-INF.
    package var partTargetMicroseconds: Int64?
    package var parts: [PartialSegment] = []
    package var preloadHints: [PreloadHint] = []
    package var renditionReports: [RenditionReport] = []
    /// EXT-X-SKIP: segments that a delta update leaves out at the front.
    package var skippedSegments: UInt64 = 0
    /// IDs of date ranges that a delta update reports as removed; nil unless it leaves out date ranges too.
    package var recentlyRemovedDateRanges: [String]?
    /// Tags that the model does not read (keys, bit rates, cue tags, unknown ones), in order.
    package var otherTags: [OtherTag] = []
    /// The body.
    package var text: [UInt8] = []
}

extension MediaPlaylist {
    /// The segment's URI as the playlist spells it: relative to the playlist, variables not replaced.
    package func uri(of segment: Segment) -> String {
        string(in: segment.uri)
    }

    /// Empty for a range outside of the body.
    package func string(in range: Range<Int>) -> String {
        guard range.lowerBound >= 0, range.upperBound <= text.count else {
            return ""
        }
        return String(decoding: text[range], as: UTF8.self)
    }

    package var durationMicroseconds: Int64 {
        guard let last = segments.last else {
            return 0
        }
        return last.startOffsetMicroseconds.addingClamped(last.durationMicroseconds)
    }

    /// EXT-X-TARGETDURATION, clamped to Int64.
    package var targetDurationNanoseconds: Int64 {
        Int64(targetDurationSeconds).multipliedClamped(by: 1_000_000_000)
    }

    /// The media sequence number that the next segment to be published will have.
    package var endMediaSequence: UInt64 {
        mediaSequence.addingClamped(skippedSegments).addingClamped(UInt64(segments.count))
    }

    package func mediaSequence(at index: Int) -> UInt64 {
        mediaSequence.addingClamped(skippedSegments).addingClamped(UInt64(clamping: index))
    }

    /// The segment's start on the wall clock.
    ///
    /// Explicit, or extrapolated over EXTINF: forward from the last tag, backward before the first (bis-22 section 4.4.4.6).
    /// Nil when the playlist has no EXT-X-PROGRAM-DATE-TIME or no such segment.
    package func programDate(at index: Int) -> WallTime? {
        guard segments.indices.contains(index) else {
            return nil
        }
        let segment = segments[index]
        guard segments.indices.contains(segment.dateAnchor) else {
            return nil
        }
        let anchor = segments[segment.dateAnchor]
        let distance = segment.startOffsetMicroseconds.subtractingClamped(anchor.startOffsetMicroseconds)
        return anchor.programDate.map { WallTime(microseconds: $0.microseconds.addingClamped(distance)) }
    }

    /// The end of the last segment on the wall clock: the live edge.
    package var endProgramDate: WallTime? {
        guard let last = segments.last, let start = programDate(at: segments.count - 1) else {
            return nil
        }
        return WallTime(microseconds: start.microseconds.addingClamped(last.durationMicroseconds))
    }

    /// Whether this version differs from `previous` in a way that matters to the reload interval (bis-22 section 6.3.4).
    package func isUpdate(of previous: MediaPlaylist) -> Bool {
        endMediaSequence != previous.endMediaSequence
            || segments.count != previous.segments.count
            || parts.count != previous.parts.count
            || hasEndList != previous.hasEndList
            || dateRanges != previous.dateRanges
    }
}
