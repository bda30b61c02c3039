import HLS

/// Checks cue tags, which no specification defines: contradictions of tags are advice, those of sections are wrong.
///
/// A position beyond the planned duration is allowed: a break lasts until a tag ends it.
struct CueChecks {
    private struct Cue {
        let tag: CueTag
        let line: TagLine
        /// Microseconds of media before the tag.
        let time: Int64
    }

    /// Cue-outs before one segment.
    struct Start {
        let date: WallTime?
        let lengths: [Duration]
        let line: TagLine

        func isAsLong(as length: Duration) -> Bool { lengths.contains { !SpliceChecks.differ($0, length) } }
    }

    private var phases = SplicePhases()
    /// The segment before which the last tag stands.
    private var segment = 0
    private var date: WallTime?
    private var waiting: [Cue] = []
    private var outs: [Cue] = []
    private var ins: [Cue] = []
    private var sections: [Cue] = []
    private var events: SpliceEvents = ([], [])
    private var relation: CueTag.Relation?
    /// The break that no tag has ended.
    private var open: Cue?
    /// A splice point that nothing has ended.
    private var point: Cue?
    /// A cue-out behind one whose end is overdue: a fault if any cue-in follows.
    private var overdue: Cue?
    /// The tag that gave the present break its length.
    private var stated: Cue?
    /// Microseconds of media before the last tag of the present break.
    private var lastTime: Int64 = 0
    private var begun: [SpliceSection] = []
    private var isContinued = false
    /// Whether a contradiction of the present break has been reported.
    private var isTold = false
    private(set) var starts: [Start] = []

    private static let keptCues = CueTag.sortedCues
    private static let keptStarts = 16
    /// A length this many times that of the break was not meant in seconds.
    static let otherUnit: Int64 = 100

    /// Returns whether a tag is a cue tag; `time` is the length of the segments before it, in microseconds.
    mutating func read(beforeSegment segment: Int, at time: Int64, _ reader: inout TagReader) -> Bool {
        guard let tag = CueTag.read(reader.bytes, reader.line.range) else { return false }
        if segment != self.segment {
            settle(&reader)
            self.segment = segment
            date = nil
        }
        let cue = Cue(tag: tag, line: reader.line, time: time)
        checkLength(cue, &reader)
        checkSection(cue, &reader)
        if waiting.count < Self.keptCues { waiting.append(cue) } else { take(cue, &reader) }
        return true
    }

    var isWaiting: Bool { !waiting.isEmpty }

    mutating func noteDate(_ date: WallTime?, ofSegment segment: Int) {
        if segment == self.segment { self.date = date }
    }

    private mutating func take(_ cue: Cue, _ reader: inout TagReader) {
        switch cue.tag.kind {
        case .section:
            if sections.count < Self.keptCues { sections.append(cue) }
        case .more:
            note(phases.take(cue.tag, events), cue, &reader)
            if cue.tag.isPaired { readMore(cue, &reader) }
        // Sections mark ads inside of breaks as well, so they are not pairs.
        case .out where cue.tag.isPaired: readOut(cue, &reader)
        case .in where cue.tag.isPaired: readIn(cue, &reader)
        case .in:
            if let point { compare(cue, with: point, &reader) }
            point = nil
            if let open, open.time < cue.time {
                self.open = nil
            } else if sections.count < Self.keptCues {
                sections.append(cue)
            }
        // An ad begins with the break in which it lies.
        case .out where cue.tag.level == 1: break
        case .out:
            if point?.tag.length != .unstated { point = cue }
            if sections.count < Self.keptCues { sections.append(cue) }
        }
    }

    /// `total` is the length of all segments and `target` their limit, in microseconds.
    mutating func finish(hasEnded: Bool, total: Int64, target: Int64, _ reader: inout TagReader) {
        settle(&reader)
        let point = point.flatMap { hasEnded && $0.tag.length == .unstated ? $0 : nil }
        guard let open = open ?? point, open.time < total else { return }
        let rest = total.subtractingClamped(open.time)
        guard hasEnded else { return checkLive(open, rest, target, &reader) }
        let dialect = open.tag.dialect
        guard let length = open.tag.length.duration?.wholeMicroseconds else {
            // A section may have a length, and tags of Adobe's that end with the break.
            let hasOther = isContinued || Self.decoded(open.tag).map { !$0.lengths.isEmpty } ?? false
            guard dialect == .cueTags || phases.endsByTag(dialect) || !hasOther else { return }
            let words = "EXT-X-CUE-IN or its like, to end this cue-out: \(SecondsText.shortest(rest)) s follow"
            return reader.note(.cueUnclear, open.line, expected: words, likely: SpliceChecks.lostIn)
        }
        // A break may be the end of a recording.
        guard rest.subtractingClamped(length) > SpliceChecks.tolerance.wholeMicroseconds, phases.needsEnd(dialect)
        else { return }
        let words = "EXT-X-CUE-IN after \(SecondsText.shortest(length)) s: \(SecondsText.shortest(rest)) s follow"
        reader.note(.cueUnclear, open.line, expected: words, likely: SpliceChecks.lostIn)
    }

