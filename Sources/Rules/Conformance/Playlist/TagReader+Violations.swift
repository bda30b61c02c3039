import HLS

extension TagReader {
    /// Keeps room for other codes beside one that repeats on every line.
    static let limitPerCode = 8
    static let shownBytes = 240
    /// Bytes shown of a line's beginning if the fault is farther on.
    private static let shownHead = 80
    private static let shownAttributes = 64

    /// Tags that may stand once: bis-22 sections 4.4.1 to 4.4.3.
    mutating func once(_ tag: PlaylistTag) {
        switch tag {
        case .extm3u, .version, .independentSegments, .start, .targetDuration, .mediaSequence, .discontinuitySequence,
            .endList, .playlistType, .iFramesOnly, .partInf, .serverControl, .skip, .contentSteering:
            if hasSeen(tag) { note(.tagRepeated, expected: "\(tag.fullName) once") }
            seen |= 1 << UInt64(tag.rawValue)
        default: break
        }
    }

    func hasSeen(_ tag: PlaylistTag) -> Bool { seen & (1 << UInt64(tag.rawValue)) != 0 }

    mutating func noteMisspelt(_ tag: PlaylistTag) { misspelt |= 1 << UInt64(tag.rawValue) }

    func mistake(in tag: PlaylistTag) -> String? {
        misspelt & (1 << UInt64(tag.rawValue)) == 0 ? nil : "\(tag.fullName) is there, but misspelt."
    }

    func hasRoom(for code: FindingCode) -> Bool {
        entries.count < PlaylistChecks.limit && entries.count { $0.violation.code == code } < Self.limitPerCode
    }

    func hasNoted(at offset: Int) -> Bool { entries.last?.offset == offset }

    /// `line`: nil for the present one.
    mutating func note(
        _ code: FindingCode,
        _ line: TagLine? = nil,
        expected: @autoclosure () -> String,
        likely: String? = nil
    ) {
        guard hasRoom(for: code) else { return }
        let (line, expected) = (line ?? self.line, expected())
        let likely = likely ?? (code == .tagMalformed ? TypingMistake.inValue(of: line, bytes) : nil)
        let shown = shown(line, naming: expected)
        entries.append((line.start, Violation(code, expected: expected, observed: shown, likely: likely)))
    }

    /// `offset` is the start of the violation's line, nil if it concerns no single line.
    mutating func note(
        _ code: FindingCode,
        at offset: Int?,
        expected: @autoclosure () -> String,
        observed: @autoclosure () -> String,
        likely: String? = nil
    ) {
        guard hasRoom(for: code) else { return }
        entries.append((offset, Violation(code, expected: expected(), observed: observed(), likely: likely)))
    }

    mutating func note(_ violation: Violation, _ line: TagLine) {
        if hasRoom(for: violation.code) { entries.append((line.start, violation)) }
    }

    func shown(_ line: TagLine) -> String { shown(line.range) }

    /// A long line is cut around the first attribute that `expected` names.
    private func shown(_ line: TagLine, naming expected: String) -> String {
        let limit = line.start + Self.shownBytes
        guard line.end > limit, line.value < limit else { return shown(line) }
        var list = AttributeList(bytes, line.valueRange)
        let names = Set(expected.split { !($0.isLetter || $0.isNumber || $0 == "-") })
        // The rest of a value would look like text outside of quotation marks.
        var headEnd = line.value
        for _ in 0..<Self.shownAttributes {
            guard let attribute = list.next() else { break }
            if attribute.name.lowerBound <= line.start + Self.shownHead { headEnd = attribute.name.lowerBound }
            guard names.contains(Substring(shown(attribute.name))) else { continue }
            guard attribute.value.upperBound > limit else { break }
            let head = shown(line.start..<headEnd)
            let name = attribute.name.lowerBound..<min(attribute.value.upperBound + 1, line.end)
            let found = shown(name)
            return "\(head)…\(found)" + (found.hasSuffix("…") || name.upperBound == line.end ? "" : "…")
        }
        return shown(line)
    }

    /// Cuts a long text at the end of a whole piece: half of a secret no longer looks like one.
    func shown(_ range: Range<Int>) -> String {
        var shown = bytes[range.lowerBound..<min(range.upperBound, range.lowerBound + Self.shownBytes)]
        if shown.count < range.count, let end = shown.lastIndex(where: { "/,;?&= \"".utf8.contains($0) }) {
            shown = shown[...end]
        }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: shown), as: UTF8.self)
        return shown.count < range.count ? text + "…" : text
    }

    /// Violations by line; those without a line come last.
    func violations() -> [Violation] {
        guard !entries.isEmpty else { return [] }
        var line = 1
        var position = 0
        return entries.enumerated()
            .sorted { ($0.element.offset ?? .max, $0.offset) < ($1.element.offset ?? .max, $1.offset) }
            .map { _, entry in
                let end = min(entry.offset ?? position, bytes.count)
                if position < end {
                    line += bytes[position..<end].reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
                    position = end
                }
                var violation = entry.violation
                violation.line = entry.offset == nil ? nil : line
                return violation
            }
    }
}
