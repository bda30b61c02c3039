import HLS

/// Determines the kind of playlist and passes each line to its checks.
struct CheckingPass {
    private var lines: PlaylistLines
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

    /// A failable initialiser would copy all checks for each playlist.
    init(_ lines: PlaylistLines, at first: TagLine, _ source: VariableSource, hasReferences: Bool) {
        self.lines = lines
        reader = TagReader(lines.bytes, at: first, hasReferences: hasReferences)
        header = HeaderChecks(source)
        dateRanges = DateRangeChecks(lines.bytes)
    }

    mutating func violations() -> [Violation] {
        TextCheck.check(lines.bytes, &reader)
        var end = 0
        let bytes = lines.bytes
        while let line = lines.next() {
            reader.line = line
            if line.start - end > 4 { noteComments(end..<line.start) }
            end = line.end
            let isBefore = line.start > 0 && PlaylistLines.isSpace(bytes[line.start &- 1])
            let isAfter = end < bytes.count && PlaylistLines.isSpace(bytes[end])
            if isBefore || isAfter {
                let side = isAfter ? isBefore ? "before and after" : "after" : "before"
                let likely = "A template with spaces \(side) the text of a line."
                reader.note(.playlistFormLoose, expected: "no white space \(side) what the line says", likely: likely)
            }
            switch line.kind {
            case .uri: readURI()
            case .tag(let tag): read(tag)
            }
        }
        noteComments(end..<lines.bytes.count)
        switch kind {
        case .multivariant:
            multivariant.finish(&reader)
            if let line = header.importLine {
                reader.note(.tagMisplaced, line, expected: "IMPORT in media playlists only")
            }
        case .media:
            if cues.isWaiting { cues.noteDate(media.nextDate, ofSegment: media.segments) }
            cues.finish(hasEnded: media.hasEndList, total: media.total, target: media.target ?? 0, &reader)
            media.finish(header, hasDateRanges: dateRanges.hasAny, &reader)
            dateRanges.finish(
                hasDates: media.hasDates || media.segments == 0 || media.isDelta,
                window: media.window,
                &reader
            )
            // A delta update may leave out the ranges of a break.
            if !media.isDelta { dateRanges.compare(with: cues.starts, target: media.target ?? 0, &reader) }
        case .unknown:
            // An empty multivariant playlist is one (bis-22 section 4.1); a URI line has been reported above.
            if !hasStrayURI { multivariant.finish(&reader) }
        }
        header.finish(isIFramesOnly: media.isIFramesOnly, decimals: media.firstDecimals, &reader)
        return reader.violations()
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
            reader.noteMisspelt(tag)
            guard !mayBeRemark else { return }
        }
        let shown = reader.shown(line)
        let expected = "\(mistake.name) spelled exactly so, before a colon or the line's end; players ignore this line"
        reader.note(.playlistFormLoose, at: line.lowerBound, expected: expected, observed: shown, likely: mistake.words)
    }

    private mutating func noteNearMiss(_ name: String, _ line: Range<Int>) {
        guard nearMisses > 0, !name.contains(where: { $0.isLowercase || $0 == " " }) else { return }
        nearMisses -= 1
        guard let meant = Self.tagNames.name(meantBy: name) else { return }
        if let tag = TypingMistake.tag(meant)?.tag { reader.noteMisspelt(tag) }
        let shown = reader.shown(line)
        let expected = "\(meant), if that was meant; players ignore \(name)"
        let likely = "A letter or a hyphen of the tag's name is missing, doubled or another one."
        reader.note(.playlistFormLoose, at: line.lowerBound, expected: expected, observed: shown, likely: likely)
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

    private mutating func readURI() {
        switch kind {
        case .multivariant: multivariant.readURI(&reader)
        case .media where media.isInSegment:
            if cues.isWaiting { cues.noteDate(media.nextDate, ofSegment: media.segments) }
            media.readURI(&reader)
        case .media:
            let mistake = reader.mistake(in: .extinf)
            reader.note(.tagMissing, expected: "EXTINF before a segment's URI", likely: mistake)
        case .unknown:
            hasStrayURI = true
            let likely = reader.mistake(in: .extinf) ?? reader.mistake(in: .streamInf)
            reader.note(.tagMissing, expected: "EXTINF or EXT-X-STREAM-INF before a URI line", likely: likely)
        }
    }

    /// Media3 compares the whole line with these tags (HlsPlaylistParser.java parseMediaPlaylist).
    private static let areBare: [PlaylistTag] = [.discontinuity, .endList, .gap, .iFramesOnly, .independentSegments]

    private mutating func read(_ tag: PlaylistTag) {
        switch tag {
        case .unknown:
            let isCue = cues.read(beforeSegment: media.segments, at: media.total, &reader)
            header.readUnknown(reader)
            if !isCue { noteSpelling(reader.line.range) }
            return
        // Most lines of a live playlist are these two tags, without attributes.
        case .extinf where kind != .multivariant, .programDateTime where kind != .multivariant:
            kind = .media
            media.read(tag, &reader)
            return
        default: break
        }
        if kind == .unknown { kind = tag.isMedia ? .media : tag.isMultivariant ? .multivariant : .unknown }
        guard !(tag.isMedia && kind == .multivariant), !(tag.isMultivariant && kind == .media) else {
            let own = kind == .media ? "media" : "multivariant"
            reader.note(.tagMisplaced, expected: "only tags of a \(own) playlist")
            return
        }
        reader.once(tag)
        if Self.areBare.contains(tag), reader.line.range.count > tag.fullName.utf8.count + 1 {
            let expected = "\(tag.fullName) alone on its line: Media3 ignores it with a colon behind it"
            let likely = "The tag was written like those that have a value."
            reader.note(.playlistFormLoose, expected: expected, likely: likely)
        }
        let rules = TagGrammar.rules(of: tag)
        if !rules.isEmpty {
            let problem = reader.read(rules)
            if problem == nil, let loose = reader.loose {
                reader.note(.playlistFormLoose, expected: loose.expected, likely: loose.likely)
            }
            if tag == .dateRange {
                dateRanges.read(problem: problem, &reader)
                header.needsRequirements(reader)
                return
            }
            if let problem {
                reader.note(.tagMalformed, expected: problem, likely: reader.mistake)
                if tag == .streamInf { multivariant.skipURI() }
                if tag == .iFrameStreamInf { multivariant.noteFrames() }
                if tag == .media { multivariant.noteUnread(reader) }
                if tag == .map { media.noteUnreadMap() }
                if tag == .partInf { media.noteParts(reader) }
                return
            }
            header.needsRequirements(reader)
        }
        header.needs(tag, reader)
        switch tag {
        case .version, .independentSegments, .start, .define, .extm3u:
            header.read(tag, &reader)
        case .key, .sessionKey:
            let isSound = KeyCheck.check(isSession: tag == .sessionKey, &reader)
            if kind == .multivariant {
                multivariant.readKey(&reader)
            } else {
                media.readKey(isSound: isSound, &reader)
            }
        case _ where kind == .multivariant: multivariant.read(tag, &reader)
        default: media.read(tag, &reader)
        }
    }
}