    private func checkLive(_ open: Cue, _ rest: Int64, _ target: Int64, _ reader: inout TagReader) {
        guard phases.needsEnd(open.tag.dialect),
            let length = (open.tag.length.duration ?? stated?.tag.length.duration)?.wholeMicroseconds,
            SpliceChecks.isOver(length, by: rest, target, isContinued: isContinued)
        else { return }
        let seconds = (SecondsText.shortest(length), SecondsText.shortest(rest))
        let words = "EXT-X-CUE-IN after \(seconds.0) s: \(seconds.1) s follow, so viewers may be kept in the break"
        reader.note(.cueUnclear, open.line, expected: words, likely: SpliceChecks.lostIn)
    }

    /// Reports one tag of each break.
    private mutating func readMore(_ cue: Cue, _ reader: inout TagReader) {
        isContinued = true
        defer { lastTime = cue.time }
        if stated == nil, cue.tag.length.duration != nil { stated = cue }
        // The tag may be of an ad inside of the break.
        guard !isTold, !phases.isNested(cue.tag.dialect), let problem = problem(ofMore: cue) else { return }
        isTold = true
        reader.note(.cueUnclear, cue.line, expected: problem.expected, likely: problem.likely)
    }

    private func problem(ofMore cue: Cue) -> (expected: String, likely: String)? {
        if let stated, let length = stated.tag.length.duration, let found = cue.tag.length.duration,
            stated.tag.dialect == cue.tag.dialect, SpliceChecks.differ(found, length),
            SpliceChecks.differ(found + .microseconds(cue.time.subtractingClamped(stated.time)), length)
        {
            let (known, other) = (SpliceChecks.text(length), SpliceChecks.text(found))
            let words = "a break of \(known) s, as the tags before say, and not of \(other) s"
            return (words, SpliceChecks.twoLengths)
        }
        if let section = Self.decoded(cue.tag),
            let problem = begun.lazy.compactMap({ SpliceChecks.disagreement(of: section, with: $0) }).first
        {
            return ("\(problem.expected), as the section at the begin of the break says", problem.likely)
        }
        guard let open, open.tag.dialect == cue.tag.dialect, let elapsed = cue.tag.elapsed?.wholeMicroseconds
        else { return nil }
        let passed = cue.time.subtractingClamped(open.time)
        // It may be counted to the segment's end, or from a splice within a segment.
        let allowed = cue.time.subtractingClamped(lastTime).addingClamped(Self.excess(over: 0))
        guard elapsed.subtractingClamped(passed).magnitude > UInt64(clamping: allowed) else { return nil }
        let (wanted, found) = (SecondsText.shortest(passed), SecondsText.shortest(elapsed))
        let words = "\(wanted) s since the cue-out, as the segments between them have, and not \(found) s"
        return (words, "The packager counts segments, another unit, or from another place.")
    }

    private mutating func begin(_ cue: Cue) {
        (open, lastTime) = (cue, cue.time)
        stated = cue.tag.length.duration == nil ? nil : cue
        (begun, isContinued, isTold) = ([], false, false)
    }

    private mutating func readOut(_ cue: Cue, _ reader: inout TagReader) {
        let others = outs
        if outs.count < Self.keptCues { outs.append(cue) }
        guard let first = others.first else {
            relation = open.flatMap { open in
                let passed = Duration.microseconds(cue.time.subtractingClamped(open.time))
                let event = phases.compare(events.begun, cue.tag.dialect)
                return cue.tag.relation(to: open.tag, after: passed, event: event)
            }
            let isOpen = phases.isOpen(cue.tag.dialect)
            let problem = phases.take(cue.tag, events, relation)
            switch relation {
            case .consistent, .inside: break
            case .otherLength(let words):
                reader.note(.cueUnclear, cue.line, expected: "a length of \(words)", likely: SpliceChecks.insideAlone)
            case nil:
                note(problem, cue, &reader)
                if isOpen, problem == nil, overdue == nil, cue.tag.dialect == .cueTags, isOverdue(at: cue.time) {
                    overdue = cue
                }
                begin(cue)
            }
            return
        }
        if !others.contains(where: { $0.tag.dialect == cue.tag.dialect }) { _ = phases.take(cue.tag, events, relation) }
        // Breaks that lie in each other may begin together.
        if events.begun.count < 2 { compare(cue, with: others, first, &reader) }
        guard relation == nil else { return }
        if open?.tag.length.duration == nil {
            open = cue
        } else if events.begun.count > 1, let known = open, cue.tag.isLonger(than: known.tag) {
            (open, stated) = (cue, nil)
        }
        if stated == nil, cue.tag.length.duration != nil { stated = cue }
    }

