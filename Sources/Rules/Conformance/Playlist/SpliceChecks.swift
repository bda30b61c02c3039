import HLS

/// Checks the splice_info_sections of a tag (bis-22 section 4.4.5.1.1, SCTE 35 section 9.6).
enum SpliceChecks {
    /// The place of a section, which says what it must do.
    enum Role {
        case out, `in`, command
    }

    /// Lengths of one break that differ by no more are the same: frames, segments and decimals round.
    static let tolerance = Duration.seconds(1)

    static func check(_ reader: TagReader, _ line: TagLine, _ list: inout ViolationList) {
        let planned = reader.microseconds("PLANNED-DURATION").map { Duration.microseconds($0) }
        let roles: [(name: StaticString, role: Role)] = [
            ("SCTE35-CMD", .command), ("SCTE35-OUT", .out), ("SCTE35-IN", .in),
        ]
        for (name, role) in roles {
            guard let attribute = reader.attribute(name), !reader.isReference(attribute.value) else { continue }
            let problem =
                problem(in: attribute.value, of: list.bytes, as: role, lasting: planned)
                ?? (attribute.isQuoted ? Problem("hexadecimal digits without quotation marks") : nil)
            if let problem { list.note(problem.code, line, expected: "\(name) of \(problem.expected)") }
        }
    }

    /// Decodes hexadecimal digits without an allocation.
    private static func problem(
        in range: Range<Int>,
        of bytes: UnsafeRawBufferPointer,
        as role: Role,
        lasting planned: Duration?
    ) -> Problem? {
        guard range.count > 2,
            bytes.matches("0x", at: range.lowerBound, prefixBefore: range.upperBound)
                || bytes.matches("0X", at: range.lowerBound, prefixBefore: range.upperBound)
        else {
            // A section begins with 0xFC, and its base64 with a slash.
            let isBase64 = range.first.map { bytes[$0] == UInt8(ascii: "/") } ?? false
            return Problem(SpliceFault.notHexadecimal(isBase64: isBase64).expected)
        }
        let count = range.count / 2 - 1
        guard range.count % 2 == 0 else { return Problem(SpliceFault.oddDigits.expected) }
        guard count <= SpliceSection.longest else { return Problem(SpliceFault.otherLength.expected) }
        return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { buffer in
            for number in 0..<count {
                let index = range.lowerBound + 2 + 2 * number
                guard let high = bytes[index].hexDigitValue, let low = bytes[index + 1].hexDigitValue else {
                    return Problem(SpliceFault.otherDigits.expected)
                }
                buffer[number] = high << 4 | low
            }
            return problem(of: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: role, lasting: planned)
        }
    }

    private static func problem(
        of bytes: UnsafeRawBufferPointer,
        as role: Role,
        lasting planned: Duration?
    ) -> Problem? {
        if let fault = SpliceSection.formFault(of: bytes) { return Problem(fault.expected) }
        do {
            let section = try SpliceSection(bytes)
            if role == .command { return misplacement(of: section) }
            if let problem = contradiction(of: section, as: role) { return Problem(problem) }
            // A segmentation may be filled by several breaks; the duration of a splice_insert is that of its break.
            guard role == .out, case .insert = section.command else { return nil }
            return otherLength(of: section, than: planned).map { Problem($0) }
        } catch {
            return Problem(error.expected)
        }
    }

    /// The expectation that a section does not meet where it stands; an encrypted one is not known to fail any.
    static func contradiction(of section: SpliceSection, as role: Role) -> String? {
        let meanings = section.meanings
        let isIn = meanings.contains(.in)
        let isOut = meanings.contains { $0 != .in }
        switch role {
        case .command: return nil
        case .out, .in:
            if section.isEncrypted { return nil }
            if section.isCancelled { return "a splice that is not cancelled" }
            if case .other(let type) = section.command {
                return "a splice_insert or a time_signal, and not of \(SpliceTable.command(type))"
            }
        }
        if role == .in { return isOut && !isIn ? "a section that goes back in, and not out of the network" : nil }
        return isIn && !isOut ? "a section that goes out of the network, and not back in" : nil
    }

    /// The expectation that a section of a break does not meet if it states another length than its tag.
    static func otherLength(of section: SpliceSection, than planned: Duration?) -> String? {
        guard let planned, planned > .zero, !section.isEncrypted,
            let nearest = nearest(to: planned, in: section.lengths)
        else { return nil }
        return "a section whose length is that of the tag, \(text(planned)) s, and not \(text(nearest)) s"
    }

    /// The length that is nearest to another one; nil if one is the same, or none is stated.
    private static func nearest(to planned: Duration, in lengths: [Duration]) -> Duration? {
        func apart(_ length: Duration) -> Duration { length > planned ? length - planned : planned - length }
        return lengths.min { apart($0) < apart($1) }.flatMap { apart($0) > tolerance ? $0 : nil }
    }

    static func text(_ duration: Duration) -> String { SecondsText.shortest(duration.wholeMicroseconds) }

    /// The expectation that a section of a pair does not meet in SCTE35-CMD.
    ///
    /// A splice_insert must be in SCTE35-OUT or SCTE35-IN. So must a time_signal that signals a splice, but no document says which
    /// segmentations do, and one that does not should be in SCTE35-CMD: advice. A section with several segmentations may stand
    /// whole in one tag for each of them, and an ad inside of an opportunity need be no splice.
    private static func misplacement(of section: SpliceSection) -> Problem? {
        let expected = "no splice out or in: that has SCTE35-OUT or SCTE35-IN"
        switch section.command {
        case .insert: return section.meanings.isEmpty ? nil : Problem(expected)
        case .timeSignal:
            let isPair = section.segmentations.count == 1 && (section.outermost?.level ?? 0) > 1
            return isPair ? Problem(expected, .dateRangeIneffective) : nil
        case .other: return nil
        }
    }

    private struct Problem {
        let expected: String
        let code: FindingCode

        init(_ expected: String, _ code: FindingCode = .spliceInvalid) {
            (self.expected, self.code) = (expected, code)
        }
    }
}
