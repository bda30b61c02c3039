import HLS

/// The likeliest typing mistake in a tag, as a sentence without foreign text.
enum TypingMistake {
    private static let quoted = "Quotation marks stand around a value that takes none."
    private static let marks: [Character: String] = [
        " ": "A space", "\t": "A space", "=": "An equals sign", ";": "A semicolon", ",": "A comma",
    ]

    private static let otherMarks: [Character: String] = [
        "\u{201C}": curled, "\u{201D}": curled, "\u{201E}": curled, "\u{AB}": curled,
        "'": "Single quotation marks stand in place of double ones.",
    ]
    private static let curled = "The quotation marks are those of printed text, as word processors write them."

    static let lowerCase = "The value is not in capital letters."
    static let unquoted = "The quotation marks around the value are missing."
    static let spaced = "A space stands in the value."
    static let tooLarge = "The number is too large."
    static let negative = "The number is negative, as some write an unknown length."

    static func inType(_ type: String?, of known: [String]) -> String {
        known.contains(type?.uppercased() ?? "") ? lowerCase : "The TYPE is that of a newer edition or of a vendor."
    }

    static func inValue(of line: TagLine, _ bytes: UnsafeRawBufferPointer) -> String? {
        guard case .tag = line.kind, line.value > line.start else { return nil }
        guard line.value < line.end else { return "The tag has no value." }
        if PlaylistLines.isSpace(bytes[line.value]) { return "A space stands after the colon." }
        if bytes[line.value] == UInt8(ascii: "\"") { return quoted }
        let value = String(decoding: bytes[line.value..<min(line.end, line.value + 8)], as: UTF8.self)
        if value == "LIVE" { return "A live playlist has no type: the tag is for VOD and EVENT alone." }
        return ["VOD", "EVENT"].contains(value.uppercased()) ? lowerCase : nil
    }

    static func inNumber(of line: TagLine, upTo end: Int, isWhole: Bool, _ bytes: UnsafeRawBufferPointer) -> String? {
        inValue(of: line, bytes) ?? inNumber(bytes[line.value..<max(end, line.value)], isWhole ? .integer : .decimal)
    }

    static func inValue(_ value: String, isQuoted: Bool, _ form: AttributeForm) -> String? {
        if let wanted = form.isQuoted, wanted != isQuoted {
            return isQuoted ? quoted : value.first.flatMap { otherMarks[$0] } ?? unquoted
        }
        if form.words.contains(where: { $0.description == value.uppercased() }) { return lowerCase }
        if form === AttributeForm.date, let mistake = Array(value.utf8).withUnsafeBytes(inDate) { return mistake }
        let isNumber = [AttributeForm.integer, .decimal, .signedDecimal].contains { $0 === form }
        if isNumber, let mistake = inNumber(value.utf8, form) { return mistake }
        if form === AttributeForm.resolution, value.contains("X") {
            return "A capital X stands in place of a small one."
        }
        return value.contains(" ") ? spaced : nil
    }

    private static func inNumber(_ text: some BidirectionalCollection<UInt8>, _ form: AttributeForm) -> String? {
        let isDigit = { (byte: UInt8) in byte &- UInt8(ascii: "0") <= 9 }
        if text.starts(with: "PT".utf8) { return "The length is written as DASH has it, in ISO 8601." }
        let isNegative = text.first == UInt8(ascii: "-")
        guard text.contains(where: isDigit) else { return nil }
        if text.contains(where: PlaylistLines.isSpace) { return "A space stands beside the number or in it." }
        let rest = text.drop { $0 == UInt8(ascii: "-") }.drop(while: isDigit)
        let isOfDigits = rest.dropFirst().allSatisfy(isDigit)
        if let mark = rest.first, mark != UInt8(ascii: ".") || !isOfDigits {
            return mark | 0x20 == UInt8(ascii: "e") && isOfDigits
                ? "The number is written with an exponent." : unit(rest)
        }
        guard form === AttributeForm.integer else {
            return form === AttributeForm.decimal && isNegative ? negative : tooLarge
        }
        return isNegative ? "The number is negative." : rest.isEmpty ? tooLarge : "The number has a fraction."
    }

    private static func unit(_ rest: some Collection<UInt8>) -> String? {
        rest.allSatisfy(\.isLetter) ? "A unit stands behind the number." : nil
    }

    /// Nil also for a date that begins with a space or a quotation mark.
    static func inDate(_ text: UnsafeRawBufferPointer) -> String? {
        if text.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }) {
            switch text.count {
            case 10, 13: return "The date is a number of seconds or milliseconds since 1970."
            case 14:
                let marked = Array(text[..<8]) + [UInt8(ascii: "T")] + Array(text[8...])
                return WallTime(iso8601: marked) == nil ? nil : "The date has no marks between its numbers."
            default: return nil
            }
        }
        guard WallTime.isExtended(text) else { return nil }
        if text.count == 10 { return "The time of day is missing." }
        guard text.count > 10 else { return nil }
        if PlaylistLines.isSpace(text[10]) { return "A space stands in place of the T." }
        guard text.count >= 19, text[10] | 0x20 == UInt8(ascii: "t"), text[16] == UInt8(ascii: ":") else { return nil }
        return WallTime.parse(UnsafeRawBufferPointer(rebasing: text[..<19])) == nil
            ? "The day or the time of day does not exist."
            : "The text after the seconds is neither a fraction nor a time zone."
    }

    static func inList(of line: TagLine, _ bytes: UnsafeRawBufferPointer) -> String? {
        let text = bytes[line.valueRange]
        let marks = text.reduce(0) { $0 + ($1 == UInt8(ascii: "\"") ? 1 : 0) }
        if marks % 2 == 1 { return "A quotation mark is missing." }
        let neighbours = zip(text, text.dropFirst())
        if neighbours.contains(where: { PlaylistLines.isSpace($0) && $1 == UInt8(ascii: "=") }) {
            return "A space stands beside an equals sign."
        }
        if neighbours.contains(where: { $0 == UInt8(ascii: "\"") && $1 == UInt8(ascii: ";") }) {
            return "Semicolons stand in place of commas."
        }
        let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let isOfDigits = { (part: Slice<UnsafeRawBufferPointer>) in
            part.count == 3 && part.allSatisfy { $0 &- UInt8(ascii: "0") <= 9 }
        }
        if parts.dropFirst().contains(where: isOfDigits) { return "Commas stand between the digits of a number." }
        let isCut = marks == 0 && parts.dropFirst().contains { !$0.contains(UInt8(ascii: "=")) }
        return isCut ? unquoted : inValue(of: line, bytes)
    }

    /// Finds misspelt tags, which players ignore; `name` is the text after `#`, up to a colon.
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
        else { return nil }
        return (known, tag, "\(mark) stands in place of the colon after the tag's name.")
    }

    static func tag(_ name: String) -> (name: String, tag: PlaylistTag?)? {
        let name = name.uppercased()
        let tag = Array(name.utf8.dropFirst(3)).withUnsafeBytes { PlaylistTag.named($0, 0..<$0.count) }
        if tag != .unknown { return (tag.fullName, tag) }
        return cueTags.contains(name) ? (name, nil) : nil
    }

    private static let cueTags = Set(CueTag.tagNames)
}