    private func compare(_ cue: Cue, with others: [Cue], _ first: Cue, _ reader: inout TagReader) {
        let bytes = reader.bytes
        func name(_ line: TagLine) -> Slice<UnsafeRawBufferPointer> {
            bytes[line.start..<line.end].prefix { $0 != UInt8(ascii: ":") }
        }
        // Cues of Adobe and of SCTE 35 have a time of their own, and several may stand before one segment.
        let isSame = { (other: Cue) in
            other.tag.dialect == cue.tag.dialect && other.tag.hasAttributes == cue.tag.hasAttributes
                && name(other.line).elementsEqual(name(cue.line))
                && (cue.tag.dialect == .cueTags || other.tag.id == cue.tag.id)
        }
        if others.contains(where: isSame) {
            let expected = "one cue-out before a segment, or a cue-in between two"
            let likely = "Two parts of the chain write a cue-out each."
            reader.note(.cueUnclear, cue.line, expected: expected, likely: likely)
        } else if let length = cue.tag.length.duration, let other = first.tag.length.duration,
            SpliceChecks.differ(length, other)
        {
            let words = "one length for one break: \(SpliceChecks.text(other)) s, as the cue-out above it says"
            reader.note(.cueUnclear, cue.line, expected: words, likely: SpliceChecks.twoLengths)
        }
    }

    private mutating func readIn(_ cue: Cue, _ reader: inout TagReader) {
        guard !ins.contains(where: { $0.tag.dialect == cue.tag.dialect }) else { return }
        let problem = phases.take(cue.tag, events)
        point = nil
        if ins.isEmpty { note(problem, cue, &reader) }
        if let late = overdue, cue.tag.dialect == .cueTags {
            let words = "EXT-X-CUE-IN before it, to end the cue-out above it, as another break here is ended"
            reader.note(.cueUnclear, late.line, expected: words, likely: SpliceChecks.lostIn)
            overdue = nil
        }
        ins.append(cue)
        outs = []
        // The tag ended an ad inside of the break.
        guard let begun = open, !phases.isOpen(cue.tag.dialect) else { return }
        // The length of an ad is not that of its break.
        let told = self.begun.filter { $0.outermost?.level != 1 }.flatMap(\.lengths).max()
        (open, stated, self.begun) = (nil, nil, [])
        // The ID of EXT-X-SCTE35 is that of one cue.
        if let id = cue.tag.id, let wanted = begun.tag.id, id != wanted, cue.tag.dialect != .scte35Tags {
            let likely = "The cue-out and the cue-in of a break are numbered apart."
            reader.note(.cueUnclear, cue.line, expected: "the ID of the cue-out that it ends", likely: likely)
        }
        checkEnd(cue, of: begun, lasting: begun.tag.length.duration ?? told, &reader)
    }

    private func checkEnd(_ cue: Cue, of begun: Cue, lasting length: Duration?, _ reader: inout TagReader) {
        let listed = cue.time.subtractingClamped(begun.time)
        guard let length = length?.wholeMicroseconds, listed > 0 else { return }
        if length / Self.otherUnit >= listed {
            let words = "a length in seconds: the break has \(SecondsText.shortest(listed)) s"
            reader.note(.cueUnclear, begun.line, expected: words, likely: Self.unit(of: length / listed))
        } else if listed.subtractingClamped(length) > Self.excess(over: length) {
            // A break may end early, and not late: the programme is replaced.
            let words =
                "the cue-in \(SecondsText.shortest(length)) s after its cue-out, and not \(SecondsText.shortest(listed)) s"
            reader.note(.cueUnclear, cue.line, expected: words, likely: "The break was extended after its cue-out.")
        }
    }

    private static func excess(over length: Int64) -> Int64 {
        max(length / 4, SpliceChecks.tolerance.wholeMicroseconds)
    }

    private func isOverdue(at time: Int64) -> Bool {
        guard let open else { return false }
        guard let length = open.tag.length.duration?.wholeMicroseconds else { return true }
        return time.subtractingClamped(open.time).subtractingClamped(length) > Self.excess(over: length)
    }

