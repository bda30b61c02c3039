/// Reads lines that hold a JSON object each, as DataStream 2, Fastly and nginx write them.
///
/// What stands before the object is passed over: a syslog head, or the marks of a list.
final class JSONLine {
    /// How deep fields may lie that have a meaning.
    private static let deepest = 6

    private let names: FieldNames
    /// Where texts with escapes are spelt out; a line's are no longer than it.
    private let spelt: UnsafeMutableRawPointer
    private let capacity: Int
    private var used = 0

    /// - Parameters:
    ///   - names: What fields mean.
    ///   - longestLine: In bytes.
    init(_ names: FieldNames, longestLine: Int) {
        self.names = names
        capacity = longestLine
        spelt = .allocate(byteCount: max(1, longestLine), alignment: 1)
    }

    deinit { spelt.deallocate() }

    /// Reads a line; nil for one without a request.
    ///
    /// The request's texts hold until the next line is read.
    func read(_ line: LineBytes) -> LoggedRequest? {
        guard line.count <= capacity, let open = line.place(of: UInt8(ascii: "{")) else { return nil }
        used = 0
        var fields = RequestFields()
        var outer: [LineBytes] = []
        var place = open + 1
        while place < line.count {
            switch line[place] {
            case UInt8(ascii: "}"):
                guard !outer.isEmpty else { return fields.finished() }
                outer.removeLast()
                place += 1
            case UInt8(ascii: ","), 0x20, 0x09, 0x0D: place += 1
            case UInt8(ascii: "\""):
                guard let end = CombinedLine.closingQuote(in: line, from: place + 1),
                    let value = Self.valuePlace(in: line, from: end + 1),
                    let next = member(line, name: line.part(place + 1, end), value: value, &outer, &fields)
                else { return nil }
                place = next
            default: return nil
            }
        }
        return nil
    }

    /// Where the value begins behind a name.
    private static func valuePlace(in line: LineBytes, from start: Int) -> Int? {
        var place = skippingSpace(in: line, from: start)
        guard place < line.count, line[place] == UInt8(ascii: ":") else { return nil }
        place = skippingSpace(in: line, from: place + 1)
        return place < line.count ? place : nil
    }

    private static func skippingSpace(in line: LineBytes, from start: Int) -> Int {
        var place = start
        while place < line.count, line[place] == 0x20 || line[place] == 0x09 { place += 1 }
        return place
    }

    /// Reads a member's value, or enters the object that it is.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - name: The member's name.
    ///   - value: Where its value begins.
    ///   - outer: Names of the objects around it; gets the member's own where it is one.
    ///   - fields: Gets the value where it means something.
    /// - Returns: Where to go on; nil where the line is no JSON, or too deep.
    private func member(
        _ line: LineBytes,
        name: LineBytes,
        value: Int,
        _ outer: inout [LineBytes],
        _ fields: inout RequestFields
    ) -> Int? {
        switch line[value] {
        case UInt8(ascii: "{"):
            guard outer.count < Self.deepest else { return Self.skippingContainer(in: line, from: value) }
            outer.append(name)
            return value + 1
        case UInt8(ascii: "["): return Self.skippingContainer(in: line, from: value)
        case UInt8(ascii: "\""):
            guard let end = CombinedLine.closingQuote(in: line, from: value + 1) else { return nil }
            if let role = names.role(of: name, in: outer) { fields.set(role, text(line.part(value + 1, end))) }
            return end + 1
        default:
            var end = value
            while end < line.count, !Self.endsWord(line[end]) { end += 1 }
            guard end > value else { return nil }
            let word = line.part(value, end)
            if !word.isEqual(to: "null"), let role = names.role(of: name, in: outer) { fields.set(role, word) }
            return end
        }
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte <= 0x20
    }

    /// The place behind a list or an object that nothing of is wanted of.
    private static func skippingContainer(in line: LineBytes, from start: Int) -> Int? {
        var depth = 0
        var place = start
        while place < line.count {
            switch line[place] {
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return place + 1 }
            case UInt8(ascii: "\""):
                guard let end = CombinedLine.closingQuote(in: line, from: place + 1) else { return nil }
                place = end
            default: break
            }
            place += 1
        }
        return nil
    }
}

// MARK: - Escapes

extension JSONLine {
    /// A text as it is meant.
    private func text(_ written: LineBytes) -> LineBytes {
        guard written.place(of: UInt8(ascii: "\\")) != nil else { return written }
        let start = used
        var place = 0
        while place < written.count {
            guard written[place] == UInt8(ascii: "\\"), place + 1 < written.count else {
                append(written[place])
                place += 1
                continue
            }
            let letter = written[place + 1]
            place += 2
            switch letter {
            case UInt8(ascii: "n"): append(0x0A)
            case UInt8(ascii: "t"): append(0x09)
            case UInt8(ascii: "r"): append(0x0D)
            case UInt8(ascii: "b"): append(0x08)
            case UInt8(ascii: "f"): append(0x0C)
            case UInt8(ascii: "u"):
                guard let unit = Self.unit(written, at: place) else { continue }
                place += 4
                append(unit: unit)
            default: append(letter)
            }
        }
        return LineBytes(start: spelt + start, count: used - start)
    }

    private func append(_ byte: UInt8) {
        guard used < capacity else { return }
        spelt.storeBytes(of: byte, toByteOffset: used, as: UInt8.self)
        used += 1
    }

    /// Appends half a surrogate pair as if it were a character: it is compared with its like and shown to nobody.
    private func append(unit: UInt32) {
        switch unit {
        case ..<0x80: append(UInt8(unit))
        case ..<0x800:
            append(UInt8(0xC0 | unit >> 6))
            append(UInt8(0x80 | unit & 0x3F))
        default:
            append(UInt8(0xE0 | unit >> 12))
            append(UInt8(0x80 | unit >> 6 & 0x3F))
            append(UInt8(0x80 | unit & 0x3F))
        }
    }

    private static func unit(_ text: LineBytes, at place: Int) -> UInt32? {
        guard place + 4 <= text.count else { return nil }
        var unit: UInt32 = 0
        for byte in text.part(place, place + 4) {
            let digit: UInt8
            switch LineBytes.lower(byte) {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte &- 0x30
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = LineBytes.lower(byte) &- 0x61 + 10
            default: return nil
            }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
