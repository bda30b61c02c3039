import HLS

/// Checks that a body is UTF-8 without control characters (bis-22 section 4.1).
enum TextCheck {
    /// Reports the first line of each kind.
    static func check(_ bytes: UnsafeRawBufferPointer, _ reader: inout TagReader) {
        guard let first = firstUnusual(bytes) else { return }
        var start = bytes[..<first].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        var isEncodingTold = false
        var isControlTold = false
        while start < bytes.count, !isEncodingTold || !isControlTold {
            let line = start..<(bytes[start...].firstIndex(of: 0x0A) ?? bytes.count)
            start = line.upperBound + 1
            let text = UnsafeRawBufferPointer(rebasing: bytes[line])
            if !isEncodingTold, text.withMemoryRebound(to: UInt8.self, { String(validating: $0, as: UTF8.self) }) == nil
            {
                isEncodingTold = true
                let shown = reader.shown(line)
                reader.note(.tagMalformed, at: line.lowerBound, expected: "UTF-8", observed: shown)
            }
            if !isControlTold, let control = control(in: text) {
                isControlTold = true
                let code: FindingCode = control == 0x09 ? .playlistFormLoose : .tagMalformed
                let number = String(control, radix: 16, uppercase: true).leftPadded(to: 4)
                let (expected, observed) = ("no control characters", "the character U+\(number) in the line")
                let likely = control == 0x09 ? "A template with tabs." : nil
                reader.note(code, at: line.lowerBound, expected: expected, observed: observed, likely: likely)
            }
        }
    }

    /// Index of the first byte other than visible ASCII, a space or a line end.
    ///
    /// Reads eight bytes at a time: it is the only pass over every byte of every playlist.
    private static func firstUnusual(_ bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var position = 0
        let last = bytes.count &- 8
        while position <= last {
            let word = (base + position).loadUnaligned(as: UInt64.self)
            if Eight.mayBeUnusual(word), Eight.isUnusual(word) { break }
            position &+= 8
        }
        return bytes[position...].firstIndex { ($0 < 0x20 && $0 != 0x0A && $0 != 0x0D) || $0 >= 0x7F }
    }

    /// The highest bit of each byte is its result.
    private enum Eight {
        private static let highest: UInt64 = 0x8080_8080_8080_8080
        private static let rest: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        private static let ones: UInt64 = 0x0101_0101_0101_0101

        /// Whether one may be a control character, a line end, or not ASCII.
        @inline(__always) static func mayBeUnusual(_ word: UInt64) -> Bool {
            (word | ~((word & rest) &+ 0x60 * ones) | ((word & rest) &+ ones)) & highest != 0
        }

        /// Line ends excepted.
        static func isUnusual(_ word: UInt64) -> Bool {
            let isControl = ~((word & rest) &+ 0x60 * ones)
            let isUsual = isZero(word ^ (0x0A * ones)) | isZero(word ^ (0x0D * ones))
            return (word | (isControl & ~isUsual) | ((word & rest) &+ ones)) & highest != 0
        }

        private static func isZero(_ word: UInt64) -> UInt64 { ~(((word & rest) &+ rest) | word) }
    }

    /// Includes U+007F to U+009F; line ends excepted.
    private static func control(in text: UnsafeRawBufferPointer) -> UInt32? {
        String(decoding: text, as: UTF8.self).unicodeScalars.first { scalar in
            switch scalar.value {
            case 0x0A, 0x0D: false
            case ..<0x20, 0x7F...0x9F: true
            default: false
            }
        }?.value
    }
}

/// Never quotes a body, which may contain a viewer's session, address or name.
enum BodyKind {
    private static let byteOrderMark = "\u{FEFF}"
    private static let searchedBytes = 512
    private static let firstTags = ListedNames.words("first tags")

    /// Such as "HTML (1532 bytes)".
    static func words(for body: UnsafeRawBufferPointer) -> String {
        guard !body.isEmpty else { return "an empty body" }
        let mark = Array(byteOrderMark.utf8)
        guard body.starts(with: mark) else { return "\(kind(of: body)) (\(body.count) bytes)" }
        return "the bytes EF BB BF before \(kind(of: UnsafeRawBufferPointer(rebasing: body[mark.count...])))"
    }

