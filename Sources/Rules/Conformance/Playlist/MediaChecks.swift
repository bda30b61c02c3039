import HLS

struct MediaChecks {
    private(set) var segments = 0
    private(set) var isIFramesOnly = false
    private(set) var target: Int64?
    private var type: (isVOD: Bool, line: TagLine)?
    private var mediaSequence: UInt64 = 0
    private(set) var hasEndList = false
    private var skipped: UInt64?
    private var skipLine: TagLine?
    /// EXTINF with decimal places, which needs version 3.
    private(set) var firstDecimals: TagLine?
    private var pending: (line: TagLine, duration: Int64?, decimals: Int)?
    private var isDiscontinuity = false
    private var firstDiscontinuity: TagLine?
    private var discontinuities = 0
    /// Microseconds.
    private(set) var total: Int64 = 0
    private var longest: (duration: Int64, line: TagLine)?
    /// Short without a reason, unless a discontinuity follows.
    private var short: TagLine?
    /// Reported once the whole body shows that the playlist is live.
    private var shorts: [TagLine] = []
    private var byteRanges = ByteRangeChecks()
    private var dates = ProgramDateChecks()
    private var parts = PartChecks()
    private var map = MapChecks()
    private var hint: TagLine?
    private var hinted: [String] = []
    /// Whether initialization sections are encrypted without a specified IV.
    private var hasKeyWithoutVector = false

    var hasDates: Bool { dates.hasDates }
    var isDelta: Bool { skipped != nil }
    /// The date of the segment that is not ended yet.
    var nextDate: WallTime? { dates.next(isDiscontinuity: isDiscontinuity) }
    /// Nothing leaves a playlist that has a type (bis-22 section 6.2.1).
    var window: PlaylistWindow {
        PlaylistWindow(
            hasMoved: isDelta || type == nil && mediaSequence > 0,
            start: isDelta ? nil : dates.start,
            end: dates.end,
            hasEnded: hasEndList
        )
    }

    mutating func read(_ tag: PlaylistTag, _ reader: inout TagReader) {
        let (bytes, line) = (reader.bytes, reader.line)
        if parts.isInSegment { parts.checkOrder(tag, &reader) }
        switch tag {
        case .extinf: readDuration(&reader)
        case .programDateTime:
            let text = UnsafeRawBufferPointer(rebasing: bytes[line.valueRange])
            let date = WallTime.parse(text)
            if dates.isOther(date) {
                let expected = "one EXT-X-PROGRAM-DATE-TIME for a segment: Media3 goes by the first, hls.js by the last"
                reader.note(.playlistFormLoose, expected: expected, likely: "Two parts of the chain write dates.")
            }
            dates.read(date)
            if date == nil {
                let likely = TypingMistake.inDate(text)
                reader.note(.tagMalformed, expected: "an ISO 8601 date and time", likely: likely)
            } else if !WallTime.isUsual(text) {
                dates.checkForm(text, &reader)
            }
        case .discontinuity:
            isDiscontinuity = true
            if firstDiscontinuity == nil { firstDiscontinuity = line }
            map.endRun()
            parts.endSegment()
        case .byteRange: byteRanges.read(&reader)
        case .bitRate:
            if DecimalText.integer(bytes, line.valueRange) == nil {
                reader.note(.tagMalformed, expected: "EXT-X-BITRATE as a whole number of kilobits per second")
            }
        case .map: checkMap(&reader)
        case .iFramesOnly: isIFramesOnly = true
        case .endList: hasEndList = true
        case .gap: map.isGap = true
        case .targetDuration, .mediaSequence, .discontinuitySequence: readNumber(tag, &reader)
        case .playlistType: readType(&reader)
        case .skip:
            skipped = reader["SKIPPED-SEGMENTS"].flatMap { DecimalText.integer(bytes, $0) } ?? 0
            skipLine = line
            if segments > 0 { reader.note(.tagMisplaced, expected: "EXT-X-SKIP before the first segment") }
        case .renditionReport: checkReport(&reader)
        case .preloadHint: readHint(&reader)
        case .part: parts.read(isFirstOfDelta: isDelta && segments == 0, &reader)
        case .partInf: parts.readTarget(reader)
        case .serverControl: parts.readControl(reader)
        default: break
        }
    }

