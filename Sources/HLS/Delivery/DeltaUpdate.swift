/// Clients then load the whole playlist (bis-22 section 6.3.7).
package enum DeltaUpdateProblem: String, Error, Hashable, Sendable, CaseIterable {
    /// The answer is a whole playlist.
    case notADelta = "not_a_delta"
    case previousIsDelta = "previous_is_delta"
    case skipsUnknownSegments = "skips_unknown_segments"
    /// Another URI or byte range of a segment that both list.
    case contradictsPrevious = "contradicts_previous"
    case unreadable
}

extension MediaPlaylist {
    /// Byte ranges of the result point into its own text.
    ///
    /// Skipped segments keep their tags, apart from EXT-X-PART, which no server keeps so far from the edge (bis-22 section
    /// 6.2.2). RECENTLY-REMOVED-DATERANGES shows that `delta` leaves out old date ranges; then the known ones stay, except for
    /// those it names (bis-22 sections 4.4.5.2 and 6.3.7).
    package static func merging(
        delta: MediaPlaylist,
        into previous: MediaPlaylist
    ) throws(DeltaUpdateProblem) -> MediaPlaylist {
        guard delta.skippedSegments > 0 else { throw .notADelta }
        guard previous.skippedSegments == 0 else { throw .previousIsDelta }
        guard delta.mediaSequence >= previous.mediaSequence,
            let first = Int(exactly: delta.mediaSequence - previous.mediaSequence),
            let count = Int(exactly: delta.skippedSegments),
            first <= previous.segments.count, count <= previous.segments.count - first
        else { throw .skipsUnknownSegments }
        guard previous.agrees(with: delta, from: first + count) else { throw .contradictsPrevious }
        let text = DeltaText(delta: delta, previous: previous, skipped: first..<(first + count)).merged()
        guard case .media(let playlist) = try? Playlist(parsing: text), playlist.skippedSegments == 0 else {
            throw .unreadable
        }
        return playlist
    }

    /// Whether the segments that both list are equal (bis-22 section 6.3.4).
    private func agrees(with delta: MediaPlaylist, from index: Int) -> Bool {
        zip(segments[index...], delta.segments).allSatisfy { known, listed in
            known.byteRange == listed.byteRange && text[known.uri] == delta.text[listed.uri]
        }
    }
}

private struct DeltaText {
    let delta: MediaPlaylist
    let previous: MediaPlaylist
    /// Indices into the segments of `previous`.
    let skipped: Range<Int>
    var output: [UInt8] = []
    /// Unknown tags before EXT-X-SKIP may concern the whole playlist and must not come twice.
    var headerLines: Set<[UInt8]> = []

    consuming func merged() -> [UInt8] {
        output.reserveCapacity(delta.text.count + previous.text.count)
        let deltaText = delta.text
        let previousText = previous.text
        deltaText.withUnsafeBytes { appendHeader($0) }
        appendDateRanges()
        previousText.withUnsafeBytes { appendSkippedSegments($0) }
        deltaText.withUnsafeBytes { appendListedSegments($0) }
        return output
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        output.append(contentsOf: bytes[range])
        output.append(0x0A)
    }

    private mutating func appendHeader(_ bytes: UnsafeRawBufferPointer) {
        var lines = PlaylistLines(rereading: bytes, 0..<bytes.count)
        var isBeforeSkip = true
        while let line = lines.next() {
            guard case .tag(let tag) = line.kind else {
                isBeforeSkip = false
                continue
            }
            if tag == .skip {
                isBeforeSkip = false
            } else if tag == .unknown, isBeforeSkip {
                headerLines.insert(Array(bytes[line.range]))
                append(bytes, line.range)
            } else if tag.speaksOfThePlaylist, tag != .dateRange || delta.recentlyRemovedDateRanges == nil {
                append(bytes, line.range)
            }
        }
    }

    private mutating func appendDateRanges() {
        guard let removed = delta.recentlyRemovedDateRanges else { return }
        let gone = Set(removed)
        var listed: [String: DateRange] = [:]
        for range in delta.dateRanges { listed[range.id] = range }
        var text = PlaylistText()
        for known in previous.dateRanges where !gone.contains(known.id) {
            var range = listed.removeValue(forKey: known.id) ?? known
            range.consolidate(with: known)
            text.tag(.dateRange, with: range.written)
        }
        for range in delta.dateRanges where listed[range.id] != nil { text.tag(.dateRange, with: range.written) }
        output += text.bytes
    }

    private mutating func appendSkippedSegments(_ bytes: UnsafeRawBufferPointer) {
        guard let first = skipped.first, let last = skipped.last else { return }
        appendStateBefore(first)
        let start = first == 0 ? 0 : previous.segments[first - 1].uri.upperBound
        var lines = PlaylistLines(rereading: bytes, start..<previous.segments[last].uri.upperBound)
        while let line = lines.next() {
            switch line.kind {
            case .uri: append(bytes, line.range)
            case .tag(let tag) where tag.speaksOfASegment:
                let isOfTheHeader = first == 0 && tag == .unknown && headerLines.contains(Array(bytes[line.range]))
                if !isOfTheHeader { append(bytes, line.range) }
            case .tag: break
            }
        }
    }

    /// Initialization section, keys and date of earlier segments stay in force.
    private mutating func appendStateBefore(_ index: Int) {
        guard index > 0 else { return }
        let before = previous.segments[index - 1]
        var text = PlaylistText()
        if let uri = before.mapURI {
            let range = WrittenAttribute.byteRange("BYTERANGE", before.mapByteRange)
            text.tag(.map, with: [.quoted("URI", previous.string(in: uri)), range])
        }
        // The last run of keys applies, since several with different KEYFORMATs apply together (RFC 8216 section 4.3.2.4).
        let keys = Array(previous.keyLines(upTo: index))
        for key in keys where key.segmentIndex != index && key.segmentIndex == keys.last?.segmentIndex {
            text.line(previous.string(in: key.line))
        }
        if previous.segments[index].programDate == nil, let date = previous.programDate(at: index) {
            text.tag(.programDateTime, date.iso8601)
        }
        output += text.bytes
    }

    private mutating func appendListedSegments(_ bytes: UnsafeRawBufferPointer) {
        var lines = PlaylistLines(rereading: bytes, 0..<bytes.count)
        var isAfterSkip = false
        while let line = lines.next() {
            switch line.kind {
            case .uri:
                isAfterSkip = true
                append(bytes, line.range)
            case .tag(.skip): isAfterSkip = true
            case .tag(.part), .tag(.preloadHint), .tag(.renditionReport), .tag(.endList): append(bytes, line.range)
            case .tag(let tag) where tag.speaksOfASegment && (tag != .unknown || isAfterSkip):
                append(bytes, line.range)
            case .tag: break
            }
        }
    }
}

extension PlaylistTag {
    /// Callers handle EXT-X-PART.
    fileprivate var speaksOfASegment: Bool {
        switch self {
        case .extinf, .byteRange, .discontinuity, .map, .programDateTime, .gap, .key, .bitRate, .unknown: true
        default: false
        }
    }

    fileprivate var speaksOfThePlaylist: Bool {
        switch self {
        case .skip, .part, .preloadHint, .renditionReport, .endList: false
        default: !speaksOfASegment
        }
    }
}
