import HLS

/// Determines the kind of playlist and passes each line to its checks.
struct CheckingPass {
    private var lines: PlaylistLines
    private var list: ViolationList
    private var reader: TagReader
    var header: HeaderChecks
    private var media = MediaChecks()
    private var dateRanges: DateRangeChecks
    private var cues = CueChecks()
    private var multivariant = MultivariantChecks()
    private var kind = Kind.unknown
    /// Tags that may still be compared.
    private var nearMisses = 16
    private var spellings = 256
    /// A URI line before any tag that determines the kind.
    private var hasStrayURI = false

    private enum Kind { case unknown, media, multivariant }

    init(_ body: UnsafeRawBufferPointer, _ source: VariableSource, hasReferences: Bool) {
        lines = PlaylistLines(rereading: body, 0..<body.count)
        list = ViolationList(body)
        reader = TagReader(body, hasReferences: hasReferences)
        header = HeaderChecks(source)
        dateRanges = DateRangeChecks(body)
    }

    mutating func violations() -> [Violation] {
        TextCheck.check(lines.bytes, &list)
        var end = 0
        let bytes = lines.bytes
        while let line = lines.next() {
            if line.start - end > 4 { noteComments(end..<line.start) }
            end = line.end
            let isBefore = line.start > 0 && PlaylistLines.isSpace(bytes[line.start &- 1])
            let isAfter = end < bytes.count && PlaylistLines.isSpace(bytes[end])
            if isBefore || isAfter { noteSpaces(line, isBefore: isBefore, isAfter: isAfter) }
            switch line.kind {
            case .uri: readURI(line)
            case .tag(let tag): read(tag, line)
            }
        }
        noteComments(end..<lines.bytes.count)
        switch kind {
        case .multivariant:
            multivariant.finish(&list)
            if let line = header.importLine {
                list.note(.tagMisplaced, line, expected: "IMPORT in media playlists only")
            }
        case .media:
            if cues.isWaiting { cues.noteDate(media.nextDate, ofSegment: media.segments) }
            cues.finish(hasEnded: media.hasEndList, total: media.total, target: media.target ?? 0, &list)
            media.finish(header, hasDateRanges: dateRanges.hasAny, &list)
            dateRanges.finish(
                hasDates: media.hasDates || media.segments == 0 || media.isDelta,
                window: media.window,
                &list
            )
            // A delta update may leave out the ranges of a break.
            if !media.isDelta { dateRanges.compare(with: cues.starts, &list) }
        case .unknown:
            // An empty multivariant playlist is one (bis-22 section 4.1); a URI line has been reported above.
            if !hasStrayURI { multivariant.finish(&list) }
        }
        header.finish(isIFramesOnly: media.isIFramesOnly, &list)
        return list.violations()
    }

    private mutating func noteSpaces(_ line: TagLine, isBefore: Bool, isAfter: Bool) {
        let side = isAfter ? isBefore ? "before and after" : "after" : "before"
        let likely = "A template with spaces \(side) the text of a line."
        list.note(.playlistFormLoose, line, expected: "no white space \(side) what the line says", likely: likely)
    }

    /// Reports tags that players ignore because of a space, a letter's case or a mark in place of the colon.
    ///
    /// A line behind `# ` may be a remark: only cue tags are reported, whose loss has no other trace.
    private mutating func noteSpelling(_ line: Range<Int>, mayBeRemark: Bool = false) {
        guard spellings > 0 else { return }
        spellings -= 1
        let name = tagName(line)
        guard let mistake = TypingMistake.inName(name) else { return noteNearMiss(name, line) }
        if let tag = mistake.tag {
            header.noteMisspelt(tag)
            guard !mayBeRemark else { return }
        }
        let shown = list.text(line)
        let expected = "\(mistake.name) spelled exactly so, before a colon or the line's end; players ignore this line"
        list.note(.playlistFormLoose, at: line.lowerBound, expected: expected, observed: shown, likely: mistake.words)
    }

    private mutating func noteNearMiss(_ name: String, _ line: Range<Int>) {
        guard nearMisses > 0, !name.contains(where: { $0.isLowercase || $0 == " " }) else { return }
        nearMisses -= 1
        guard let meant = Self.tagNames.name(meantBy: name) else { return }
        let shown = list.text(line)
        let expected = "\(meant), if that was meant; players ignore \(name)"
        let likely = "A letter or a hyphen of the tag's name is missing, doubled or another one."
        list.note(.playlistFormLoose, at: line.lowerBound, expected: expected, observed: shown, likely: likely)
    }