    private func compare(_ cue: Cue, with point: Cue, _ reader: inout TagReader) {
        guard let begun = Self.decoded(point.tag), let ended = Self.decoded(cue.tag),
            begun.outermost?.level == ended.outermost?.level
        else { return }
        guard let event = SpliceChecks.otherEvent(of: ended, than: begun) else {
            return checkEnd(cue, of: point, lasting: point.tag.length.duration, &reader)
        }
        let words =
            "a splice in of event \(event.expected), which the splice out before it begins, not \(event.observed)"
        reader.note(.cueUnclear, cue.line, expected: words, likely: SpliceChecks.renumbered)
    }

    static func unit(of factor: Int64) -> String {
        switch factor {
        case 500...2_000: "The length is in milliseconds."
        case 45_000...180_000: "The length is in ticks of 90 kHz, as sections have it."
        default: "The length is in another unit than seconds."
        }
    }

    private mutating func settle(_ reader: inout TagReader) {
        guard isWaiting else { return }
        let known = phases
        events = CueTag.events(of: waiting.map(\.tag))
        CueTag.putEndsFirst(&waiting, in: waiting.indices, isOpen: known.isOpen) { $0.tag }
        for cue in waiting { take(cue, &reader) }
        waiting = []
        compareSections(&reader)
        let lengths = outs.compactMap(\.tag.length.duration)
        if ins.isEmpty, !outs.isEmpty { compareSections(with: lengths.first, &reader) }
        if let first = outs.first, !lengths.isEmpty, starts.count < Self.keptStarts {
            starts.append(Start(date: date, lengths: lengths, line: first.line))
        }
        for section in sections where !ins.isEmpty && outs.isEmpty && section.tag.kind == .section {
            guard section.tag.dialect != .scte35Tags, let decoded = Self.decoded(section.tag),
                let problem = SpliceChecks.contradiction(of: decoded, as: .in)
            else { continue }
            let words = "beside the cue-in \(problem.expected)"
            reader.note(.cueUnclear, section.line, expected: words, likely: problem.likely)
        }
        (outs, ins, sections, events, relation) = ([], [], [], ([], []), nil)
    }

    private func compareSections(with length: Duration?, _ reader: inout TagReader) {
        let beside = sections + outs.filter { $0.tag.length == .unstated }
        let problems = beside.compactMap { cue -> (Cue, SpliceChecks.Problem?)? in
            guard let section = Self.decoded(cue.tag) else { return nil }
            // The section of a cue-out has been compared with its own tag.
            let isTold = cue.tag.kind == .out && SpliceChecks.contradiction(of: section, as: .out) != nil
            return (cue, isTold ? nil : SpliceChecks.problem(of: section, as: .out, lasting: length))
        }
        // Other sections may be of an ad or a programme that begins there.
        guard problems.allSatisfy({ $0.1 != nil }), let (cue, problem) = problems.first, let problem else { return }
        // EXT-X-SCTE35 without an edge may announce what comes later.
        // A splice point may end a break that began before the window.
        let isAhead = problems.contains {
            $0.0.tag.kind == .section && $0.0.tag.dialect == .scte35Tags || $0.0.tag.kind == .in
        }
        let words = "beside the cue-out \(problem.expected)"
        reader.note(isAhead ? .cueUnclear : problem.code, cue.line, expected: words, likely: problem.likely)
    }

    private mutating func compareSections(_ reader: inout TagReader) {
        guard !outs.isEmpty, relation != .inside else { return }
        for cue in sections.filter({ $0.tag.kind == .section }) + outs {
            guard let section = Self.decoded(cue.tag) else { continue }
            if let problem = begun.lazy.compactMap({ SpliceChecks.disagreement(of: section, with: $0) }).first {
                let words = "\(problem.expected), as another tag of this break has it"
                reader.note(.cueUnclear, cue.line, expected: words, likely: problem.likely)
            }
            if begun.count < Self.keptCues { begun.append(section) }
        }
    }

    private func note(_ problem: SplicePhases.Contradiction?, _ cue: Cue, _ reader: inout TagReader) {
        guard let problem else { return }
        let words = "\(problem.expected), and not \(problem.observed)"
        reader.note(.cueUnclear, cue.line, expected: words, likely: problem.likely)
    }