    var isInSegment: Bool { pending != nil }

    mutating func readURI(_ reader: inout TagReader) {
        guard let pending else { return }
        self.pending = nil
        byteRanges.endSegment(isFirstOfDelta: isDelta && segments == 0, &reader)
        map.endSegment(isFirst: segments == 0, &reader)
        segments += 1
        parts.endSegment()
        finish(short: isDiscontinuity)
        let duration = pending.duration ?? 0
        dates.endSegment(
            duration: duration,
            decimals: pending.decimals,
            isDiscontinuity: isDiscontinuity,
            isReadable: pending.duration != nil,
            &reader
        )
        if isDiscontinuity { discontinuities += 1 }
        isDiscontinuity = false
        guard pending.duration != nil else { return }
        total = Self.sum(total, duration)
        if duration > longest?.duration ?? -1 { longest = (duration, pending.line) }
        guard let target else { return }
        if isTooLong(duration, target) {
            reader.note(.targetDurationExceeded, pending.line, expected: Self.limit(target))
        } else if duration == target + Self.half {
            let likely = "The target duration is rounded with halves to even, as lrint of C does."
            reader.note(.playlistFormLoose, pending.line, expected: Self.limit(target), likely: likely)
        }
        short = duration * 2 < target ? pending.line : nil
    }

    mutating func finish(_ header: HeaderChecks, hasDateRanges: Bool, _ reader: inout TagReader) {
        if let pending { reader.note(.tagMisplaced, pending.line, expected: "a URI line after EXTINF") }
        if hasEndList, let hint {
            let likely = "The hint was not taken away when the stream ended."
            let expected = "no EXT-X-PRELOAD-HINT in a playlist that has ended"
            reader.note(.tagMisplaced, hint, expected: expected, likely: likely)
        }
        if !reader.hasSeen(.targetDuration) {
            let (expected, observed) = ("EXT-X-TARGETDURATION", "a media playlist without it")
            let likely = reader.mistake(in: .targetDuration)
            reader.note(.tagMissing, at: nil, expected: expected, observed: observed, likely: likely)
        }
        parts.finish(target: target, isIFramesOnly: isIFramesOnly, &reader)
        if let skipLine, let skipped, !hasEndList {
            let isOffered = parts.offersSkips ?? reader.hasSeen(.serverControl)
            if !isOffered {
                let (offered, lost) = (RoleChecks.offeredDelta, RoleChecks.lostOffer)
                reader.note(.serverControlInvalid, skipLine, expected: offered, likely: lost)
            } else if skipped > 0 {
                parts.checkSkip(skipLine, listed: total, longest: max(longest?.duration ?? 0, target ?? 0), &reader)
            }
        }
        byteRanges.finish(&reader)
        // Date ranges without any date are a worse finding of their own.
        if !hasEndList, hasDates || !hasDateRanges { dates.finish(segments: segments, isDelta: isDelta, &reader) }
        if let target, let longest {
            if isTooLong(longest.duration, target), reader.hasRoom(for: .targetDurationExceeded),
                segmentsBeforeTarget > 0
            {
                reader.note(.targetDurationExceeded, longest.line, expected: Self.limit(target))
            }
            if target > longest.duration + 1_000_000, !isDelta {
                let expected = "EXT-X-TARGETDURATION of at most the longest EXTINF, rounded up, and a second"
                let (limit, length) = (SecondsText.shortest(target), SecondsText.shortest(longest.duration))
                let observed = "\(limit) s, longest EXTINF \(length) s"
                reader.note(.targetDurationLoose, at: nil, expected: expected, observed: observed)
            }
        }
        guard !hasEndList else { return }
        checkShort(&reader)
        checkType(&reader)
        checkCount(&reader)
        checkStart(header, &reader)
    }

    private var segmentsBeforeTarget = 0

    /// A short last segment is allowed before a discontinuity.
    private mutating func finish(short isFollowedByDiscontinuity: Bool) {
        guard let line = short else { return }
        short = nil
        if !isFollowedByDiscontinuity, shorts.count < TagReader.limitPerCode { shorts.append(line) }
    }

