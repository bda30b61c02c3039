import HLS
import Rulebook

/// Gathers what one body breaks; bounded, whatever the body is.
struct ViolationList {
    /// How many violations of one code are kept, so that one that repeats on every line leaves room for others.
    static let limitPerCode = 8
    /// How much of a line is shown, in bytes.
    static let shownBytes = 240
    /// How much of its beginning is shown where the fault is farther on, in bytes.
    private static let shownHead = 80
    /// How many attributes of a long line are looked at.
    private static let shownAttributes = 64

    private struct Entry {
        let code: FindingCode
        let offset: Int?
        let expected: String
        let observed: String
    }

    private let bytes: UnsafeRawBufferPointer
    private var entries: [Entry] = []
    private var counts: [(code: FindingCode, count: Int)] = []

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isEmpty: Bool { entries.isEmpty }

    /// Whether another violation of a code would be kept.
    func hasRoom(for code: FindingCode) -> Bool {
        entries.count < PlaylistChecks.limit
            && (counts.first { $0.code == code }.map { $0.count < Self.limitPerCode } ?? true)
    }

    /// Notes a line that breaks a rule; the line is shown, cut where it is long.
    mutating func note(_ code: FindingCode, _ line: PlaylistLines.Line, expected: @autoclosure () -> String) {
        guard count(code) else { return }
        let expected = expected()
        entries.append(
            Entry(code: code, offset: line.start, expected: expected, observed: shown(line, naming: expected))
        )
    }

    /// Notes what breaks a rule.
    ///
    /// `offset` is where its line begins; nil where it concerns no single line.
    mutating func note(
        _ code: FindingCode,
        at offset: Int?,
        expected: @autoclosure () -> String,
        observed: @autoclosure () -> String
    ) {
        guard count(code) else { return }
        entries.append(Entry(code: code, offset: offset, expected: expected(), observed: observed()))
    }

    /// Counts a violation, and whether it is to be kept.
    private mutating func count(_ code: FindingCode) -> Bool {
        guard entries.count < PlaylistChecks.limit else { return false }
        guard let index = counts.firstIndex(where: { $0.code == code }) else {
            counts.append((code, 1))
            return true
        }
        guard counts[index].count < Self.limitPerCode else { return false }
        counts[index].count += 1
        return true
    }

    func shown(_ line: PlaylistLines.Line) -> String { text(line.range) }

    /// A line.
    ///
    /// A long one is cut around the first attribute that a text names, so that what is wrong stays in sight.
    private func shown(_ line: PlaylistLines.Line, naming expected: String) -> String {
        let limit = line.start + Self.shownBytes
        guard line.end > limit, line.value < limit else { return shown(line) }
        var list = AttributeList(bytes, line.valueRange)
        let names = Set(expected.split { !($0.isLetter || $0.isNumber || $0 == "-") })
        // Cuts between two attributes: the rest of a value could not be told from what stands outside of quotation
        // marks.
        var headEnd = line.value
        for _ in 0..<Self.shownAttributes {
            guard let attribute = list.next() else { break }
            if attribute.name.lowerBound <= line.start + Self.shownHead { headEnd = attribute.name.lowerBound }
            guard names.contains(Substring(text(attribute.name))) else { continue }
            guard attribute.value.upperBound > limit else { break }
            let head = text(line.start..<headEnd)
            let name = attribute.name.lowerBound..<min(attribute.value.upperBound + 1, line.end)
            let found = text(name)
            return "\(head)…\(found)" + (found.hasSuffix("…") || name.upperBound == line.end ? "" : "…")
        }
        return shown(line)
    }

    /// The bytes of a range as text.
    ///
    /// A long text is cut at the end of a whole piece: half of a secret no longer looks like one.
    func text(_ range: Range<Int>) -> String {
        var shown = bytes[range.lowerBound..<min(range.upperBound, range.lowerBound + Self.shownBytes)]
        if shown.count < range.count, let end = shown.lastIndex(where: { "/,;?&= \"".utf8.contains($0) }) {
            shown = shown[...end]
        }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: shown), as: UTF8.self)
        return shown.count < range.count ? text + "…" : text
    }

    /// All violations by line; those that concern no single line come last.
    ///
    /// Lines are counted only now, in one pass.
    func violations() -> [Violation] {
        guard !isEmpty else { return [] }
        var line = 1
        var position = 0
        return entries.enumerated()
            .sorted { ($0.element.offset ?? .max, $0.offset) < ($1.element.offset ?? .max, $1.offset) }
            .map { _, entry in
                guard let offset = entry.offset else {
                    return Violation(entry.code, expected: entry.expected, observed: entry.observed)
                }
                let end = min(offset, bytes.count)
                if position < end {
                    line += bytes[position..<end].reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
                    position = end
                }
                return Violation(entry.code, line: line, expected: entry.expected, observed: entry.observed)
            }
    }
}
