import HLS

/// The likeliest typing mistake in a tag, as a sentence without foreign text.
enum TypingMistake {
    private static let quoted = "Quotation marks stand around a value that takes none."
    /// Marks that stand in place of a colon.
    private static let marks: [Character: String] = [
        " ": "A space", "\t": "A space", "=": "An equals sign", ";": "A semicolon", ",": "A comma",
    ]

    static let lowerCase = "The value is not in capital letters."

    /// A mistake at the beginning of a tag's value.
    static func inValue(of line: TagLine, _ bytes: UnsafeRawBufferPointer) -> String? {
        guard line.value > line.start, line.value < line.end else { return nil }
        if PlaylistLines.isSpace(bytes[line.value]) { return "A space stands after the colon." }
        if bytes[line.value] == UInt8(ascii: "\"") { return quoted }
        let value = String(decoding: bytes[line.value..<min(line.end, line.value + 8)], as: UTF8.self)
        return ["VOD", "EVENT"].contains(value.uppercased()) ? lowerCase : nil
    }

    /// A mistake in the value of an attribute that is not of its form.
    static func inValue(_ value: String, isQuoted: Bool, _ form: AttributeForm) -> String? {
        if let wanted = form.isQuoted, wanted != isQuoted {
            return isQuoted ? quoted : "The quotation marks around the value are missing."
        }
        if case .oneOf(let words) = form, words.contains(where: { $0.description == value.uppercased() }) {
            return lowerCase
        }
        return value.contains(" ") ? "A space stands in the value." : nil
    }

    /// A mistake in an attribute list that cannot be read.
    static func inList(of line: TagLine, _ bytes: UnsafeRawBufferPointer) -> String? {
        let marks = bytes[line.valueRange].reduce(0) { $0 + ($1 == UInt8(ascii: "\"") ? 1 : 0) }
        return marks % 2 == 1 ? "A quotation mark is missing." : inValue(of: line, bytes)
    }

    /// A known tag whose name is misspelt, and the mistake; `name` is what stands after `#`, up to a colon.
    ///
    /// Letters of another case, spaces, and another mark in place of the colon make players ignore the line. Cue tags have a name
    /// alone.
    static func inName(_ name: String) -> (name: String, tag: PlaylistTag?, words: String)? {
        let whole = name.filter { $0 != " " && $0 != "\t" }
        if let (known, tag) = tag(whole) {
            let isCase = whole != known
            if whole == name, !isCase { return nil }
            let words = isCase ? "A letter of the tag's name is not a capital one." : "A space stands in its name."
            return (known, tag, words)
        }
        let stem = name.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "-" }
        guard let mark = name.dropFirst(stem.count).first.flatMap({ marks[$0] }), let (known, tag) = tag(String(stem))
        else {
            return nil
        }
        return (known, tag, "\(mark) stands in place of the colon after the tag's name.")
    }

    private static func tag(_ name: String) -> (name: String, tag: PlaylistTag?)? {
        let name = name.uppercased()
        let tag = Array(name.utf8.dropFirst(3)).withUnsafeBytes { PlaylistTag.named($0, 0..<$0.count) }
        if tag != .unknown { return (tag.fullName, tag) }
        return cueTags.contains(name) ? (name, nil) : nil
    }

    private static let cueTags = Set(CueTag.tagNames)
}
