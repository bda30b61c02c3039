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
        package var isIndependent = false
        package var isGap = false
        package var byteRange: ByteRange?
    }

    package struct Segment: Hashable, Sendable {
        package var uri: String
        package var durationMicroseconds: Int64
        package var title: String?
        package var programDate: WallTime?
        package var isDiscontinuity = false
        package var isGap = false
        /// Stays in force until a segment has another.
        package var map: Map?
        package var byteRange: ByteRange?
        package var parts: [Part] = []
        /// Whole lines before the segment, such as keys and cue tags.
        package var otherTags: [String] = []
    }

    package struct Hint: Hashable, Sendable {
        package var kind: MediaPlaylist.PreloadHint.Kind
        package var uri: String
        package var byteRangeStart: UInt64 = 0
        package var byteRangeLength: UInt64?
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

extension MediaPlaylistWriter.Part {
    package init(uri: String, durationMicroseconds: Int64, isIndependent: Bool) {
        self.init(uri: uri, durationMicroseconds: durationMicroseconds, isIndependent: isIndependent, isGap: false)
    }
}

extension MediaPlaylistWriter.Segment {
    package init(uri: String, durationMicroseconds: Int64) {
        self.init(uri: uri, durationMicroseconds: durationMicroseconds, title: nil)
    }
}

extension MediaPlaylistWriter.Hint {
    package init(kind: MediaPlaylist.PreloadHint.Kind, uri: String) {
        self.init(kind: kind, uri: uri, byteRangeStart: 0)
    }
}