    /// Short segments make clients reload sooner; key frames and playlists that are not reloaded may have them.
    private func checkShort(_ reader: inout TagReader) {
        guard let target, type?.isVOD != true, !isIFramesOnly else { return }
        for line in shorts {
            let expected = "EXTINF of at least half of EXT-X-TARGETDURATION, \(SecondsText.shortest(target / 2)) s"
            reader.note(.segmentDurationShort, line, expected: expected)
        }
    }

    private mutating func readDuration(_ reader: inout TagReader) {
        let (bytes, line) = (reader.bytes, reader.line)
        if pending != nil { reader.note(.tagRepeated, expected: "EXTINF once for a segment") }
        var comma = line.value
        let duration = DecimalText.microseconds(bytes, upToComma: &comma, end: line.end)
        if duration == nil {
            let end = bytes[line.valueRange].firstIndex(of: UInt8(ascii: ",")) ?? line.end
            let mistake = TypingMistake.inNumber(of: line, upTo: end, isWhole: false, bytes)
            reader.note(.tagMalformed, expected: "EXTINF:seconds, not negative, and a comma", likely: mistake)
        } else if comma == line.end {
            let likely = "The packager leaves out the comma after a duration."
            reader.note(.playlistFormLoose, expected: "a comma after EXTINF:seconds", likely: likely)
        }
        var point = line.value
        while point < comma, bytes[point] != UInt8(ascii: ".") { point &+= 1 }
        if point < comma, firstDecimals == nil { firstDecimals = line }
        if duration != nil, point == comma, comma &+ 1 < line.end { checkDecimalComma(comma, &reader) }
        pending = (line, duration, max(0, comma - point - 1))
    }

    /// A fraction behind a comma, as in `6,006,`, is a title to players; a title of digits has no comma behind it.
    private func checkDecimalComma(_ comma: Int, _ reader: inout TagReader) {
        let rest = reader.bytes[(comma + 1)..<reader.line.end]
        let fraction = rest.prefix { $0 &- UInt8(ascii: "0") <= 9 }
        guard !fraction.isEmpty, rest[fraction.endIndex...].first == UInt8(ascii: ",") else { return }
        let expected = "EXTINF:seconds with a decimal point: players read no fraction behind a comma"
        let likely = "The number is printed with a decimal comma, as some languages have it."
        reader.note(.playlistFormLoose, expected: expected, likely: likely)
    }

    private mutating func readNumber(_ tag: PlaylistTag, _ reader: inout TagReader) {
        let line = reader.line
        let value = DecimalText.integer(reader.bytes, line.valueRange)
        guard let value, tag != .targetDuration || value <= 31_536_000 else {
            let mistake = TypingMistake.inNumber(of: line, upTo: line.end, isWhole: true, reader.bytes)
            reader.note(.tagMalformed, expected: "\(tag.fullName) as a whole number", likely: mistake)
            return
        }
        switch tag {
        case .targetDuration:
            if target == nil { segmentsBeforeTarget = segments }
            if value == 0 { reader.note(.tagMalformed, expected: "EXT-X-TARGETDURATION of at least 1") }
            target = Int64(value) * 1_000_000
        case .mediaSequence:
            mediaSequence = value
            if segments > 0 { reader.note(.tagMisplaced, expected: "\(tag.fullName) before the first segment") }
        default:
            if segments > 0 || firstDiscontinuity != nil {
                reader.note(.tagMisplaced, expected: "\(tag.fullName) before the first segment and discontinuity")
            }
        }
    }

    private mutating func readType(_ reader: inout TagReader) {
        switch reader.text(reader.line.valueRange) {
        case "VOD": type = (true, reader.line)
        case "EVENT": type = (false, reader.line)
        default: reader.note(.tagMalformed, expected: "EXT-X-PLAYLIST-TYPE:VOD or EVENT")
        }
    }

    mutating func noteUnreadMap() { map = MapChecks() }

    mutating func noteParts(_ reader: TagReader) { parts.note(reader.line) }

    mutating func readKey(isSound: Bool, _ reader: inout TagReader) {
        if parts.isInSegment { parts.checkOrder(.key, &reader) }
        hasKeyWithoutVector = isSound && reader.is("METHOD", "AES-128") && !reader.has("IV")
    }