    private static let tagNames = NearMiss(PlaylistTag.fullNames + CueTag.tagNames + ["EXT-X-ALLOW-CACHE"])

    private func tagName(_ line: Range<Int>) -> String {
        String(decoding: lines.bytes[line].prefix(32).dropFirst().prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
    }

    /// Comments that begin as a tag, but for a letter's case or a space; with both they are remarks.
    private mutating func noteComments(_ skipped: Range<Int>) {
        var start = skipped.lowerBound
        while start < skipped.upperBound {
            let rest = lines.bytes[start..<skipped.upperBound]
            let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? skipped.upperBound
            let text = rest[..<end].dropFirst()
            let isSpaced = text.first == UInt8(ascii: " ")
            let name = text.drop { $0 == UInt8(ascii: " ") }.prefix(3)
            let isTag = name.elementsEqual("EXT".utf8) { $0 == $1 || !isSpaced && $0 == $1 | 0x20 }
            if rest.first == UInt8(ascii: "#"), isTag { noteSpelling(start..<end, mayBeRemark: isSpaced) }
            start = end + 1
        }
    }

    private mutating func readURI(_ line: TagLine) {
        switch kind {
        case .multivariant: multivariant.readURI(line, header, &list)
        case .media where media.isInSegment:
            if cues.isWaiting { cues.noteDate(media.nextDate, ofSegment: media.segments) }
            media.readURI(line, &list)
        case .media:
            let mistake = header.mistake(in: .extinf)
            list.note(.tagMissing, line, expected: "EXTINF before a segment's URI", likely: mistake)
        case .unknown:
            hasStrayURI = true
            let likely = header.mistake(in: .extinf) ?? header.mistake(in: .streamInf)
            list.note(.tagMissing, line, expected: "EXTINF or EXT-X-STREAM-INF before a URI line", likely: likely)
        }
    }

    private mutating func read(_ tag: PlaylistTag, _ line: TagLine) {
        switch tag {
        case .unknown:
            let isCue = cues.read(line, beforeSegment: media.segments, at: media.total, &list)
            header.readUnknown(line, lines.bytes)
            if !isCue { noteSpelling(line.range) }
            return
        // Most lines of a live playlist are these two tags, without attributes.
        case .extinf where kind != .multivariant, .programDateTime where kind != .multivariant:
            kind = .media
            media.read(tag, line, reader, &header, &list)
            return
        default: break
        }
        if kind == .unknown { kind = tag.isMedia ? .media : tag.isMultivariant ? .multivariant : .unknown }
        guard !(tag.isMedia && kind == .multivariant), !(tag.isMultivariant && kind == .media) else {
            let own = kind == .media ? "media" : "multivariant"
            list.note(.tagMisplaced, line, expected: "only tags of a \(own) playlist")
            return
        }
        header.once(tag, line, &list)
        let rules = TagGrammar.rules(of: tag)
        if !rules.isEmpty {
            let problem = reader.read(line, rules)
            if problem == nil, let loose = reader.loose {
                list.note(.playlistFormLoose, line, expected: loose.expected, likely: loose.likely)
            }
            if tag == .dateRange {
                dateRanges.read(line, reader, problem: problem, &list)
                header.needsRequirements(reader, line)
                return
            }
            if let problem {
                list.note(.tagMalformed, line, expected: problem, likely: reader.mistake)
                if tag == .streamInf { multivariant.skipURI(line) }
                if tag == .iFrameStreamInf { multivariant.noteFrames() }
                if tag == .media { multivariant.noteUnread(reader) }
                if tag == .map { media.noteUnreadMap() }
                if tag == .partInf { media.noteParts(line) }
                return
            }
            header.needsRequirements(reader, line)
        }
        switch tag {
        case .version, .independentSegments, .start, .define, .extm3u:
            header.read(tag, line, reader, &list)
        case .key, .sessionKey:
            let isSound = KeyCheck.check(reader, line, isSession: tag == .sessionKey, &list)
            header.needs(keyIn: reader, line)
            if kind == .multivariant {
                multivariant.readKey(line, reader, &list)
            } else {
                media.readKey(line, reader, isSound: isSound, &list)
            }
        case _ where kind == .multivariant: multivariant.read(tag, line, reader, &header, &list)
        default: media.read(tag, line, reader, &header, &list)
        }
    }
}
