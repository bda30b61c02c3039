/// Machine-made words of a path: session ids, tokens, signatures.
///
/// An assumption of podswarm: no rule defines the form of a token. A name that people or packagers choose rarely alternates
/// between letters and digits and begins words with capitals; a random one does so in every other place.
enum OpaqueWord {
    private static let shortest = 16
    private static let longestNumber = 19

    /// Replaces each opaque word of a path segment by a mark and a short hash, so that two can still be distinguished.
    static func hidden(in part: ArraySlice<UInt8>) -> String {
        guard part.count >= shortest else { return Redaction.string(part) }
        var shown = ""
        var rest = part
        while let first = rest.first {
            let isWord = isWordByte(first)
            let run = rest.prefix { isWordByte($0) == isWord }
            let text = Redaction.string(run)
            shown += isWord && isOpaque(run) ? Redaction.mark + StreamID(text).redacted.suffix(8) : text
            rest = rest.dropFirst(run.count)
        }
        return shown
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        SecretShape.isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private enum Kind {
        case digit, lower, upper, separator
    }

    private static func kind(of byte: UInt8) -> Kind {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .lower
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .upper
        default: .separator
        }
    }

    /// Whether a word of 16 letters and digits or more changes its kind of character in at least a quarter of its places, or
    /// contains 16 hexadecimal digits in a row with three changes or a number of 20 digits.
    static func isOpaque(_ word: ArraySlice<UInt8>) -> Bool {
        var turns = 0
        var length = 0
        var (hexLength, hexTurns, digits) = (0, 0, 0)
        var last = Kind.separator
        for byte in word {
            let kind = kind(of: byte)
            let isTurn = isTurn(from: last, to: kind)
            length += kind == .separator ? 0 : 1
            turns += isTurn ? 1 : 0
            digits = kind == .digit ? digits + 1 : 0
            let isHex = kind != .separator && Character(UnicodeScalar(byte)).isHexDigit
            (hexLength, hexTurns) = isHex ? (hexLength + 1, hexTurns + (isTurn ? 1 : 0)) : (0, 0)
            if digits > longestNumber || hexLength >= shortest && hexTurns >= 3 { return true }
            last = kind
        }
        return length >= shortest && turns * 4 >= length
    }

    private static func isTurn(from last: Kind, to kind: Kind) -> Bool {
        switch (last, kind) {
        case (.separator, _), (_, .separator), (.upper, .lower): false
        default: last != kind
        }
    }
}
