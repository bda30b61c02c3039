/// Tags of low-latency and delta delivery (bis-22 sections 4.4.3 to 4.4.5).
struct DeliveryTags {
    var lines: PlaylistLines
    var line: TagLine

    private var bytes: UnsafeRawBufferPointer { lines.bytes }

    private func forEachAttribute(_ body: (AttributeList, AttributeList.Attribute) -> Bool) throws(PlaylistError) {
        var list = AttributeList(bytes, line.valueRange)
        var isValid = true
        while let attribute = list.next() { isValid = body(list, attribute) && isValid }
        guard isValid, !list.isMalformed else {
            throw lines.error(.badAttributeList, at: line.start, "an attribute of this tag cannot be read")
        }
    }

    private func integer(_ attribute: AttributeList.Attribute) -> UInt64? {
        DecimalText.integer(bytes, attribute.value)
    }

    private func seconds(_ attribute: AttributeList.Attribute) -> Double? {
        DecimalText.microseconds(bytes, attribute.value).map { Double($0) / 1_000_000 }
    }

    func serverControl() throws(PlaylistError) -> MediaPlaylist.ServerControl {
        var control = MediaPlaylist.ServerControl()
        try forEachAttribute { list, attribute in
            if list.isNamed(attribute, "HOLD-BACK") { return set(&control.holdBackSeconds, seconds(attribute)) }
            if list.isNamed(attribute, "PART-HOLD-BACK") {
                return set(&control.partHoldBackSeconds, seconds(attribute))
            }
            if list.isNamed(attribute, "CAN-SKIP-UNTIL") {
                return set(&control.canSkipUntilSeconds, seconds(attribute))
            }
            if list.isNamed(attribute, "CAN-BLOCK-RELOAD") { control.canBlockReload = list.isYes(attribute) }
            if list.isNamed(attribute, "CAN-SKIP-DATERANGES") { control.canSkipDateRanges = list.isYes(attribute) }
            return true
        }
        return control
    }

    func partTarget() throws(PlaylistError) -> Int64 {
        var target: Int64?
        try forEachAttribute { list, attribute in
            guard list.isNamed(attribute, "PART-TARGET") else { return true }
            return set(&target, DecimalText.microseconds(bytes, attribute.value))
        }
        return try required(target, "PART-TARGET")
    }

    func skip() throws(PlaylistError) -> (segments: UInt64, removedDateRanges: [String]?) {
        var skipped: UInt64?
        var removed: [String]?
        try forEachAttribute { list, attribute in
            if list.isNamed(attribute, "SKIPPED-SEGMENTS") { return set(&skipped, integer(attribute)) }
            if list.isNamed(attribute, "RECENTLY-REMOVED-DATERANGES") {
                removed = list.bytes.text(attribute.value).split(separator: "\t").map(String.init)
            }
            return true
        }
        return (try required(skipped, "SKIPPED-SEGMENTS"), removed)
    }

    func part(after segments: Int) throws(PlaylistError) -> MediaPlaylist.PartialSegment {
        var uri: Range<Int>?
        var duration: Int64?
        var isIndependent = false
        var isGap = false
        var byteRange: ByteRange?
        try forEachAttribute { list, attribute in
            if list.isNamed(attribute, "URI") { uri = attribute.value }
            if list.isNamed(attribute, "DURATION") { duration = DecimalText.microseconds(bytes, attribute.value) }
            if list.isNamed(attribute, "INDEPENDENT") { isIndependent = list.isYes(attribute) }
            if list.isNamed(attribute, "GAP") { isGap = list.isYes(attribute) }
            guard list.isNamed(attribute, "BYTERANGE") else { return true }
            return set(&byteRange, DecimalText.byteRange(bytes, attribute.value))
        }
        return MediaPlaylist.PartialSegment(
            segmentIndex: segments,
            uri: try required(uri, "URI"),
            durationMicroseconds: try required(duration, "DURATION"),
            isIndependent: isIndependent,
            isGap: isGap,
            byteRange: byteRange
        )
    }

    /// Clients must ignore an unknown TYPE.
    func preloadHint() throws(PlaylistError) -> MediaPlaylist.PreloadHint? {
        var kindText: String?
        var uri: Range<Int>?
        var start: UInt64? = 0
        var length: UInt64?
        try forEachAttribute { list, attribute in
            if list.isNamed(attribute, "TYPE") { kindText = list.bytes.text(attribute.value) }
            if list.isNamed(attribute, "URI") { uri = attribute.value }
            if list.isNamed(attribute, "BYTERANGE-START") { return set(&start, integer(attribute)) }
            return list.isNamed(attribute, "BYTERANGE-LENGTH") ? set(&length, integer(attribute)) : true
        }
        let location = try required(uri, "URI")
        guard let kind = MediaPlaylist.PreloadHint.Kind(rawValue: try required(kindText, "TYPE")) else { return nil }
        return MediaPlaylist.PreloadHint(kind: kind, uri: location, byteRangeStart: start ?? 0, byteRangeLength: length)
    }

    func renditionReport() throws(PlaylistError) -> MediaPlaylist.RenditionReport {
        var uri: Range<Int>?
        var sequence: UInt64?
        var part: UInt64?
        try forEachAttribute { list, attribute in
            if list.isNamed(attribute, "URI") { uri = attribute.value }
            if list.isNamed(attribute, "LAST-MSN") { return set(&sequence, integer(attribute)) }
            return list.isNamed(attribute, "LAST-PART") ? set(&part, integer(attribute)) : true
        }
        return MediaPlaylist.RenditionReport(uri: try required(uri, "URI"), lastMediaSequence: sequence, lastPart: part)
    }

    private func required<Value>(_ value: Value?, _ name: StaticString) throws(PlaylistError) -> Value {
        guard let value else {
            throw lines.error(.missingAttribute, at: line.start, "\(name) is missing or cannot be read")
        }
        return value
    }
}
