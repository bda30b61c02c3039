import HLS

/// Checks EXT-X-SERVER-CONTROL, EXT-X-PART-INF and EXT-X-PART (bis-22 sections 4.4.3.7, 4.4.3.8 and 4.4.4.9).
struct PartChecks {
    /// Microseconds; forgives rounded decimal places.
    private static let tolerance: Int64 = 1_000

    /// PART-HOLD-BACK in microseconds.
    private(set) var holdBack: Int64?
    private var partTarget: Int64?
    private var targetLine: TagLine?
    private var firstPart: TagLine?
    private var control: Control?
    /// Too short to have another part of the segment after it.
    private var short: TagLine?
    private(set) var isInSegment = false
    /// Microseconds of the parts since the last segment.
    private var trailing: Int64 = 0
    /// The previous part's URI, if that was a sub-range.
    private var rangedURI: Range<Int>?
    /// Bytes are nil for whole resources.
    private var listed: [(uri: Range<Int>, covered: Range<UInt64>?)] = []
    private var hint: (line: TagLine, uri: Range<Int>, start: UInt64)?

    private static let keptParts = 64

    /// Nil also for an unreadable EXT-X-SERVER-CONTROL.
    var offersSkips: Bool? { control.map { $0.skipUntil != nil } }

    private struct Control {
        var line: TagLine
        var holdBack: Int64?
        var skipUntil: Int64?
        var skipsDateRanges: Bool
    }

    private static let lost = "EXT-X-PART-INF or PART-HOLD-BACK was lost on the way."

    /// Both the value and the target may have been rounded.
    private static func isLess(_ holdBack: Int64, than times: Int64, _ partTarget: Int64) -> Bool {
        holdBack + tolerance * times < partTarget * times
    }

    mutating func note(_ line: TagLine) { targetLine = line }

    mutating func readTarget(_ reader: TagReader) {
        targetLine = reader.line
        partTarget = reader.microseconds("PART-TARGET")
    }

    mutating func readControl(_ reader: TagReader) {
        holdBack = reader.microseconds("PART-HOLD-BACK")
        control = Control(
            line: reader.line,
            holdBack: reader.microseconds("HOLD-BACK"),
            skipUntil: reader.microseconds("CAN-SKIP-UNTIL"),
            skipsDateRanges: reader.is("CAN-SKIP-DATERANGES", "YES")
        )
    }

    mutating func read(isFirstOfDelta: Bool, _ reader: inout TagReader) {
        if firstPart == nil { firstPart = reader.line }
        isInSegment = true
        checkRange(isFirstOfDelta: isFirstOfDelta, &reader)
        guard let duration = reader.microseconds("DURATION") else { return }
        trailing = MediaChecks.sum(trailing, duration)
        guard let partTarget else { return }
        if duration > partTarget + Self.tolerance, reader.hasRoom(for: .partialSegmentInvalid) {
            let expected = "DURATION of at most PART-TARGET, \(SecondsText.shortest(partTarget)) s"
            reader.note(.partialSegmentInvalid, expected: expected)
        }
        let isGap = reader.is("GAP", "YES")
        if let short, !isGap {
            let expected = "DURATION of at least 85 % of PART-TARGET, unless it is the last part of its segment"
            reader.note(.partialSegmentInvalid, short, expected: expected)
        }
        // A gap, a part before one, and a part that begins with a key frame may be short too.
        let mayBeShort = isGap || reader.is("INDEPENDENT", "YES")
        let isShort = duration < partTarget / 100 * 85 - Self.tolerance && !mayBeShort
        short = isShort ? reader.line : nil
    }

    mutating func endSegment() {
        short = nil
        isInSegment = false
        trailing = 0
        rangedURI = nil
    }

    /// Reports a tag about a whole segment behind the segment's parts (bis-22 section 4.4.4.9).
    func checkOrder(_ tag: PlaylistTag, _ reader: inout TagReader) {
        switch tag {
        case .discontinuity, .key, .map, .programDateTime:
            reader.note(.tagMisplaced, expected: "\(tag.fullName) before the first EXT-X-PART of its segment")
        default: break
        }
    }

    /// A range without an offset begins at the end of the previous part's range in the segment.
    private mutating func checkRange(isFirstOfDelta: Bool, _ reader: inout TagReader) {
        let bytes = reader.bytes
        let range = reader["BYTERANGE"]
        let uri = reader["URI"]
        note(uri, range.flatMap { DecimalText.byteRange(bytes, $0) }, isRange: range != nil)
        defer { rangedURI = range == nil ? nil : uri }
        guard let range, let uri, !isFirstOfDelta, !bytes[range].contains(UInt8(ascii: "@")), !reader.isReference(range)
        else { return }
        if let rangedURI, bytes[rangedURI].elementsEqual(bytes[uri]) { return }
        reader.note(.tagMalformed, expected: "BYTERANGE=n@o, unless the part before is of the same resource")
    }

    /// Ignores a part whose offset follows from the part before.
    private mutating func note(_ uri: Range<Int>?, _ range: ByteRange?, isRange: Bool) {
        guard let uri else { return }
        let end = range.flatMap { range in range.offset?.addingReportingOverflow(range.length).partialValue }
        let covered = range?.offset.flatMap { offset in end.flatMap { offset < $0 ? offset..<$0 : nil } }
        guard !isRange || covered != nil else { return }
        if listed.count == Self.keptParts { listed.removeFirst() }
        listed.append((uri, covered))
    }

