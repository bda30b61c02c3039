/// Parsing ``render()`` gives the description back, except for empty URIs, line feeds, and quotation marks in quoted strings.
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
            self.uri = uri
            self.lastMediaSequence = lastMediaSequence
            self.lastPart = lastPart
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
}

extension MediaPlaylistWriter.Part {
    package init(uri: String, durationMicroseconds: Int64, isIndependent: Bool) {
        self.init(uri: uri, durationMicroseconds: durationMicroseconds, isIndependent: isIndependent, isGap: false)
    }

    var attributeText: AttributeText {
        var attributes = AttributeText()
        attributes.plain("DURATION", SecondsText.decimal(durationMicroseconds))
        attributes.quoted("URI", uri)
        attributes.flag("INDEPENDENT", isIndependent)
        attributes.flag("GAP", isGap)
        attributes.byteRange("BYTERANGE", byteRange)
        return attributes
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

extension MediaPlaylistWriter {
    package func render() -> [UInt8] {
        var text = PlaylistText()
        renderHeader(&text)
        for range in dateRanges { text.tag(.dateRange, range.attributeText) }
        var map: Map?
        for segment in segments { render(segment, &text, replacing: &map) }
        for line in trailingTags { text.line(line) }
        for part in trailingParts { text.tag(.part, part.attributeText) }
        renderDelivery(&text)
        if hasEndList { text.tag(.endList) }
        return text.bytes
    }

    private func renderHeader(_ text: inout PlaylistText) {
        text.head(head)
        text.tag(.targetDuration, targetDurationSeconds)
        if let serverControl { text.tag(.serverControl, serverControl.attributeText) }
        if let partTargetMicroseconds {
            var attributes = AttributeText()
            attributes.plain("PART-TARGET", SecondsText.decimal(partTargetMicroseconds))
            text.tag(.partInf, attributes)
        }
        text.tag(.mediaSequence, mediaSequence)
        if discontinuitySequence > 0 || countsDiscontinuities {
            text.tag(.discontinuitySequence, discontinuitySequence)
        }
        if let playlistType { text.tag(.playlistType, playlistType.rawValue) }
        if isIFramesOnly { text.tag(.iFramesOnly) }
        if skippedSegments > 0 {
            var attributes = AttributeText()
            attributes.plain("SKIPPED-SEGMENTS", skippedSegments)
            attributes.quoted("RECENTLY-REMOVED-DATERANGES", recentlyRemovedDateRanges?.joined(separator: "\t"))
            text.tag(.skip, attributes)
        }
    }

    private func render(_ segment: Segment, _ text: inout PlaylistText, replacing map: inout Map?) {
        for line in segment.otherTags { text.line(line) }
        if segment.isDiscontinuity { text.tag(.discontinuity) }
        if let date = segment.programDate { text.tag(.programDateTime, date.iso8601) }
        if let newMap = segment.map, newMap != map {
            map = newMap
            var attributes = AttributeText()
            attributes.quoted("URI", newMap.uri)
            attributes.byteRange("BYTERANGE", newMap.byteRange)
            text.tag(.map, attributes)
        }
        if segment.isGap { text.tag(.gap) }
        for part in segment.parts { text.tag(.part, part.attributeText) }
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
            var attributes = AttributeText()
            attributes.plain("TYPE", hint.kind.rawValue)
            attributes.quoted("URI", hint.uri)
            attributes.plain("BYTERANGE-START", hint.byteRangeStart == 0 ? nil : hint.byteRangeStart)
            attributes.plain("BYTERANGE-LENGTH", hint.byteRangeLength)
            text.tag(.preloadHint, attributes)
        }
        for report in renditionReports {
            var attributes = AttributeText()
            attributes.quoted("URI", report.uri)
            attributes.plain("LAST-MSN", report.lastMediaSequence)
            attributes.plain("LAST-PART", report.lastPart)
            text.tag(.renditionReport, attributes)
        }
    }
}

extension MediaPlaylist.ServerControl {
    var attributeText: AttributeText {
        var attributes = AttributeText()
        attributes.plain("CAN-BLOCK-RELOAD", canBlockReload ? "YES" : "NO")
        attributes.seconds("CAN-SKIP-UNTIL", canSkipUntilSeconds)
        attributes.flag("CAN-SKIP-DATERANGES", canSkipDateRanges)
        attributes.seconds("HOLD-BACK", holdBackSeconds)
        attributes.seconds("PART-HOLD-BACK", partHoldBackSeconds)
        return attributes
    }
}

extension DateRange {
    var attributeText: AttributeText {
        var list = AttributeText()
        list.quoted("ID", id)
        list.quoted("CLASS", classAttribute)
        list.quoted("START-DATE", startDate?.iso8601)
        list.quoted("CUE", cue.isEmpty ? nil : cue.map(\.rawValue).joined(separator: ","))
        list.quoted("END-DATE", endDate?.iso8601)
        list.seconds("DURATION", duration)
        list.seconds("PLANNED-DURATION", plannedDuration)
        list.hexadecimal("SCTE35-CMD", scte35Command)
        list.hexadecimal("SCTE35-OUT", scte35Out)
        list.hexadecimal("SCTE35-IN", scte35In)
        list.flag("END-ON-NEXT", endOnNext)
        list.others(attributes)
        return list
    }
}

extension AttributeText {
    /// Some packagers write other text in quotation marks.
    fileprivate mutating func hexadecimal(_ name: String, _ value: String?) {
        let isHexadecimal = value?.dropFirst(2).allSatisfy { $0.isASCII && $0.isHexDigit } ?? false
        if isHexadecimal, let value, value.hasPrefix("0x") || value.hasPrefix("0X") {
            plain(name, value)
        } else {
            quoted(name, value)
        }
    }
}
