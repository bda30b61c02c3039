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

    mutating func read(
        _ tag: PlaylistTag,
        _ line: TagLine,
        _ reader: TagReader,
        _ header: inout HeaderChecks,
        _ list: inout ViolationList
    ) {
        let bytes = list.bytes
        if parts.isInSegment { parts.checkOrder(tag, line, &list) }
        switch tag {
        case .extinf: readDuration(line, &header, &list)
        case .programDateTime:
            let text = UnsafeRawBufferPointer(rebasing: bytes[line.valueRange])
            let date = WallTime.parse(text)
            dates.read(date)
            if date == nil {
                let likely = TypingMistake.inDate(text)
                list.note(.tagMalformed, line, expected: "an ISO 8601 date and time", likely: likely)
            } else if !WallTime.isUsual(text) {
                dates.checkForm(text, line, &list)
            }
        case .discontinuity:
            isDiscontinuity = true
            if firstDiscontinuity == nil { firstDiscontinuity = line }
            map.endRun()
            parts.endSegment()
        case .byteRange:
            header.needs(4, line, "EXT-X-BYTERANGE")
            byteRanges.read(line, &list)
        case .bitRate:
            if DecimalText.integer(bytes, line.valueRange) == nil {
                list.note(.tagMalformed, line, expected: "EXT-X-BITRATE as a whole number of kilobits per second")
            }
        case .map:
            header.needsMap(line)
            checkMap(line, reader, &list)
        case .iFramesOnly:
            isIFramesOnly = true
            header.needs(4, line, "EXT-X-I-FRAMES-ONLY")
        case .endList: hasEndList = true
        case .gap: map.isGap = true
        case .targetDuration, .mediaSequence, .discontinuitySequence: readNumber(tag, line, &list)
        case .playlistType: readType(line, &list)
        case .skip:
            header.needs(reader.has("RECENTLY-REMOVED-DATERANGES") ? 10 : 9, line, "EXT-X-SKIP")
            skipped = reader["SKIPPED-SEGMENTS"].flatMap { DecimalText.integer(bytes, $0) } ?? 0
            skipLine = line
            if segments > 0 { list.note(.tagMisplaced, line, expected: "EXT-X-SKIP before the first segment") }
        case .renditionReport: checkReport(line, reader, &list)
        case .preloadHint: readHint(line, reader, &list)
        case .part: parts.read(line, reader, isFirstOfDelta: isDelta && segments == 0, &list)
        case .partInf: parts.readTarget(line, reader)
        case .serverControl: parts.readControl(line, reader)
        default: break
        }
    }

    var isInSegment: Bool { pending != nil }

    mutating func readURI(_ line: TagLine, _ list: inout ViolationList) {
        guard let pending else { return }
        self.pending = nil
        byteRanges.endSegment(line, isFirstOfDelta: isDelta && segments == 0, &list)
        map.endSegment(line, isFirst: segments == 0, &list)
        segments += 1
        parts.endSegment()
        finish(short: isDiscontinuity)
        let duration = pending.duration ?? 0
        dates.endSegment(
            line,
            duration: duration,
            decimals: pending.decimals,
            isDiscontinuity: isDiscontinuity,
            isReadable: pending.duration != nil,
            &list
        )
        if isDiscontinuity { discontinuities += 1 }
        isDiscontinuity = false
        guard pending.duration != nil else { return }
        total = Self.sum(total, duration)
        if duration > longest?.duration ?? -1 { longest = (duration, pending.line) }
        guard let target else { return }
        if isTooLong(duration, target) {
            list.note(.targetDurationExceeded, pending.line, expected: Self.limit(target))
        } else if duration == target + Self.half {
            let likely = "The target duration is rounded with halves to even, as lrint of C does."
            list.note(.playlistFormLoose, pending.line, expected: Self.limit(target), likely: likely)
        }
        short = duration * 2 < target ? pending.line : nil
    }

    mutating func finish(_ header: HeaderChecks, hasDateRanges: Bool, _ list: inout ViolationList) {
        if let pending { list.note(.tagMisplaced, pending.line, expected: "a URI line after EXTINF") }
        if hasEndList, let hint {
            list.note(.tagMisplaced, hint, expected: "no EXT-X-PRELOAD-HINT in a playlist that has ended")
        }
        if !header.hasSeen(.targetDuration) {
            let expected = "EXT-X-TARGETDURATION"
            let likely = header.mistake(in: .targetDuration)
            list.note(.tagMissing, at: nil, expected: expected, observed: "a media playlist without it", likely: likely)
        }
        parts.finish(target: target, isIFramesOnly: isIFramesOnly, &list)
        if let skipLine, let skipped, !hasEndList {
            let isOffered = parts.offersSkips ?? header.hasSeen(.serverControl)
            if !isOffered {
                let (offered, lost) = (RoleChecks.offeredDelta, RoleChecks.lostOffer)
                list.note(.serverControlInvalid, skipLine, expected: offered, likely: lost)
            } else if skipped > 0 {
                parts.checkSkip(skipLine, listed: total, longest: max(longest?.duration ?? 0, target ?? 0), &list)
            }
        }
        byteRanges.finish(&list)
        // Date ranges without any date are a worse finding of their own.
        if !hasEndList, hasDates || !hasDateRanges { dates.finish(segments: segments, isDelta: isDelta, &list) }
        if let target, let longest {
            if isTooLong(longest.duration, target), list.hasRoom(for: .targetDurationExceeded), segmentsBeforeTarget > 0
            {
                list.note(.targetDurationExceeded, longest.line, expected: Self.limit(target))
            }
            if target > longest.duration + 1_000_000, !isDelta {
                let expected = "EXT-X-TARGETDURATION of at most the longest EXTINF, rounded up, and a second"
                let (limit, length) = (SecondsText.shortest(target), SecondsText.shortest(longest.duration))
                let observed = "\(limit) s, longest EXTINF \(length) s"
                list.note(.targetDurationLoose, at: nil, expected: expected, observed: observed)
            }
        }
        guard !hasEndList else { return }
        checkShort(&list)
        checkType(&list)
        checkCount(header, &list)
        checkStart(header, &list)
    }

    private var segmentsBeforeTarget = 0

    /// A short last segment is allowed before a discontinuity.
    private mutating func finish(short isFollowedByDiscontinuity: Bool) {
        guard let line = short else { return }
        short = nil
        if !isFollowedByDiscontinuity, shorts.count < ViolationList.limitPerCode { shorts.append(line) }
    }

    /// Short segments make clients reload sooner; key frames and playlists that are not reloaded may have them.
    private func checkShort(_ list: inout ViolationList) {
        guard let target, type?.isVOD != true, !isIFramesOnly else { return }
        for line in shorts {
            let expected = "EXTINF of at least half of EXT-X-TARGETDURATION, \(SecondsText.shortest(target / 2)) s"
            list.note(.segmentDurationShort, line, expected: expected)
        }
    }

    private mutating func readDuration(_ line: TagLine, _ header: inout HeaderChecks, _ list: inout ViolationList) {
        let bytes = list.bytes
        if pending != nil { list.note(.tagRepeated, line, expected: "EXTINF once for a segment") }
        var comma = line.value
        let duration = DecimalText.microseconds(bytes, upToComma: &comma, end: line.end)
        if duration == nil {
            let end = bytes[line.valueRange].firstIndex(of: UInt8(ascii: ",")) ?? line.end
            let mistake = TypingMistake.inNumber(of: line, upTo: end, isWhole: false, bytes)
            list.note(.tagMalformed, line, expected: "EXTINF:seconds, not negative, and a comma", likely: mistake)
        } else if comma == line.end {
            let likely = "The packager leaves out the comma after a duration."
            list.note(.playlistFormLoose, line, expected: "a comma after EXTINF:seconds", likely: likely)
        }
        var point = line.value
        while point < comma, bytes[point] != UInt8(ascii: ".") { point &+= 1 }
        if duration != nil, point == comma, comma &+ 1 < line.end { checkDecimalComma(line, comma, &list) }
        if point < comma { header.needs(3, line, "an EXTINF with decimal places") }
        pending = (line, duration, max(0, comma - point - 1))
    }

    /// A fraction behind a comma, as in `6,006,`, is a title to players; a title of digits has no comma behind it.
    private func checkDecimalComma(_ line: TagLine, _ comma: Int, _ list: inout ViolationList) {
        let rest = list.bytes[(comma + 1)..<line.end]
        let fraction = rest.prefix { $0 &- UInt8(ascii: "0") <= 9 }
        guard !fraction.isEmpty, fraction.endIndex < line.end, list.bytes[fraction.endIndex] == UInt8(ascii: ",") else {
            return
        }
        let expected = "EXTINF:seconds with a decimal point: players read no fraction behind a comma"
        let likely = "The number is printed with a decimal comma, as some languages have it."
        list.note(.playlistFormLoose, line, expected: expected, likely: likely)
    }

    private mutating func readNumber(_ tag: PlaylistTag, _ line: TagLine, _ list: inout ViolationList) {
        let value = DecimalText.integer(list.bytes, line.valueRange)
        guard let value, tag != .targetDuration || value <= 31_536_000 else {
            let mistake = TypingMistake.inNumber(of: line, upTo: line.end, isWhole: true, list.bytes)
            list.note(.tagMalformed, line, expected: "\(tag.fullName) as a whole number", likely: mistake)
            return
        }
        switch tag {
        case .targetDuration:
            if target == nil { segmentsBeforeTarget = segments }
            if value == 0 { list.note(.tagMalformed, line, expected: "EXT-X-TARGETDURATION of at least 1") }
            target = Int64(value) * 1_000_000
        case .mediaSequence:
            mediaSequence = value
            if segments > 0 { list.note(.tagMisplaced, line, expected: "\(tag.fullName) before the first segment") }
        default:
            if segments > 0 || firstDiscontinuity != nil {
                list.note(.tagMisplaced, line, expected: "\(tag.fullName) before the first segment and discontinuity")
            }
        }
    }

    private mutating func readType(_ line: TagLine, _ list: inout ViolationList) {
        if list.bytes.matches("VOD", at: line.value, end: line.end) {
            type = (true, line)
        } else if list.bytes.matches("EVENT", at: line.value, end: line.end) {
            type = (false, line)
        } else {
            list.note(.tagMalformed, line, expected: "EXT-X-PLAYLIST-TYPE:VOD or EVENT")
        }
    }

    mutating func noteUnreadMap() { map = MapChecks() }

    mutating func noteParts(_ line: TagLine) { parts.note(line) }

    mutating func readKey(_ line: TagLine, _ reader: TagReader, isSound: Bool, _ list: inout ViolationList) {
        if parts.isInSegment { parts.checkOrder(.key, line, &list) }
        hasKeyWithoutVector = isSound && reader.is("METHOD", "AES-128") && !reader.has("IV")
    }

    /// An encrypted section has no sequence number for an IV, and no predecessor for its range (bis-22 section 4.4.4.5).
    private mutating func checkMap(_ line: TagLine, _ reader: TagReader, _ list: inout ViolationList) {
        if hasKeyWithoutVector {
            list.note(.encryptionInvalid, line, expected: "IV in the EXT-X-KEY with METHOD=AES-128 before EXT-X-MAP")
        }
        map.read(line, uri: reader["URI"], list.bytes)
        if let range = reader["BYTERANGE"], !reader.isReference(range), !reader.text(range).contains("@") {
            list.note(.tagMalformed, line, expected: "BYTERANGE=n@o in EXT-X-MAP")
        }
    }

    /// One hint of each known TYPE (bis-22 section 6.2.6, should).
    private mutating func readHint(_ line: TagLine, _ reader: TagReader, _ list: inout ViolationList) {
        hint = hint ?? line
        let type = reader.text("TYPE") ?? ""
        // Proposals for the next edition hint at keys.
        if !["PART", "MAP", "KEY"].contains(type) {
            let likely = "The TYPE is that of a newer edition or of a vendor."
            list.note(.playlistFormLoose, line, expected: "TYPE=PART or MAP; clients ignore the tag", likely: likely)
        } else if hinted.contains(type) {
            let likely = "An older hint was not replaced by the next one."
            list.note(.playlistFormLoose, line, expected: "one EXT-X-PRELOAD-HINT of TYPE=\(type)", likely: likely)
        }
        if hinted.count < 4 { hinted.append(type) }
        if type == "PART" { parts.readHint(line, reader) }
    }

    /// Other attributes may be left out if equal to this playlist's (bis-22 4.4.5.4).
    private func checkReport(_ line: TagLine, _ reader: TagReader, _ list: inout ViolationList) {
        guard let uri = reader["URI"], !reader.isReference(uri) else { return }
        let first = reader.text(uri).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if first.contains(":") { list.note(.tagMalformed, line, expected: "URI relative to that of the playlist") }
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
    private func checkType(_ list: inout ViolationList) {
        guard let type, type.isVOD else { return }
        let effect = "without it hls.js starts near its end and loads it again (hls.js issue 668)"
        let expected = "EXT-X-ENDLIST in a playlist that says VOD: \(effect)"
        let likely = "The playlist is still being written, or was cut off."
        list.note(.playlistFormLoose, type.line, expected: expected, likely: likely)
    }

    /// A playlist that loses discontinuities counts them (bis-22 section 6.2.2), but may begin at any number.
    private func checkCount(_ header: HeaderChecks, _ list: inout ViolationList) {
        guard let firstDiscontinuity, discontinuities > 1, mediaSequence > 0, type == nil, !isDelta,
            !header.hasSeen(.discontinuitySequence)
        else { return }
        let effect = "without it players stall at an ad once a discontinuity has left the playlist"
        let expected = "EXT-X-DISCONTINUITY-SEQUENCE in the head: \(effect)"
        let likely = "The writer of the playlist does not count the discontinuities that have left it."
        list.note(.playlistFormLoose, firstDiscontinuity, expected: expected, likely: likely)
    }

    private func checkStart(_ header: HeaderChecks, _ list: inout ViolationList) {
        guard let start = header.start, let target else { return }
        let fromEnd = start.microseconds < 0 ? -start.microseconds : total - start.microseconds
        // Low-latency players may start as near as the hold-back from parts allows.
        let least = parts.holdBack.map { min($0, target * 3) } ?? target * 3
        guard start.microseconds != 0, fromEnd < least, !isDelta else { return }
        let three = SecondsText.shortest(target * 3)
        let expected = "TIME-OFFSET at least three target durations, \(three) s, from the end"
        list.note(.startOffsetNearEdge, start.line, expected: expected)
    }
}
