/// Parsing ``render()`` gives the description back, except for empty URIs, line feeds, and quotation marks in quoted strings.
package struct MediaPlaylistWriter: Hashable, Sendable {
    package struct Map: Hashable, Sendable {
        package var uri: String
        package var byteRange: ByteRange?

        package init(uri: String, byteRange: ByteRange? = nil) { (self.uri, self.byteRange) = (uri, byteRange) }
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
        /// Whole lines, such as keys and cue tags.
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
            (self.uri, self.lastMediaSequence, self.lastPart) = (uri, lastMediaSequence, lastPart)
        }
    }

    package var head = PlaylistHead()
    package var targetDurationSeconds: Int
    package var mediaSequence: UInt64 = 0
    package var discontinuitySequence: UInt64 = 0
    /// Whether a ``discontinuitySequence`` of 0 is written as well.
    package var countsDiscontinuities = false
    package var playlistType: MediaPlaylist.PlaylistType?
    package var serverControl: MediaPlaylist.ServerControl?
    package var partTargetMicroseconds: Int64?
    package var isIFramesOnly = false
    package var skippedSegments: UInt64 = 0
    /// Written with a number of skipped segments only.
    package var recentlyRemovedDateRanges: [String]?
    package var dateRanges: [DateRange] = []
    package var segments: [Segment] = []
    package var trailingParts: [Part] = []
    package var trailingTags: [String] = []
    package var preloadHints: [Hint] = []
    package var renditionReports: [Report] = []
    package var hasEndList = false

    package init(targetDurationSeconds: Int, version: Int? = nil) {
        self.targetDurationSeconds = targetDurationSeconds
        head.version = version
    }

    package func render() -> [UInt8] {
        var text = PlaylistText()
        renderHeader(&text)
        for range in dateRanges { text.tag(.dateRange, with: range.written) }
        var map: Map?
        for segment in segments { render(segment, &text, replacing: &map) }
        for line in trailingTags { text.line(line) }
        for part in trailingParts { text.tag(.part, with: part.written) }
        renderDelivery(&text)
        if hasEndList { text.tag(.endList) }
        return text.bytes
    }

    private func renderHeader(_ text: inout PlaylistText) {
        text.head(head)
        text.tag(.targetDuration, targetDurationSeconds)
        if let serverControl { text.tag(.serverControl, with: serverControl.written) }
        if let partTargetMicroseconds {
            text.tag(.partInf, with: [.plain("PART-TARGET", SecondsText.decimal(partTargetMicroseconds))])
        }
        text.tag(.mediaSequence, mediaSequence)
        if discontinuitySequence > 0 || countsDiscontinuities {
            text.tag(.discontinuitySequence, discontinuitySequence)
        }
        if let playlistType { text.tag(.playlistType, playlistType.rawValue) }
        if isIFramesOnly { text.tag(.iFramesOnly) }
        if skippedSegments > 0 {
            let removed = recentlyRemovedDateRanges?.joined(separator: "\t")
            let skipped = WrittenAttribute.plain("SKIPPED-SEGMENTS", skippedSegments)
            text.tag(.skip, with: [skipped, .quoted("RECENTLY-REMOVED-DATERANGES", removed)])
        }
    }

    private func render(_ segment: Segment, _ text: inout PlaylistText, replacing map: inout Map?) {
        for line in segment.otherTags { text.line(line) }
        if segment.isDiscontinuity { text.tag(.discontinuity) }
        if let date = segment.programDate { text.tag(.programDateTime, date.iso8601) }
        if let newMap = segment.map, newMap != map {
            map = newMap
            text.tag(.map, with: [.quoted("URI", newMap.uri), .byteRange("BYTERANGE", newMap.byteRange)])
        }
        if segment.isGap { text.tag(.gap) }
        for part in segment.parts { text.tag(.part, with: part.written) }
        if let byteRange = segment.byteRange { text.tag(.byteRange, byteRange.text) }
        text.tag(.extinf, "\(extinf(segment.durationMicroseconds)),\(segment.title ?? "")")
        text.uri(segment.uri)
    }

    /// Whole seconds below version 3 where they are exact (RFC 8216 section 4.3.2.1).
    private func extinf(_ microseconds: Int64) -> String {
        (head.version ?? 1) < 3 ? SecondsText.shortest(microseconds) : SecondsText.decimal(microseconds)
    }

    private func renderDelivery(_ text: inout PlaylistText) {
        for hint in preloadHints {
            let kind: [WrittenAttribute] = [.plain("TYPE", hint.kind.rawValue), .quoted("URI", hint.uri)]
            let start = hint.byteRangeStart == 0 ? nil : hint.byteRangeStart
            let range = [("BYTERANGE-START", start), ("BYTERANGE-LENGTH", hint.byteRangeLength)]
            text.tag(.preloadHint, with: kind + range.map { WrittenAttribute.plain($0, $1) })
        }
        for report in renditionReports {
            let last = [("LAST-MSN", report.lastMediaSequence), ("LAST-PART", report.lastPart)]
            text.tag(.renditionReport, with: [.quoted("URI", report.uri)] + last.map { WrittenAttribute.plain($0, $1) })
        }
    }
}

extension MediaPlaylistWriter.Part {
    package init(uri: String, durationMicroseconds: Int64, isIndependent: Bool) {
        self.init(uri: uri, durationMicroseconds: durationMicroseconds, isIndependent: isIndependent, isGap: false)
    }

    var written: [WrittenAttribute] {
        [
            .plain("DURATION", SecondsText.decimal(durationMicroseconds)), .quoted("URI", uri),
            .flag("INDEPENDENT", isIndependent), .flag("GAP", isGap), .byteRange("BYTERANGE", byteRange),
        ]
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

extension MediaPlaylist.ServerControl {
    var written: [WrittenAttribute] {
        [
            .plain("CAN-BLOCK-RELOAD", canBlockReload ? "YES" : "NO"), .seconds("CAN-SKIP-UNTIL", canSkipUntilSeconds),
            .flag("CAN-SKIP-DATERANGES", canSkipDateRanges), .seconds("HOLD-BACK", holdBackSeconds),
            .seconds("PART-HOLD-BACK", partHoldBackSeconds),
        ]
    }
}

extension DateRange {
    var written: [WrittenAttribute] {
        let known: [WrittenAttribute] = [
            .quoted("ID", id), .quoted("CLASS", classAttribute), .quoted("START-DATE", startDate?.iso8601),
            .quoted("CUE", cue.isEmpty ? nil : cue.map(\.rawValue).joined(separator: ",")),
            .quoted("END-DATE", endDate?.iso8601), .seconds("DURATION", duration),
            .seconds("PLANNED-DURATION", plannedDuration), .section("SCTE35-CMD", scte35Command),
            .section("SCTE35-OUT", scte35Out), .section("SCTE35-IN", scte35In), .flag("END-ON-NEXT", endOnNext),
        ]
        return known + WrittenAttribute.others(attributes)
    }
}