    /// Nil where the likeliest cause of its code holds.
    static func likely(for body: UnsafeRawBufferPointer) -> String? {
        if body.isEmpty { return "The body was cut off, or never written." }
        if body.starts(with: Array(byteOrderMark.utf8)) {
            return "An editor or a script saved the file as UTF-8 with a byte order mark."
        }
        if body.starts(with: [0x1F, 0x8B]) { return "The body is compressed, and its head does not say so." }
        let text = body.prefix(searchedBytes).drop { $0 <= 0x20 }
        guard text.starts(with: "#EXT".utf8, by: { $0 == $1 || $0 == $1 | 0x20 }) else { return nil }
        if text.starts(with: "#EXTM3U\r".utf8) {
            return "Lines end with a carriage return alone, as players do not read them."
        }
        if text.starts(with: "#EXTM3U".utf8, by: { $0 == $1 || $0 == $1 | 0x20 }) {
            return text.startIndex > 0
                ? "An empty line or a space stands before the first tag." : "The first tag is misspelt."
        }
        return "The first line was lost."
    }

    static func words(forNoJSON body: UnsafeRawBufferPointer) -> String {
        let found = words(for: body)
        return found.hasPrefix("JSON") ? "JSON with a mistake in it, or cut off (\(body.count) bytes)" : found
    }

    static func likely(forNoJSON body: UnsafeRawBufferPointer) -> String? {
        guard body.first(where: { $0 > 0x20 }).map({ "{[".utf8.contains($0) }) ?? false else {
            return likely(for: body)
        }
        return "The body was cut off, or a comma, a quotation mark or a bracket in it is missing or too many."
    }

    private static func kind(of body: UnsafeRawBufferPointer) -> String {
        let start = body.prefix(searchedBytes)
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let spaces = start.prefix(while: isSpace)
        let text = start.dropFirst(spaces.count)
        if let name = magic(of: text) { return name }
        if start.contains(where: { $0 < 0x20 && !isSpace($0) || $0 == 0x7F }) { return "binary data" }
        let before =
            spaces.isEmpty
            ? "" : spaces.contains { $0 == 0x0A || $0 == 0x0D } ? "an empty line before " : "a space before "
        return before + textKind(of: text)
    }

    private static func magic(of body: Slice<UnsafeRawBufferPointer>) -> String? {
        let known: [(bytes: [UInt8], name: String)] = [
            ([0x1F, 0x8B], "gzip data"), (Array("\u{7F}ELF".utf8), "an executable"), (Array("WEBVTT".utf8), "WebVTT"),
            (Array("%PDF".utf8), "PDF"), ([0x47, 0x40], "an MPEG-2 transport stream"),
        ]
        if let name = known.first(where: { body.starts(with: $0.bytes) })?.name { return name }
        let box = body.dropFirst(4).prefix(4)
        return ["ftyp", "styp", "moof", "moov", "sidx"].contains { box.elementsEqual($0.utf8) } ? "MP4" : nil
    }

    private static func textKind(of text: Slice<UnsafeRawBufferPointer>) -> String {
        guard let first = text.first else { return "nothing" }
        switch first {
        case UInt8(ascii: "<"):
            let start = String(decoding: text, as: UTF8.self).lowercased()
            if start.hasPrefix("<!doctype html") || start.contains("<html") { return "HTML" }
            return start.contains("<mpd") ? "a DASH manifest" : start.hasPrefix("<?xml") ? "XML" : "markup"
        case UInt8(ascii: "{"), UInt8(ascii: "["): return "JSON"
        case UInt8(ascii: "#"):
            let name = text.dropFirst().prefix {
                (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
            let tag = String(decoding: name, as: UTF8.self)
            return firstTags.contains(tag) ? "#" + tag : "a comment or an unknown tag"
        default: return "text"
        }
    }
}
