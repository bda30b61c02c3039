import HLS

/// Checks cue tags of stitched breaks.
///
/// No specification defines them, so that contradictions in every dialect count, and what is unclear is advice. A position
/// beyond the planned duration is allowed: a break lasts until a tag ends it.
struct CueChecks {
    private struct Cue {
        let tag: CueTag
        let line: TagLine
        /// Media before it, in microseconds.
        let time: Int64
    }

    private var phases = SplicePhases()
    /// The segment before which the last tag stands, and the tags there.
    private var segment = 0
    private var waiting: [Cue] = []
    private var outs: [Cue] = []
    private var sections: [Cue] = []
    private var isBack = false
    /// The break that no tag has ended.
    private var open: Cue?
    /// The tag that gave the present break its length, and the sections of its begin.
    private var stated: Cue?
    private var begun: [SpliceSection] = []
    private var isContinued = false
    /// Whether a tag that continues the present break was told to contradict it.
    private var isTold = false

    /// More of them before one segment are not compared.
    private static let keptCues = CueTag.sortedCues
    /// A length this many times that of the break was not meant in seconds.
    private static let otherUnit: Int64 = 100

    /// Reads one unknown tag; `time` is the length of the segments before it, in microseconds.
    mutating func read(_ line: TagLine, beforeSegment segment: Int, at time: Int64, _ list: inout ViolationList) {
        guard let tag = CueTag.read(list.bytes, line.range) else { return }
        if segment != self.segment {
            settle(&list)
            self.segment = segment
        }
        let cue = Cue(tag: tag, line: line, time: time)
        checkLength(cue, &list)
        checkSection(cue, &list)
        if waiting.count < Self.keptCues { waiting.append(cue) } else { take(cue, &list) }
    }

    private mutating func take(_ cue: Cue, _ list: inout ViolationList) {
        switch cue.tag.kind {
        case .section:
            if sections.count < Self.keptCues { sections.append(cue) }
        case .more:
            note(phases.take(cue.tag), cue, &list)
            if cue.tag.isPaired { readMore(cue, &list) }
        // Sections mark ads inside of breaks as well, so that they are no pairs.
        case .out where cue.tag.isPaired: readOut(cue, &list)
        case .in where cue.tag.isPaired: readIn(cue, &list)
        case .in: open = nil
        case .out: break
        }
    }

    /// Reads the end of the playlist; `total` is the length of all segments and `target` their limit, in microseconds.
    mutating func finish(hasEnded: Bool, total: Int64, target: Int64, _ list: inout ViolationList) {
        settle(&list)
        guard let open, open.time < total else { return }
        let rest = total.subtractingClamped(open.time)
        guard hasEnded else { return checkLive(open, rest, target, &list) }
        let (dialect, ends) = (open.tag.dialect, phases.endsByTag(open.tag.dialect))
        guard let length = open.tag.length.duration?.wholeMicroseconds else {
            guard dialect == .cueTags || ends else { return }
            let words = "EXT-X-CUE-IN or its like, to end this cue-out: \(SecondsText.shortest(rest)) s follow"
            return list.note(.spliceOrphaned, open.line, expected: words)
        }
        // A break may be the end of a recording.
        guard rest.subtractingClamped(length) > SpliceChecks.tolerance.wholeMicroseconds, dialect != .adobeCues else {
            return
        }
        let words = "EXT-X-CUE-IN after \(SecondsText.shortest(length)) s: \(SecondsText.shortest(rest)) s follow"
        if ends {
            list.note(.spliceOrphaned, open.line, expected: words)
        } else if dialect == .cueTags {
            list.note(.cueUnclear, open.line, expected: words)
        }
    }

    /// Reports a break that the live edge has left far behind.
    private func checkLive(_ open: Cue, _ rest: Int64, _ target: Int64, _ list: inout ViolationList) {
        guard phases.needsEnd(open.tag.dialect),
            let length = (open.tag.length.duration ?? stated?.tag.length.duration)?.wholeMicroseconds,
            SpliceChecks.isOver(length, by: rest, target, isContinued: isContinued)
        else { return }
        let seconds = (SecondsText.shortest(length), SecondsText.shortest(rest))
        let words = "EXT-X-CUE-IN after \(seconds.0) s: \(seconds.1) s follow, so viewers may be kept in the break"
        list.note(.cueUnclear, open.line, expected: words)
    }

