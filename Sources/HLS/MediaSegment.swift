extension MediaPlaylist {
    package struct Segment: Hashable, Sendable {
        /// Range of the URI in ``MediaPlaylist/text``.
        package var uri: Range<Int>
        package var durationMicroseconds: Int64
        /// Sum of the durations of the previous segments in the playlist.
        package var startOffsetMicroseconds: Int64
        /// Explicit only; see ``MediaPlaylist/programDate(at:)``.
        package var programDate: WallTime?
        /// Index of the segment whose date this one's is derived from; -1 when the playlist has no dates.
        var dateAnchor: Int
        package var discontinuitySequence: UInt64
        package var isDiscontinuity: Bool
        package var isGap: Bool
        /// The media initialization section that applies, as its range in ``MediaPlaylist/text``.
        package var mapURI: Range<Int>?
        package var mapByteRange: ByteRange?
        package var byteRange: ByteRange?
        package var title: Range<Int>?
    }

    /// An unread tag with its place.
    package struct OtherTag: Hashable, Sendable {
        /// Number of segments listed before it.
        package var segmentIndex: Int
        /// The whole line, without its line end.
        package var line: Range<Int>
    }

    /// EXT-X-PART (bis-22 section 4.4.4.9).
    package struct PartialSegment: Hashable, Sendable {
        /// Number of complete segments listed before it.
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

/// A sub-range of a resource (RFC 8216 section 4.3.2.2).
package struct ByteRange: Hashable, Sendable {
    package var length: UInt64
    /// Nil: the range begins where the previous one of the same resource ended.
    package var offset: UInt64?
}

/// EXT-X-START: preferred start of playback (RFC 8216 section 4.3.5.2).
package struct StartPoint: Hashable, Sendable {
    /// From the beginning of the playlist, or, when negative, from its end.
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
