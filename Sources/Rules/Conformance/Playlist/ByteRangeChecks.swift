import HLS

/// Checks EXT-X-BYTERANGE: its form, and the start of a range without an offset (bis-22 section 4.4.4.2).
struct ByteRangeChecks {
    private var pending: (line: TagLine, continues: Bool)?
    /// The URI line of the previous segment, if that was a sub-range as well.
    private var previous: Range<Int>?

    mutating func read(_ line: TagLine, _ list: inout ViolationList) {
        if pending != nil { list.note(.tagRepeated, line, expected: "EXT-X-BYTERANGE once for a segment") }
        let range = DecimalText.byteRange(list.bytes, line.valueRange)
        if range == nil { list.note(.tagMalformed, line, expected: "EXT-X-BYTERANGE:n or n@o") }
        pending = (line, range.map { $0.offset == nil } ?? false)
    }

    /// Applies the pending range, if any, to this URI.
    ///
    /// The predecessor of the first segment of a delta update is unknown.
    mutating func endSegment(_ uri: TagLine, isFirstOfDelta: Bool, _ list: inout ViolationList) {
        let range = pending
        pending = nil
        defer { previous = range.map { _ in uri.range } }
        guard let range, range.continues, !isFirstOfDelta else { return }
        if let previous, list.bytes[previous].elementsEqual(list.bytes[uri.range]) { return }
        list.note(.tagMalformed, range.line, expected: "n@o, unless the segment before is of the same resource")
    }

    func finish(_ list: inout ViolationList) {
        guard let pending else { return }
        list.note(.tagMisplaced, pending.line, expected: "EXT-X-BYTERANGE before its segment's URI")
    }
}