    /// Compares a tag that continues a break with what the break began with, and reports one of each break.
    private mutating func readMore(_ cue: Cue, _ list: inout ViolationList) {
        isContinued = true
        if stated == nil, cue.tag.length.duration != nil { stated = cue }
        guard !isTold else { return }
        let section = Self.decoded(cue.tag)
        let problem = section.flatMap { section in
            begun.lazy.compactMap { SpliceChecks.disagreement(of: section, with: $0) }.first
        }
        if let stated, let length = stated.tag.length.duration, let found = cue.tag.length.duration,
            stated.tag.dialect == cue.tag.dialect, SpliceChecks.differ(found, length),
            SpliceChecks.differ(found + .microseconds(cue.time.subtractingClamped(stated.time)), length)
        {
            isTold = true
            let (known, other) = (SpliceChecks.text(length), SpliceChecks.text(found))
            let words = "a break of \(known) s, as the tags before say, and not of \(other) s"
            list.note(.cueUnclear, cue.line, expected: words)
        } else if let problem {
            isTold = true
            list.note(.cueUnclear, cue.line, expected: "\(problem), as the section at the begin of the break says")
        }
    }

    private mutating func begin(_ cue: Cue) {
        open = cue
        stated = cue.tag.length.duration == nil ? nil : cue
        (begun, isContinued, isTold) = ([], false, false)
    }

