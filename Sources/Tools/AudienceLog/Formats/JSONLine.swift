/// Parses lines with a JSON object each, as DataStream 2, Fastly and nginx write them.
///
/// Text before the object, such as a syslog head or a list's bracket, is ignored.
final class JSONLine {
    private let names: FieldNames
    /// Buffer for unescaped strings; those of a line are together no longer than the line.
    private var spelt = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var used = 0

    init(_ names: FieldNames) { self.names = names }

    deinit { spelt.deallocate() }

    /// Parses a line; the fields of `request` are valid until the next call.
    func read(_ line: LineBytes, into request: inout LoggedRequest) -> LogLine {
        guard let open = line.place(of: UInt8(ascii: "{")) else {
            // Brackets and commas of a list may stand on lines of their own.
            return line.allSatisfy { "[], ".utf8.contains($0) } ? .head : .meaningless
        }
        reset(for: line)
        var name = LineBytes.nothing
        var outer = OuterNames()
        // Depth of lists around a member: their contents are ignored.
        var lists = 0
        var place = open + 1
        while place < line.count {
            let byte = line[place]
            place += 1
            switch byte {
            case 0x20, 0x09, 0x0D, UInt8(ascii: ":"): break
            case UInt8(ascii: ","): name = .nothing
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                outer.push(name)
                if byte == UInt8(ascii: "[") { lists += 1 }
                name = .nothing
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard outer.pop() else { return .request }
                if byte == UInt8(ascii: "]") { lists -= 1 }
            case UInt8(ascii: "\""):
                guard let end = line.closingQuote(from: place) else { return .meaningless }
                let text = line.part(place, end)
                place = end + 1
                if isName(line, behind: place) {
                    name = text
                } else if lists == 0, let role = names.role(of: name, in: outer) {
                    request.set(role, self.text(text))
                }
            default:
                let start = place - 1
                while place < line.count, !Self.endsWord(line[place]) { place += 1 }
                let word = line.part(start, place)
                if lists == 0, !word.isEqual(to: "null"), let role = names.role(of: name, in: outer) {
                    request.set(role, word)
                }
            }
        }
        return .meaningless
    }

    private func reset(for line: LineBytes) {
        used = 0
        guard spelt.count < line.count else { return }
        spelt.deallocate()
        spelt = .allocate(byteCount: line.count * 2, alignment: 1)
    }

    private func isName(_ line: LineBytes, behind place: Int) -> Bool {
        var place = place
        while place < line.count, line[place] == 0x20 || line[place] == 0x09 { place += 1 }
        return place < line.count && line[place] == UInt8(ascii: ":")
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") || byte <= 0x20
    }

    // MARK: Escapes

    private func text(_ written: LineBytes) -> LineBytes {
        guard written.place(of: UInt8(ascii: "\\")) != nil else { return written }
        let start = used
        var place = 0
        while let slash = written.place(of: UInt8(ascii: "\\"), from: place), slash + 1 < written.count {
            append(written.part(place, slash))
            place = slash + 2
            switch written[slash + 1] {
            case UInt8(ascii: "n"): append(0x0A)
            case UInt8(ascii: "t"): append(0x09)
            case UInt8(ascii: "r"): append(0x0D)
            case UInt8(ascii: "b"): append(0x08)
            case UInt8(ascii: "f"): append(0x0C)
            case UInt8(ascii: "u"):
                // Half a surrogate pair becomes U+FFFD: strings are only compared with strings decoded in the same way.
                let digits = written.part(place, place + 4)
                let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
                var character = String(Unicode.Scalar(unit ?? 0xFFFD) ?? "\u{FFFD}")
                character.withUTF8 { append(LineBytes($0)) }
                place += digits.count
            case let letter: append(letter)
            }
        }
        append(written.part(from: place))
        return LineBytes(rebasing: spelt[start..<used])
    }

    private func append(_ byte: UInt8) { withUnsafeBytes(of: byte) { append($0) } }

    private func append(_ text: LineBytes) {
        guard used + text.count <= spelt.count else { return }
        UnsafeMutableRawBufferPointer(rebasing: spelt[used...]).copyMemory(from: text)
        used += text.count
    }
}
