import HLS

/// Checks the splice_info_sections of a tag (bis-22 section 4.4.5.1.1, SCTE 35 section 9.6).
enum SpliceChecks {
    enum Role { case out, `in`, command }

    /// Frames, segments and decimals round the lengths of one break.
    static let tolerance = Duration.seconds(1)

    static func check(_ reader: inout TagReader) {
        let planned = reader.microseconds("PLANNED-DURATION").map { Duration.microseconds($0) }
        let roles: [(name: StaticString, role: Role)] = [
            ("SCTE35-CMD", .command), ("SCTE35-OUT", .out), ("SCTE35-IN", .in),
        ]
        for (name, role) in roles {
            guard let attribute = reader.attribute(name), !reader.isReference(attribute.value) else { continue }
            let text = reader.text(attribute.value)
            let isMarked = text.hasPrefix("0x") || text.hasPrefix("0X")
            if !isMarked {
                // A section begins with 0xFC, and its base64 with a slash.
                let fault = SpliceFault.notHexadecimal(isBase64: text.hasPrefix("/"))
                let isKnown = text.hasPrefix("/") || SpliceSection.isHexadecimal(text)
                let words = "\(name) of \(fault.expected)"
                reader.note(.spliceInvalid, expected: words, likely: isKnown ? fault.likely : nil)
            }
            let problem = problem(in: text, isMarked: isMarked, as: role, lasting: planned)
            let isQuoted = isMarked && attribute.isQuoted
            if let problem = problem ?? (isQuoted ? quoted : nil) {
                reader.note(problem.code, expected: "\(name) of \(problem.expected)", likely: problem.likely)
            }
        }
    }

    private static let quoted = Problem(
        "hexadecimal digits without quotation marks",
        "Quotation marks stand around a value that takes none."
    )

    /// A fault counts only in a section of the right form.
    private static func problem(in text: String, isMarked: Bool, as role: Role, lasting planned: Duration?) -> Problem?
    {
        do {
            let section = try checked(text)
            return role == .command ? misplacement(of: section) : problem(of: section, as: role, lasting: planned)
        } catch {
            guard isMarked || error == .otherChecksum else { return nil }
            // RFC 8216 section 8.10 has sections a byte too short and without a checksum, and others copy them.
            let isExample = error == .otherLength && text.hasSuffix("00000000")
            return Problem(error.expected, error.likely, isExample ? .cueUnclear : .spliceInvalid)
        }
    }

    /// A segmentation's length is advice, unlike a splice_insert's: an opportunity may be filled in parts.
    static func problem(of section: SpliceSection, as role: Role, lasting length: Duration?) -> Problem? {
        if let problem = contradiction(of: section, as: role) { return problem }
        guard role == .out, let problem = otherLength(of: section, than: length) else { return nil }
        if case .insert = section.command { return problem }
        return Problem(problem.expected, problem.likely, .cueUnclear)
    }

    static func checked(_ text: String) throws(SpliceFault) -> SpliceSection {
        guard text.utf8.count <= 2 * SpliceSection.longest + 2 else { throw .otherLength }
        return try SpliceSection(checked: try SpliceSection.bytes(of: text))
    }

    /// Nil for an encrypted section.
    static func contradiction(of section: SpliceSection, as role: Role) -> Problem? {
        let meanings = section.meanings
        let isIn = meanings.contains(.in)
        let isOut = meanings.contains { $0 != .in }
        switch role {
        case .command: return nil
        case .out, .in:
            if section.isEncrypted { return nil }
            if section.isCancelled { return cancelled }
            if case .other(let type) = section.command {
                let expected = "a splice_insert or a time_signal, and not of \(SpliceTable.command(type))"
                return Problem(expected, "The packager takes every message of the encoder for a break.")
            }
        }
        let likely = "The begin and the end of the break are mixed up."
        if role == .in {
            guard isOut, !isIn else { return nil }
            return Problem("a section that goes back in, and not out of the network", likely)
        }
        return isIn && !isOut ? Problem("a section that goes out of the network, and not back in", likely) : nil
    }

    static let cancelled = Problem(
        "a splice that is not cancelled",
        "The packager takes the message that cancels a break for one that begins it."
    )