    mutating func readHint(_ reader: TagReader) {
        guard let uri = reader["URI"], !reader.isReference(uri) else { return }
        hint = (reader.line, uri, reader.integer("BYTERANGE-START") ?? 0)
    }

    /// A hint is of a part that is not listed yet (bis-22 section 4.4.5.3).
    private func checkHint(_ reader: inout TagReader) {
        guard let hint else { return }
        let bytes = reader.bytes
        let isListed = listed.contains { part in
            (part.covered?.contains(hint.start) ?? (hint.start == 0)) && bytes[part.uri].elementsEqual(bytes[hint.uri])
        }
        guard isListed else { return }
        let expected = "the URI of the next part, for this one is listed already, and players ask for it twice"
        let likely = "The hint was not replaced when its part was added."
        reader.note(.playlistFormLoose, hint.line, expected: expected, likely: likely)
    }

    /// A delta update leaves out only what is farther from the end than CAN-SKIP-UNTIL (bis-22 section 6.2.5.1).
    ///
    /// A segment across that boundary counts either way. One more is advice: gohlslib, which mediamtx serves with, counts from
    /// the oldest segment (muxer_stream.go).
    func checkSkip(_ line: TagLine, listed: Int64, longest: Int64, _ reader: inout TagReader) {
        let listed = MediaChecks.sum(listed, trailing)
        let counted = MediaChecks.sum(listed, longest)
        guard let until = control?.skipUntil, counted <= until else { return }
        let (wanted, left, shown) = (SecondsText.shortest(until), SecondsText.shortest(listed), reader.shown(line))
        let isWrong = MediaChecks.sum(counted, longest) <= until
        let code: FindingCode = isWrong ? .serverControlInvalid : .playlistFormLoose
        let expected = "the last \(wanted) s listed, as CAN-SKIP-UNTIL says, and only older segments skipped"
        let observed = "\(shown), after which \(left) s are listed"
        let likely = "The skip boundary is counted from the oldest segment, or in segments."
        reader.note(code, at: line.start, expected: expected, observed: observed, likely: likely)
    }

    func finish(target: Int64?, isIFramesOnly: Bool, _ reader: inout TagReader) {
        checkHint(&reader)
        if isIFramesOnly, let firstPart {
            let expected = "no EXT-X-PART in a playlist of key frames"
            let likely = "The playlist of key frames is made from one of whole segments."
            reader.note(.playlistFormLoose, firstPart, expected: expected, likely: likely)
        }
        if targetLine == nil, let firstPart {
            let expected = "EXT-X-PART-INF in a playlist with parts"
            reader.note(.partialSegmentInvalid, firstPart, expected: expected, likely: Self.lost)
        }
        if let targetLine, holdBack == nil {
            let expected = "PART-HOLD-BACK in EXT-X-SERVER-CONTROL beside EXT-X-PART-INF"
            reader.note(.partialSegmentInvalid, targetLine, expected: expected, likely: Self.lost)
        }
        guard let control else { return }
        if let partTarget, let holdBack, Self.isLess(holdBack, than: 3, partTarget) {
            let isAllowed = !Self.isLess(holdBack, than: 2, partTarget)
            let least = SecondsText.shortest(partTarget * (isAllowed ? 3 : 2))
            let expected = "PART-HOLD-BACK of at least \(least) s"
            reader.note(isAllowed ? .partHoldBackShort : .serverControlInvalid, control.line, expected: expected)
        }
        if control.skipsDateRanges, control.skipUntil == nil {
            reader.note(.serverControlInvalid, control.line, expected: "CAN-SKIP-UNTIL beside CAN-SKIP-DATERANGES")
        }
        guard let target else { return }
        let limits = [("HOLD-BACK", control.holdBack, target * 3), ("CAN-SKIP-UNTIL", control.skipUntil, target * 6)]
        for (name, value, least) in limits {
            guard let value, value + Self.tolerance < least else { continue }
            let expected = "\(name) of at least \(SecondsText.shortest(least)) s"
            reader.note(.serverControlInvalid, control.line, expected: expected)
        }
    }
}

/// Form and start of EXT-X-BYTERANGE (bis-22 section 4.4.4.2).
struct ByteRangeChecks {
    private var pending: (line: TagLine, continues: Bool)?
    /// URI line of the previous segment, if that was a sub-range as well.
    private var previous: Range<Int>?

    mutating func read(_ reader: inout TagReader) {
        if pending != nil { reader.note(.tagRepeated, expected: "EXT-X-BYTERANGE once for a segment") }
        let range = DecimalText.byteRange(reader.bytes, reader.line.valueRange)
        if range == nil { reader.note(.tagMalformed, expected: "EXT-X-BYTERANGE:n or n@o") }
        pending = (reader.line, range.map { $0.offset == nil } ?? false)
    }

    /// The predecessor of the first segment of a delta update is unknown.
    mutating func endSegment(isFirstOfDelta: Bool, _ reader: inout TagReader) {
        let uri = reader.line.range
        let range = pending
        pending = nil
        defer { previous = range.map { _ in uri } }
        guard let range, range.continues, !isFirstOfDelta else { return }
        if let previous, reader.bytes[previous].elementsEqual(reader.bytes[uri]) { return }
        reader.note(.tagMalformed, range.line, expected: "n@o, unless the segment before is of the same resource")
    }

    func finish(_ reader: inout TagReader) {
        guard let pending else { return }
        reader.note(.tagMisplaced, pending.line, expected: "EXT-X-BYTERANGE before its segment's URI")
    }
}
