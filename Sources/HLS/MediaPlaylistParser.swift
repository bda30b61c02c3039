struct MediaPlaylistParser {
    private var lines: PlaylistLines
    private var header: PlaylistHeader
    private var playlist = MediaPlaylist(targetDurationSeconds: 0)
    private var dateRanges = DateRangeCollector()

    private var pendingDuration: Int64?
    private var pendingTitle: Range<Int>?
    private var pendingDate: WallTime?
    private var pendingDiscontinuity = false
    private var pendingGap = false
    private var pendingByteRange: ByteRange?
    private var map: (uri: Range<Int>, byteRange: ByteRange?)?

    private var offset: Int64 = 0
    private var discontinuities: UInt64 = 0
    private var lastDated = -1

    init(lines: PlaylistLines, header: PlaylistHeader) {
        (self.lines, self.header) = (lines, header)
        // A segment without a date has about this many bytes; a guess too low costs one reallocation.
        playlist.segments.reserveCapacity(lines.bytes.count / 32 + 1)
    }

    mutating func parse(from first: TagLine, keeping text: [UInt8]?) throws(PlaylistError) -> MediaPlaylist {
        var line: TagLine? = first
        while let current = line {
            switch current.kind {
            case .uri: try finishSegment(current)
            case .tag(let tag): try read(tag, current)
            }
            line = lines.next()
        }
        try finish()
        playlist.text = text ?? Array(lines.bytes)
        // A copy would retain and release everything that it refers to.
        var result = MediaPlaylist(targetDurationSeconds: 0)
        swap(&result, &playlist)
        return result
    }

    private mutating func read(_ tag: PlaylistTag, _ line: TagLine) throws(PlaylistError) {
        switch tag {
        case .extinf: try readDuration(line)
        case .programDateTime: try readDate(line)
        case .discontinuity:
            // Each tag counts, also several before one segment (bis-22 section 4.4.3.3).
            pendingDiscontinuity = true
            discontinuities &+= 1
        case .gap: pendingGap = true
        case .byteRange:
            pendingByteRange = DecimalText.byteRange(lines.bytes, line.valueRange)
            guard pendingByteRange != nil else {
                throw lines.error(.badTag, at: line.start, "EXT-X-BYTERANGE must be n or n@o")
            }
        case .map: try readMap(line)
        case .dateRange: dateRanges.read(line, lines)
        case .endList: playlist.hasEndList = true
        case .iFramesOnly: playlist.isIFramesOnly = true
        case .targetDuration, .mediaSequence, .discontinuitySequence: try readNumber(tag, line)
        case .playlistType: try readPlaylistType(line)
        case .part, .partInf, .serverControl, .skip, .preloadHint, .renditionReport: try readDelivery(tag, line)
        case .key, .bitRate, .unknown:
            playlist.otherTags.append(.init(segmentIndex: playlist.segments.count, line: line.range))
        case .version, .independentSegments, .start, .define, .extm3u: try header.read(tag, line, lines)
        case .media, .streamInf, .iFrameStreamInf, .sessionData, .sessionKey, .contentSteering:
            throw lines.error(.mixedKinds, at: line.start, "\(tag.fullName) does not belong in a media playlist")
        }
    }

    private mutating func readDuration(_ line: TagLine) throws(PlaylistError) {
        var comma = line.value
        guard let duration = DecimalText.microseconds(lines.bytes, upToComma: &comma, end: line.end) else {
            throw lines.error(.badExtinf, at: line.start, "EXTINF must be a number of seconds, not negative")
        }
        guard pendingDuration == nil else {
            throw lines.error(.missingURI, at: line.start, "EXTINF follows EXTINF without a URI line")
        }
        pendingDuration = duration
        pendingTitle = comma + 1 < line.end ? (comma + 1)..<line.end : nil
    }

    private mutating func readDate(_ line: TagLine) throws(PlaylistError) {
        pendingDate = WallTime.parse(UnsafeRawBufferPointer(rebasing: lines.bytes[line.valueRange]))
        guard pendingDate != nil else {
            throw lines.error(.badDate, at: line.start, "EXT-X-PROGRAM-DATE-TIME must be an ISO 8601 date and time")
        }
    }

    private mutating func readMap(_ line: TagLine) throws(PlaylistError) {
        var list = AttributeList(lines.bytes, line.valueRange)
        var (uri, range): (Range<Int>?, Range<Int>?)
        while let attribute = list.next() {
            if list.isNamed(attribute, "URI") { uri = attribute.value }
            if list.isNamed(attribute, "BYTERANGE") { range = attribute.value }
        }
        let byteRange = range.flatMap { DecimalText.byteRange(lines.bytes, $0) }
        guard let uri, range == nil || byteRange != nil, !list.isMalformed else {
            throw lines.error(.missingAttribute, at: line.start, "EXT-X-MAP needs URI, and BYTERANGE as n@o")
        }
        map = (uri, byteRange)
    }

    private mutating func readNumber(_ tag: PlaylistTag, _ line: TagLine) throws(PlaylistError) {
        try header.once(tag, line, lines)
        guard let value = DecimalText.integer(lines.bytes, line.valueRange) else {
            throw lines.error(.badTag, at: line.start, "\(tag.fullName) must be a whole number")
        }
        if tag == .targetDuration {
            guard value <= 31_536_000 else {
                throw lines.error(.badTag, at: line.start, "EXT-X-TARGETDURATION must not pass a year")
            }
            playlist.targetDurationSeconds = Int(value)
            return
        }
        guard playlist.segments.isEmpty, tag == .mediaSequence || !pendingDiscontinuity else {
            throw lines.error(.misplacedTag, at: line.start, "\(tag.fullName) must precede the first segment")
        }
        if tag == .mediaSequence {
            playlist.mediaSequence = value
        } else {
            playlist.discontinuitySequence = value
        }
    }

    private mutating func readPlaylistType(_ line: TagLine) throws(PlaylistError) {
        try header.once(.playlistType, line, lines)
        if lines.bytes.matches("VOD", at: line.value, end: line.end) {
            playlist.playlistType = .vod
        } else if lines.bytes.matches("EVENT", at: line.value, end: line.end) {
            playlist.playlistType = .event
        } else {
            throw lines.error(.badTag, at: line.start, "EXT-X-PLAYLIST-TYPE must be VOD or EVENT")
        }
    }

    private mutating func readDelivery(_ tag: PlaylistTag, _ line: TagLine) throws(PlaylistError) {
        if tag == .serverControl || tag == .partInf || tag == .skip { try header.once(tag, line, lines) }
        let tags = DeliveryTags(lines: lines, line: line)
        switch tag {
        case .serverControl: playlist.serverControl = try tags.serverControl()
        case .partInf: playlist.partTargetMicroseconds = try tags.partTarget()
        case .skip: (playlist.skippedSegments, playlist.recentlyRemovedDateRanges) = try tags.skip()
        case .preloadHint: try tags.preloadHint().map { playlist.preloadHints.append($0) }
        case .renditionReport: playlist.renditionReports.append(try tags.renditionReport())
        default: playlist.parts.append(try tags.part(after: playlist.segments.count))
        }
    }

    private mutating func finishSegment(_ line: TagLine) throws(PlaylistError) {
        guard let duration = pendingDuration else {
            throw lines.error(.unexpectedURI, at: line.start, "a URI line needs EXTINF before it")
        }
        if pendingDate != nil { lastDated = playlist.segments.count }
        playlist.segments.append(
            MediaPlaylist.Segment(
                uri: line.range,
                durationMicroseconds: duration,
                startOffsetMicroseconds: offset,
                programDate: pendingDate,
                dateAnchor: lastDated,
                discontinuitySequence: discontinuities,
                isDiscontinuity: pendingDiscontinuity,
                isGap: pendingGap,
                mapURI: map?.uri,
                mapByteRange: map?.byteRange,
                byteRange: pendingByteRange,
                title: pendingTitle
            )
        )
        offset = offset.addingClamped(duration)
        pendingDuration = nil
        pendingTitle = nil
        pendingDate = nil
        pendingDiscontinuity = false
        pendingGap = false
        pendingByteRange = nil
    }

    private mutating func finish() throws(PlaylistError) {
        guard pendingDuration == nil else {
            throw lines.error(.missingURI, at: lines.bytes.count, "the last EXTINF has no URI line")
        }
        guard header.hasSeen(.targetDuration) else {
            throw lines.error(.missingTargetDuration, at: lines.bytes.count, "no EXT-X-TARGETDURATION")
        }
        playlist.head = header.head
        if !header.otherLines.isEmpty {
            let early = header.otherLines.map { MediaPlaylist.OtherTag(segmentIndex: 0, line: $0) }
            playlist.otherTags.insert(contentsOf: early, at: 0)
        }
        playlist.dateRanges = dateRanges.ranges
        playlist.dateRangeEndings = dateRanges.endings
        anchorLeadingSegments()
        applyDiscontinuitySequence()
    }

    private mutating func anchorLeadingSegments() {
        guard lastDated >= 0, playlist.segments.first?.dateAnchor == -1 else { return }
        let firstDated = playlist.segments.firstIndex { $0.programDate != nil } ?? -1
        for index in 0..<max(0, firstDated) { playlist.segments[index].dateAnchor = firstDated }
    }

    /// The tag may stand after tags of the first segment.
    private mutating func applyDiscontinuitySequence() {
        guard playlist.discontinuitySequence > 0 else { return }
        for index in playlist.segments.indices {
            let count = playlist.segments[index].discontinuitySequence
            playlist.segments[index].discontinuitySequence = playlist.discontinuitySequence.addingClamped(count)
        }
    }
}