    static func otherLength(of section: SpliceSection, than planned: Duration?) -> Problem? {
        guard let planned, planned > .zero, !section.isEncrypted,
            let nearest = nearest(to: planned, in: section.lengths)
        else { return nil }
        let factor = planned.wholeMicroseconds / max(1, nearest.wholeMicroseconds)
        return Problem(
            "a section whose length is that of the tag, \(text(planned)) s, and not \(text(nearest)) s",
            factor >= CueChecks.otherUnit
                ? CueChecks.unit(of: factor) : "The packager writes a length of its own beside the encoder's section."
        )
    }

    /// Nil if one length is the same, or none is stated.
    private static func nearest(to planned: Duration, in lengths: [Duration]) -> Duration? {
        func apart(_ length: Duration) -> Duration { length > planned ? length - planned : planned - length }
        return lengths.min { apart($0) < apart($1) }.flatMap { apart($0) > tolerance ? $0 : nil }
    }

    static func otherEvent(of end: SpliceSection, than begin: SpliceSection) -> (expected: String, observed: String)? {
        switch (begin.command, end.command) {
        case (.insert(let begun), .insert(let ended)):
            return begun.eventID == ended.eventID ? nil : ("\(begun.eventID)", "\(ended.eventID)")
        case (.timeSignal, .timeSignal):
            let (begun, ended) = (begin.segmentations.map(\.eventID), end.segmentations.map(\.eventID))
            guard let first = begun.first, let other = ended.first, Set(begun).isDisjoint(with: ended) else {
                return nil
            }
            return ("\(first)", "\(other)")
        default: return nil
        }
    }

    /// Compares events of one type only: an ad and its break may begin together.
    static func disagreement(of section: SpliceSection, with other: SpliceSection) -> Problem? {
        guard let (own, length) = begin(of: section), let (wanted, known) = begin(of: other), own.type == wanted.type
        else { return nil }
        guard own.id == wanted.id else {
            let expected = "a section of event \(wanted.id), and not of \(own.id)"
            return Problem(expected, "Two parts of the chain number their events apart.", .cueUnclear)
        }
        guard let found = length, let expected = known, differ(found, expected) else { return nil }
        return Problem("a section of \(text(expected)) s, and not of \(text(found)) s", twoLengths, .cueUnclear)
    }

    /// The only event that a section begins, and its length.
    private static func begin(of section: SpliceSection) -> (event: SpliceEvent, length: Duration?)? {
        if case .timeSignal = section.command, section.segmentations.count != 1 { return nil }
        guard let (meaning, event) = section.edges.first, case .out(let length) = meaning else { return nil }
        return (event, length)
    }

    /// Whether a live break exceeds its length by more than segments explain; all in microseconds.
    static func isOver(_ length: Int64, by passed: Int64, _ target: Int64, isContinued: Bool) -> Bool {
        passed.subtractingClamped(length) > max(isContinued ? length : length / 4, target.multipliedClamped(by: 2))
    }

    static func differ(_ left: Duration, _ right: Duration) -> Bool {
        left - right > tolerance || right - left > tolerance
    }

    static let twoPlaces = "The cue tag and the date range are placed by two clocks."
    static let twoLengths = "Two parts of the chain compute the length of the break, each for itself."
    static let insideAlone = "An ad inside of the break is marked without a section that says so."
    static let renumbered = "The encoder or the packager numbers each section anew."
    static let lostIn = "The cue-in was lost between encoder and packager."

    static func text(_ duration: Duration) -> String { SecondsText.shortest(duration.wholeMicroseconds) }

    /// A section of a pair in SCTE35-CMD.
    ///
    /// A splice_insert must be in SCTE35-OUT or SCTE35-IN. A time_signal is advice: no document says which segmentations signal
    /// a splice.
    private static func misplacement(of section: SpliceSection) -> Problem? {
        let expected = "no splice out or in: that has SCTE35-OUT or SCTE35-IN"
        let likely = "The packager writes every section as SCTE35-CMD."
        switch section.command {
        case .insert: return section.meanings.isEmpty ? nil : Problem(expected, likely)
        case .timeSignal:
            let isPair = section.segmentations.count == 1 && (section.outermost?.level ?? 0) > 1
            return isPair ? Problem(expected, likely, .dateRangeIneffective) : nil
        case .other: return nil
        }
    }

    struct Problem {
        let expected: String
        let likely: String
        let code: FindingCode

        init(_ expected: String, _ likely: String, _ code: FindingCode = .spliceInvalid) {
            (self.expected, self.likely, self.code) = (expected, likely, code)
        }
    }
}