    private mutating func readOut(_ cue: Cue, _ list: inout ViolationList) {
        let others = outs
        if outs.count < Self.keptCues { outs.append(cue) }
        guard let first = others.first else {
            let passed = open.map { Duration.microseconds(cue.time.subtractingClamped($0.time)) }
            let problem = phases.take(cue.tag)
            switch open.flatMap({ cue.tag.repetition(of: $0.tag, after: passed ?? .zero) }) {
            case .consistent: break
            case .otherLength(let words): list.note(.cueUnclear, cue.line, expected: "a length of \(words)")
            case nil:
                note(problem, cue, &list)
                begin(cue)
            }
            return
        }
        _ = phases.take(cue.tag)
        let bytes = list.bytes
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
            list.note(
                .spliceOrphaned,
                cue.line,
                expected: "one cue-out before a segment, or a cue-in between two",
                likely: "Two parts of the chain write a cue-out each."
            )
        } else if let length = cue.tag.length.duration, let other = first.tag.length.duration,
            SpliceChecks.differ(length, other)
        {
            let words = "one length for one break: \(SpliceChecks.text(other)) s, as the cue-out above it says"
            list.note(.cueUnclear, cue.line, expected: words)
        }
        if open?.tag.length.duration == nil { open = cue }
        if stated == nil, cue.tag.length.duration != nil { stated = cue }
    }

    private mutating func readIn(_ cue: Cue, _ list: inout ViolationList) {
        if !isBack { note(phases.take(cue.tag), cue, &list) } else { _ = phases.take(cue.tag) }
        isBack = true
        outs = []
        guard let begun = open else { return }
        (open, stated, self.begun) = (nil, nil, [])
        // The ID of EXT-X-SCTE35 is that of one cue.
        if let id = cue.tag.id, let wanted = begun.tag.id, id != wanted, cue.tag.dialect != .scte35Tags {
            list.note(.cueUnclear, cue.line, expected: "the ID of the cue-out that it ends")
        }
        let listed = cue.time.subtractingClamped(begun.time)
        guard let length = begun.tag.length.duration?.wholeMicroseconds, listed > 0 else { return }
        if length / Self.otherUnit >= listed {
            let words = "a length in seconds: the break has \(SecondsText.shortest(listed)) s"
            list.note(.cueUnclear, begun.line, expected: words, likely: "The length is in milliseconds.")
        } else if listed.subtractingClamped(length) > max(length / 4, SpliceChecks.tolerance.wholeMicroseconds) {
            // A break may end early, and not late: the programme that was meant to go on is replaced.
            let words =
                "the cue-in \(SecondsText.shortest(length)) s after its cue-out, and not \(SecondsText.shortest(listed)) s"
            list.note(.cueUnclear, cue.line, expected: words)
        }
    }

    /// Compares the tags before one segment, whose order is free.
    private mutating func settle(_ list: inout ViolationList) {
        let known = phases
        CueTag.putEndsFirst(&waiting, in: waiting.indices, isOpen: known.isOpen) { $0.tag }
        for cue in waiting { take(cue, &list) }
        waiting = []
        compareSections(&list)
        if !isBack, let length = outs.first.map(\.tag.length.duration) {
            let problems = sections.compactMap { section in
                Self.decoded(section.tag).map { (section.line, Self.problem(of: $0, as: .out, lasting: length)) }
            }
            // The cue-out is that of one of them: others may be of an ad or a programme that begins there.
            if problems.allSatisfy({ $0.1 != nil }), let (line, problem) = problems.first, let problem {
                // EXT-X-SCTE35 may announce what comes later.
                let isAhead = sections.contains { $0.tag.dialect == .scte35Tags }
                let words = "beside the cue-out \(problem.expected)"
                list.note(isAhead ? .cueUnclear : problem.code, line, expected: words)
            }
        }
        for section in sections where isBack && outs.isEmpty && section.tag.dialect != .scte35Tags {
            guard let decoded = Self.decoded(section.tag),
                let problem = SpliceChecks.contradiction(of: decoded, as: .in)
            else { continue }
            list.note(.cueUnclear, section.line, expected: "beside the cue-in \(problem)")
        }
        (outs, sections, isBack) = ([], [], false)
    }

    /// Compares the sections beside one cue-out with each other.
    private mutating func compareSections(_ list: inout ViolationList) {
        guard !outs.isEmpty else { return }
        for cue in sections + outs {
            guard let section = Self.decoded(cue.tag) else { continue }
            let problem = begun.lazy.compactMap { SpliceChecks.disagreement(of: section, with: $0) }.first
            if let problem {
                list.note(.cueUnclear, cue.line, expected: "\(problem), as another tag of this break has it")
            }
            if begun.count < Self.keptCues { begun.append(section) }
        }
    }

    private func note(_ problem: SplicePhases.Contradiction?, _ cue: Cue, _ list: inout ViolationList) {
        guard let problem else { return }
        let words = "\(problem.expected), and not \(problem.observed)"
        list.note(.spliceOrphaned, cue.line, expected: words, likely: problem.likely)
    }

    private func checkLength(_ cue: Cue, _ list: inout ViolationList) {
        switch cue.tag.length {
        case .unstated, .of: break
        case .unusual(let length, let form):
            let seconds = SpliceChecks.text(length)
            list.note(.cueUnclear, cue.line, expected: "a length as plain seconds: \(seconds), not \(form)")
        case .unreadable(let text):
            let words = "a length as a number of seconds, and not \"\(text)\""
            list.note(.cueUnclear, cue.line, expected: words, likely: Self.mistake(in: text))
        }
    }

    /// The likeliest mistake in a length.
    private static func mistake(in text: String) -> String? {
        if text.hasPrefix("-") { return "A length that is not known is written as a negative number." }
        if text.contains(":") { return "The length is written in hours and minutes, which are not told apart." }
        if text.contains("=") { return "The length is in an attribute that is not named DURATION." }
        if text.contains(",") { return "The fraction stands behind a comma, where the number ends." }
        return text.first?.isNumber == true && text.last?.isLetter == true ? "A unit stands behind the number." : nil
    }

    private func checkSection(_ cue: Cue, _ list: inout ViolationList) {
        guard let text = cue.tag.section, !text.contains("{$") else { return }
        if SpliceSection.isHexadecimal(text) {
            let words = "a section in base64, as other packagers write it in this tag, and not hexadecimal digits"
            list.note(.cueUnclear, cue.line, expected: words)
        }
        do {
            let section = try SpliceChecks.checked(text)
            let role: SpliceChecks.Role
            switch cue.tag.kind {
            case .section:
                guard cue.tag.dialect == .splicePoints, section.isCancelled else { return }
                return list.note(.spliceInvalid, cue.line, expected: "a splice that is not cancelled")
            case .in: role = .in
            case .out, .more: role = .out
            }
            guard let problem = Self.problem(of: section, as: role, lasting: cue.tag.length.duration) else { return }
            // x9k3 1.0.39 continues a break (CUE-OUT=CONT) with the section of the return that is ahead: scte35.py, x_scte35.
            let isAhead = cue.tag.kind == .more && section.meanings.contains(.in)
            list.note(isAhead ? .cueUnclear : problem.code, cue.line, expected: problem.expected)
        } catch {
            // Examples and filters cut sections short; one with its own length and another checksum was changed.
            list.note(error == .otherChecksum ? .spliceInvalid : .cueUnclear, cue.line, expected: error.expected)
        }
    }

    /// A contradiction of a section and its tag.
    ///
    /// A segmentation may last longer than the break of the tag: an opportunity is filled in parts. So its length is advice,
    /// and that of a splice_insert is not.
    private static func problem(
        of section: SpliceSection,
        as role: SpliceChecks.Role,
        lasting length: Duration?
    ) -> (code: FindingCode, expected: String)? {
        if let problem = SpliceChecks.contradiction(of: section, as: role) { return (.spliceInvalid, problem) }
        guard role == .out, let problem = SpliceChecks.otherLength(of: section, than: length) else { return nil }
        if case .insert = section.command { return (.spliceInvalid, problem) }
        return (.cueUnclear, problem)
    }

    private static func decoded(_ tag: CueTag) -> SpliceSection? { tag.section.flatMap { SpliceSection(text: $0) } }
}
