extension MediaPlaylistWriter {
    /// The playlist as UTF-8 text with LF line ends.
    package func render() -> [UInt8] {
        var text = PlaylistText()
        renderHeader(&text)
        for range in dateRanges {
            text.tag(.dateRange, range.attributeText)
        }
        var map: Map?
        for segment in segments {
            render(segment, &text, replacing: &map)
        }
        for line in trailingTags {
            text.line(line)
        }
        for part in trailingParts {
            text.tag(.part, part.attributeText)
        }
        renderDelivery(&text)
        if hasEndList {
            text.tag(.endList)
        }
        return text.bytes
    }

    private func renderHeader(_ text: inout PlaylistText) {
        text.header(
            version: version,
            isIndependentSegments: isIndependentSegments,
            startPoint: startPoint,
            definitions: definitions
        )
        text.tag(.targetDuration, targetDurationSeconds)
        if let serverControl {
            text.tag(.serverControl, serverControl.attributeText)
        }
        if let partTargetMicroseconds {
            var attributes = AttributeText()
            attributes.plain("PART-TARGET", SecondsText.decimal(partTargetMicroseconds))
            text.tag(.partInf, attributes)
        }
        text.tag(.mediaSequence, mediaSequence)
        if discontinuitySequence > 0 {
            text.tag(.discontinuitySequence, discontinuitySequence)
        }
        if let playlistType {
            text.tag(.playlistType, playlistType.rawValue)
        }
        if isIFramesOnly {
            text.tag(.iFramesOnly)
        }
        if skippedSegments > 0 {
            var attributes = AttributeText()
            attributes.plain("SKIPPED-SEGMENTS", skippedSegments)
            attributes.quoted("RECENTLY-REMOVED-DATERANGES", recentlyRemovedDateRanges?.joined(separator: "\t"))
            text.tag(.skip, attributes)
        }
    }

    private func render(_ segment: Segment, _ text: inout PlaylistText, replacing map: inout Map?) {
        for line in segment.otherTags {
            text.line(line)
        }
        if segment.isDiscontinuity {
            text.tag(.discontinuity)
        }
        if let date = segment.programDate {
            text.tag(.programDateTime, date.iso8601)
        }
        if let newMap = segment.map, newMap != map {
            map = newMap
            var attributes = AttributeText()
            attributes.quoted("URI", newMap.uri)
            attributes.byteRange("BYTERANGE", newMap.byteRange)
            text.tag(.map, attributes)
        }
        if segment.isGap {
            text.tag(.gap)
        }
        for part in segment.parts {
            text.tag(.part, part.attributeText)
        }
        if let byteRange = segment.byteRange {
            text.tag(.byteRange, byteRange.text)
        }
        text.tag(.extinf, "\(extinf(segment.durationMicroseconds)),\(segment.title ?? "")")
        text.uri(segment.uri)
    }

    /// Whole seconds below version 3 where they are exact (RFC 8216 section 4.3.2.1), decimal places otherwise.
    private func extinf(_ microseconds: Int64) -> String {
        (version ?? 1) < 3 ? SecondsText.shortest(microseconds) : SecondsText.decimal(microseconds)
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

extension MediaPlaylistWriter.Part {
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
    /// Writes hexadecimal unquoted, and other text in quotation marks, as some packagers do.
    fileprivate mutating func hexadecimal(_ name: String, _ value: String?) {
        let isHexadecimal = value?.dropFirst(2).allSatisfy { $0.isASCII && $0.isHexDigit } ?? false
        if isHexadecimal, let value, value.hasPrefix("0x") || value.hasPrefix("0X") {
            plain(name, value)
        } else {
            quoted(name, value)
        }
    }
}