    private func checkLength(_ cue: Cue, _ reader: inout TagReader) {
        switch cue.tag.length {
        case .unstated, .of: break
        case .unusual(let length, let form):
            let seconds = SpliceChecks.text(length)
            let words = "a length as plain seconds: \(seconds), not \(form)"
            let isDASH = form.hasPrefix("ISO")
            let likely = isDASH ? "The packager writes lengths as DASH has them." : "The length is written as \(form)."
            reader.note(.cueUnclear, cue.line, expected: words, likely: likely)
        case .unreadable(let text):
            let words = "a length as a number of seconds, and not \"\(text)\""
            reader.note(.cueUnclear, cue.line, expected: words, likely: Self.mistake(in: text))
        }
    }

    private static func mistake(in text: String) -> String? {
        if text.hasPrefix("-") { return "A length that is not known is written as a negative number." }
        if text.contains("\"") { return "Quotation marks stand around more than one number." }
        if text.contains(";") { return "A semicolon stands in place of the comma." }
        if text.contains(":") {
            let isTime = text.allSatisfy { $0.isNumber || ":.".contains($0) } && !text.hasPrefix(":")
            return isTime
                ? "The length is written in hours and minutes, which are not told apart."
                : "A colon is doubled, or stands in place of an equals sign."
        }
        if text.contains("/") { return "The tag has the form of EXT-X-CUE-OUT-CONT, with what has passed in front." }
        if text.hasPrefix("+") { return "A plus sign stands before the number." }
        if text.contains(" =") { return "A space stands beside an equals sign." }
        if text.contains("=") { return "The length is in an attribute that is not named DURATION." }
        if text.contains(",") { return "The fraction stands behind a comma, where the number ends." }
        if text.isEmpty { return "A template prints an empty value." }
        if text.first?.isNumber == true, text.last?.isLetter == true { return "A unit stands behind the number." }
        let isNumber = text.last?.isNumber ?? false && Double(text) != nil
        return isNumber ? "The number is too large, or written with an exponent." : nil
    }

    private func checkSection(_ cue: Cue, _ reader: inout TagReader) {
        if let type = cue.tag.unknownType, let meant = Self.adobeTypes.name(meantBy: type) {
            let likely = "A letter of TYPE is missing, doubled or another one."
            reader.note(.cueUnclear, cue.line, expected: "TYPE=\"\(meant)\", for readers ignore others", likely: likely)
        }
        guard let text = cue.tag.section, !text.contains("{$") else { return }
        if SpliceSection.isHexadecimal(text) {
            let words = "a section in base64, as other packagers write it in this tag, and not hexadecimal digits"
            let likely = "The packager copies the digits of EXT-X-DATERANGE."
            reader.note(.cueUnclear, cue.line, expected: words, likely: likely)
        }
        do {
            let section = try SpliceChecks.checked(text)
            let role: SpliceChecks.Role
            switch cue.tag.kind {
            case .section:
                guard cue.tag.dialect == .splicePoints, section.isCancelled else { return }
                let problem = SpliceChecks.cancelled
                return reader.note(problem.code, cue.line, expected: problem.expected, likely: problem.likely)
            case .in: role = .in
            case .out, .more: role = .out
            }
            guard let problem = SpliceChecks.problem(of: section, as: role, lasting: cue.tag.length.duration) else {
                return
            }
            // x9k3 1.0.39 continues a break (CUE-OUT=CONT) with the section of the return that is ahead: scte35.py, x_scte35.
            let isAhead = cue.tag.kind == .more && section.meanings.contains(.in)
            let code: FindingCode = isAhead ? .cueUnclear : problem.code
            reader.note(code, cue.line, expected: problem.expected, likely: isAhead ? Self.ahead : problem.likely)
        } catch {
            // Examples and filters cut sections short; one with its own length and another checksum was changed.
            let code: FindingCode = error == .otherChecksum ? .spliceInvalid : .cueUnclear
            let slip = error == .notBase64 ? Self.slip(inBase64: text) : nil
            reader.note(code, cue.line, expected: error.expected, likely: slip ?? error.likely)
        }
    }

    private static func slip(inBase64 text: String) -> String? {
        if text.contains("\"") { return "Quotation marks stand around a value that takes none." }
        if text.contains("%") { return "The section was escaped as for an address." }
        if text.contains(where: \.isWhitespace) { return "A space stands in the section." }
        return text.contains("_") || text.contains("-")
            ? "The section is in the base64 of addresses, with - and _." : nil
    }

    private static let ahead = "The packager repeats the encoder's newest section, which is of the end to come."
    private static let adobeTypes = NearMiss(["SpliceOut", "SpliceIn"])

    private static func decoded(_ tag: CueTag) -> SpliceSection? { tag.section.flatMap { SpliceSection(text: $0) } }
}