    /// An encrypted section has no sequence number for an IV, and no predecessor for its range (bis-22 section 4.4.4.5).
    private mutating func checkMap(_ reader: inout TagReader) {
        if hasKeyWithoutVector {
            reader.note(.encryptionInvalid, expected: "IV in the EXT-X-KEY with METHOD=AES-128 before EXT-X-MAP")
        }
        map.read(reader)
        if let range = reader["BYTERANGE"], !reader.isReference(range), !reader.text(range).contains("@") {
            reader.note(.tagMalformed, expected: "BYTERANGE=n@o in EXT-X-MAP")
        }
    }

    /// One hint of each known TYPE (bis-22 section 6.2.6, should).
    private mutating func readHint(_ reader: inout TagReader) {
        hint = hint ?? reader.line
        let type = reader.text("TYPE") ?? ""
        // Proposals for the next edition hint at keys.
        if !["PART", "MAP", "KEY"].contains(type) {
            let likely = TypingMistake.inType(type, of: ["PART", "MAP"])
            reader.note(.playlistFormLoose, expected: "TYPE=PART or MAP; clients ignore the tag", likely: likely)
        } else if hinted.contains(type) {
            let likely = "An older hint was not replaced by the next one."
            reader.note(.playlistFormLoose, expected: "one EXT-X-PRELOAD-HINT of TYPE=\(type)", likely: likely)
        }
        if hinted.count < 4 { hinted.append(type) }
        if type == "PART" { parts.readHint(reader) }
    }

    /// Other attributes may be left out if equal to this playlist's (bis-22 4.4.5.4).
    private func checkReport(_ reader: inout TagReader) {
        guard let uri = reader["URI"], !reader.isReference(uri) else { return }
        let first = reader.text(uri).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if first.contains(":") { reader.note(.tagMalformed, expected: "URI relative to that of the playlist") }
    }

    private static let half: Int64 = 500_000

    private func isTooLong(_ duration: Int64, _ target: Int64) -> Bool {
        // Muxers round half to even (lrint of C): exactly a half is advice.
        duration > target + Self.half
    }

    private static func limit(_ target: Int64) -> String {
        "EXTINF that rounds to at most EXT-X-TARGETDURATION, \(SecondsText.shortest(target)) s"
    }

    /// Limited against overflow: durations in a playlist can have any length.
    static func sum(_ total: Int64, _ duration: Int64) -> Int64 { min(total + duration, 1 << 60) }

    /// A VOD playlist must not change, and one with the last segment of its presentation has EXT-X-ENDLIST (bis-22 6.2.1).
    ///
    /// Advice: one version does not show which segment is the last, and clients do not reload it (6.3.4).
    private func checkType(_ reader: inout TagReader) {
        guard let type, type.isVOD else { return }
        let effect = "without it hls.js starts near its end and loads it again (hls.js issue 668)"
        let expected = "EXT-X-ENDLIST in a playlist that says VOD: \(effect)"
        let likely = "The playlist is still being written, or was cut off."
        reader.note(.playlistFormLoose, type.line, expected: expected, likely: likely)
    }

    /// A playlist that loses discontinuities counts them (bis-22 section 6.2.2), but may begin at any number.
    private func checkCount(_ reader: inout TagReader) {
        guard let firstDiscontinuity, discontinuities > 1, mediaSequence > 0, type == nil, !isDelta,
            !reader.hasSeen(.discontinuitySequence)
        else { return }
        let effect = "without it players stall at an ad once a discontinuity has left the playlist"
        let expected = "EXT-X-DISCONTINUITY-SEQUENCE in the head: \(effect)"
        let likely = "The writer of the playlist does not count the discontinuities that have left it."
        reader.note(.playlistFormLoose, firstDiscontinuity, expected: expected, likely: likely)
    }

    private func checkStart(_ header: HeaderChecks, _ reader: inout TagReader) {
        guard let start = header.start, let target else { return }
        let fromEnd = start.microseconds < 0 ? -start.microseconds : total - start.microseconds
        // Low-latency players may start as near as the hold-back from parts allows.
        let least = parts.holdBack.map { min($0, target * 3) } ?? target * 3
        guard start.microseconds != 0, fromEnd < least, !isDelta else { return }
        let three = SecondsText.shortest(target * 3)
        let expected = "TIME-OFFSET at least three target durations, \(three) s, from the end"
        reader.note(.startOffsetNearEdge, start.line, expected: expected)
    }
}
