/// A description of a media playlist that can be written as text.
///
/// Parsing the output of ``render()`` gives the description back for values that the syntax can represent: no empty URI, no
/// line feed anywhere, no quotation mark in a quoted string.
package struct MediaPlaylistWriter: Hashable, Sendable {
    package struct Map: Hashable, Sendable {
        package var uri: String
        package var byteRange: ByteRange?

        package init(uri: String, byteRange: ByteRange? = nil) {
            self.uri = uri
            self.byteRange = byteRange
        }
    }

    package struct Part: Hashable, Sendable {
        package var uri: String
        package var durationMicroseconds: Int64
        package var isIndependent: Bool
        package var isGap: Bool
        package var byteRange: ByteRange?

        package init(
            uri: String,
            durationMicroseconds: Int64,
            isIndependent: Bool = false,
            isGap: Bool = false,
            byteRange: ByteRange? = nil
        ) {
            self.uri = uri
            self.durationMicroseconds = durationMicroseconds
            self.isIndependent = isIndependent
            self.isGap = isGap
            self.byteRange = byteRange
        }
    }

    package struct Segment: Hashable, Sendable {
        package var uri: String
        package var durationMicroseconds: Int64
        package var title: String?
        package var programDate: WallTime?
        package var isDiscontinuity: Bool
        package var isGap: Bool
        /// Stays in force until a segment has another.
        package var map: Map?
        package var byteRange: ByteRange?
        package var parts: [Part]
        /// Whole lines before the segment, such as keys and cue tags.
        package var otherTags: [String]

        package init(
            uri: String,
            durationMicroseconds: Int64,
            title: String? = nil,
            programDate: WallTime? = nil,
            isDiscontinuity: Bool = false,
            isGap: Bool = false,
            map: Map? = nil,
            byteRange: ByteRange? = nil,
            parts: [Part] = [],
            otherTags: [String] = []
        ) {
            self.uri = uri
            self.durationMicroseconds = durationMicroseconds
            self.title = title
            self.programDate = programDate
            self.isDiscontinuity = isDiscontinuity
            self.isGap = isGap
            self.map = map
            self.byteRange = byteRange
            self.parts = parts
            self.otherTags = otherTags
        }
    }

    package struct Hint: Hashable, Sendable {
        package var kind: MediaPlaylist.PreloadHint.Kind
        package var uri: String
        package var byteRangeStart: UInt64
        package var byteRangeLength: UInt64?

        package init(
            kind: MediaPlaylist.PreloadHint.Kind,
            uri: String,
            byteRangeStart: UInt64 = 0,
            byteRangeLength: UInt64? = nil
        ) {
            self.kind = kind
            self.uri = uri
            self.byteRangeStart = byteRangeStart
            self.byteRangeLength = byteRangeLength
        }
    }

    package struct Report: Hashable, Sendable {
        package var uri: String
        package var lastMediaSequence: UInt64?
        package var lastPart: UInt64?

        package init(uri: String, lastMediaSequence: UInt64? = nil, lastPart: UInt64? = nil) {
            self.uri = uri
            self.lastMediaSequence = lastMediaSequence
            self.lastPart = lastPart
        }
    }

    package var version: Int?
    package var targetDurationSeconds: Int
    package var mediaSequence: UInt64 = 0
    package var discontinuitySequence: UInt64 = 0
    package var playlistType: MediaPlaylist.PlaylistType?
    package var serverControl: MediaPlaylist.ServerControl?
    package var partTargetMicroseconds: Int64?
    package var isIndependentSegments = false
    package var isIFramesOnly = false
    package var startPoint: StartPoint?
    package var definitions: [VariableDefinition] = []
    package var skippedSegments: UInt64 = 0
    /// See ``MediaPlaylist/recentlyRemovedDateRanges``; written with a number of skipped segments only.
    package var recentlyRemovedDateRanges: [String]?
    package var dateRanges: [DateRange] = []
    package var segments: [Segment] = []
    /// Parts of the incomplete last segment.
    package var trailingParts: [Part] = []
    /// Whole lines after the last segment.
    package var trailingTags: [String] = []
    package var preloadHints: [Hint] = []
    package var renditionReports: [Report] = []
    package var hasEndList = false

    package init(targetDurationSeconds: Int, version: Int? = nil) {
        self.targetDurationSeconds = targetDurationSeconds
        self.version = version
    }
}

extension MediaPlaylistWriter {
    /// Describes a parsed playlist, without its notes about conflicting date ranges.
    package init(describing playlist: MediaPlaylist) {
        self.init(targetDurationSeconds: playlist.targetDurationSeconds, version: playlist.version)
        mediaSequence = playlist.mediaSequence
        discontinuitySequence = playlist.discontinuitySequence
        playlistType = playlist.playlistType
        serverControl = playlist.serverControl
        partTargetMicroseconds = playlist.partTargetMicroseconds
        isIndependentSegments = playlist.isIndependentSegments
        isIFramesOnly = playlist.isIFramesOnly
        startPoint = playlist.startPoint
        definitions = playlist.definitions
        skippedSegments = playlist.skippedSegments
        recentlyRemovedDateRanges = playlist.recentlyRemovedDateRanges
        dateRanges = playlist.dateRanges.map { range in
            var range = range
            range.conflictingAttributes = []
            return range
        }
        segments = playlist.segments.map { Self.describe($0, playlist) }
        for tag in playlist.otherTags {
            let line = playlist.string(in: tag.line)
            if segments.indices.contains(tag.segmentIndex) {
                segments[tag.segmentIndex].otherTags.append(line)
            } else {
                trailingTags.append(line)
            }
        }
        for part in playlist.parts {
            let described = Self.describe(part, playlist)
            if segments.indices.contains(part.segmentIndex) {
                segments[part.segmentIndex].parts.append(described)
            } else {
                trailingParts.append(described)
            }
        }
        preloadHints = playlist.preloadHints.map {
            Hint(
                kind: $0.kind,
                uri: playlist.string(in: $0.uri),
                byteRangeStart: $0.byteRangeStart,
                byteRangeLength: $0.byteRangeLength
            )
        }
        renditionReports = playlist.renditionReports.map {
            Report(uri: playlist.string(in: $0.uri), lastMediaSequence: $0.lastMediaSequence, lastPart: $0.lastPart)
        }
        hasEndList = playlist.hasEndList
    }

    private static func describe(_ segment: MediaPlaylist.Segment, _ playlist: MediaPlaylist) -> Segment {
        Segment(
            uri: playlist.uri(of: segment),
            durationMicroseconds: segment.durationMicroseconds,
            title: segment.title.map { playlist.string(in: $0) },
            programDate: segment.programDate,
            isDiscontinuity: segment.isDiscontinuity,
            isGap: segment.isGap,
            map: segment.mapURI.map { Map(uri: playlist.string(in: $0), byteRange: segment.mapByteRange) },
            byteRange: segment.byteRange
        )
    }

    private static func describe(_ part: MediaPlaylist.PartialSegment, _ playlist: MediaPlaylist) -> Part {
        Part(
            uri: playlist.string(in: part.uri),
            durationMicroseconds: part.durationMicroseconds,
            isIndependent: part.isIndependent,
            isGap: part.isGap,
            byteRange: part.byteRange
        )
    }
}
